/**
 * The few lines that run before the application does. They keep a form from being sent by the browser itself while
 * nobody listens yet, and show what to do where the application's scripts do not arrive or the browser keeps no cookies. Written as text because it is
 * part of the document, under its nonce.
 */

/** How long after the document has loaded the application must have taken over, in milliseconds. */
const PATIENCE_MS = 15_000

/** A cookie that is there for a moment: Chromium says that it takes cookies also where a person has blocked them. */
const PROBE = 'portico-probe'

/** The script's source. */
export const BOOT_SCRIPT = `(() => {
  const root = document.documentElement
  const ready = () => 'ready' in root.dataset
  const show = (id) => {
    const message = document.getElementById(id)
    if (message) message.hidden = false
  }
  const tell = () => ready() || show('load-failed')
  addEventListener('submit', (event) => ready() || event.preventDefault(), true)
  addEventListener('error', (event) => event.target instanceof HTMLScriptElement && tell(), true)
  addEventListener('load', () => setTimeout(tell, ${PATIENCE_MS}))
  const keepsCookies = () => {
    document.cookie = '${PROBE}=1'
    const kept = document.cookie.includes('${PROBE}')
    document.cookie = '${PROBE}=;max-age=0'
    return kept
  }
  addEventListener('DOMContentLoaded', () => keepsCookies() || show('cookies-blocked'))
})()`
