/**
 * The few lines that run before the application does. They keep a form from being sent by the browser itself while
 * nobody listens yet, and show what to do where the application's scripts do not arrive. Written as text because it is
 * part of the document, under its nonce.
 */

/** How long after the document has loaded the application must have taken over, in milliseconds. */
const PATIENCE_MS = 15_000

/** The script's source. */
export const BOOT_SCRIPT = `(() => {
  const root = document.documentElement
  const ready = () => 'ready' in root.dataset
  const tell = () => {
    const message = document.getElementById('load-failed')
    if (message && !ready()) message.hidden = false
  }
  addEventListener('submit', (event) => ready() || event.preventDefault(), true)
  addEventListener('error', (event) => event.target instanceof HTMLScriptElement && tell(), true)
  addEventListener('load', () => setTimeout(tell, ${PATIENCE_MS}))
})()`
