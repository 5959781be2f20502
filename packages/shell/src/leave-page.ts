/** Announces that the page was not left because the device is offline; `OfflineNotice` shows it. */
export const LEAVING_OFFLINE = 'portico-leaving-offline'

/**
 * Leaves or reloads the page, but only with a connection: otherwise the browser's error page would replace it, with everything
 * that was typed. Offline, the user is told, and the page is left as soon as the device is online.
 */
export function leavePage(window: Window, leave: () => void): void {
  if (window.navigator.onLine) return leave()
  window.dispatchEvent(new Event(LEAVING_OFFLINE))
  window.addEventListener('online', leave, { once: true })
}

/** Whether the page's server responds, with any response. */
export async function isServerReachable(window: Window): Promise<boolean> {
  if (!window.navigator.onLine) return false
  try {
    await window.fetch(window.location.href, { method: 'HEAD', cache: 'no-store' })
    return true
  } catch {
    return false
  }
}
