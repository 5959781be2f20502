/**
 * An inline script that runs before the application. It holds what the user does with a form until the application is ready: a
 * submission is made then, and a checkbox gets its state again, which hydration resets. It shows a message if the application's scripts do not load or cookies are blocked. It is a string because it is
 * part of the document, under its nonce.
 */

/** How long after the document has loaded the application must be ready, in milliseconds. */
const READY_TIMEOUT_MS = 15_000

/**
 * A short-lived test cookie: `navigator.cookieEnabled` is true in Chromium even if the user blocks cookies. Each page has its own,
 * because another tab that loads at the same time would delete a shared one between the write and the read.
 */
const PROBE = 'portico-probe-'

export const BOOT_SCRIPT = `(() => {
  const root = document.documentElement
  const ready = () => 'ready' in root.dataset
  const show = (id) => {
    const message = document.getElementById(id)
    if (message) message.hidden = false
  }
  const reportFailure = () => ready() || show('load-failed')
  let submission
  const ticked = new Map()
  addEventListener('submit', (event) => {
    if (ready()) return
    event.preventDefault()
    submission = event
  }, true)
  addEventListener('change', ({ target }) => ready() || target.type !== 'checkbox' || ticked.set(target, target.checked), true)
  new MutationObserver((_, observer) => {
    if (!ready()) return
    observer.disconnect()
    for (const [box, checked] of ticked) if (box.isConnected && box.checked !== checked) box.click()
    if (submission?.target.isConnected) setTimeout(() => submission.target.requestSubmit(submission.submitter?.isConnected ? submission.submitter : null))
  }).observe(root, { attributes: true, attributeFilter: ['data-ready'] })
  addEventListener('error', (event) => event.target instanceof HTMLScriptElement && reportFailure(), true)
  addEventListener('load', () => setTimeout(reportFailure, ${READY_TIMEOUT_MS}))
  const acceptsCookies = () => {
    const probe = '${PROBE}' + crypto.getRandomValues(new Uint32Array(2)).join('')
    document.cookie = probe + '=1'
    const stored = document.cookie.includes(probe)
    document.cookie = probe + '=;max-age=0'
    return stored
  }
  addEventListener('DOMContentLoaded', () => acceptsCookies() || show('cookies-blocked'))
})()`
