/**
 * An inline script that runs before the application. It prevents native form submission until the application is ready,
 * and shows a message if the application's scripts do not load or cookies are blocked. It is a string because it is
 * part of the document, under its nonce.
 */

/** How long after the document has loaded the application must be ready, in milliseconds. */
const READY_TIMEOUT_MS = 15_000

/** A short-lived test cookie: `navigator.cookieEnabled` is true in Chromium even if the user blocks cookies. */
const PROBE = 'portico-probe'

export const BOOT_SCRIPT = `(() => {
  const root = document.documentElement
  const ready = () => 'ready' in root.dataset
  const show = (id) => {
    const message = document.getElementById(id)
    if (message) message.hidden = false
  }
  const reportFailure = () => ready() || show('load-failed')
  addEventListener('submit', (event) => ready() || event.preventDefault(), true)
  addEventListener('error', (event) => event.target instanceof HTMLScriptElement && reportFailure(), true)
  addEventListener('load', () => setTimeout(reportFailure, ${READY_TIMEOUT_MS}))
  const acceptsCookies = () => {
    document.cookie = '${PROBE}=1'
    const stored = document.cookie.includes('${PROBE}')
    document.cookie = '${PROBE}=;max-age=0'
    return stored
  }
  addEventListener('DOMContentLoaded', () => acceptsCookies() || show('cookies-blocked'))
})()`
