import { Alert } from '@portico/ui/alert'
import { useEffect, useState } from 'react'
import { followedLink } from './internal-links.ts'
import { LEAVING_OFFLINE } from './leave-page.ts'
import styles from './offline-notice.module.css'

/**
 * Keeps the page while the device is offline: a link that would load another document shows an alert instead. The alert
 * disappears when the device is online again.
 */
export function OfflineNotice() {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const show = () => setShown(true)
    const hide = () => setShown(false)
    // At the window, after the page's own handlers: links within the application stay usable.
    const stay = (event: MouseEvent) => {
      if (window.navigator.onLine || followedLink(event, { origin: 'any' }) === undefined) return
      event.preventDefault()
      show()
    }
    window.addEventListener('click', stay)
    window.addEventListener(LEAVING_OFFLINE, show)
    window.addEventListener('online', hide)
    return () => {
      window.removeEventListener('click', stay)
      window.removeEventListener(LEAVING_OFFLINE, show)
      window.removeEventListener('online', hide)
    }
  }, [])
  return shown ? (
    <div className={styles.notice}>
      <Alert tone="danger" title="You are offline">
        Check your connection, then try again. What you entered is still here.
      </Alert>
    </div>
  ) : null
}
