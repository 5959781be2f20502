/**
 * An inline script of a page on which users log in to an application: once the application's sign-in has expired, it opens the page
 * that says so, unless the user has typed a password, fills in a registration or answers a dialog. A timer alone is not enough,
 * because it stops while a device sleeps.
 */
export function expiryScript(remainingMs: number, returnTo: string): string {
  return `(() => {
  const expiresAt = Date.now() + ${Math.max(0, Math.ceil(remainingMs))}
  const isRegistering = location.pathname.endsWith('/register')
  const isTyped = ({ type, value, defaultValue }) => type === 'password' ? value !== '' : isRegistering && value !== defaultValue
  const isBusy = () => document.querySelector('dialog[open]') !== null || [...document.querySelectorAll('input')].some(isTyped)
  const check = () => Date.now() < expiresAt || isBusy() || location.replace(${JSON.stringify(returnTo).replaceAll('<', '\\u003c')})
  setTimeout(check, expiresAt - Date.now())
  for (const type of ['focusin', 'keydown', 'pageshow', 'visibilitychange']) addEventListener(type, check, true)
})()`
}
