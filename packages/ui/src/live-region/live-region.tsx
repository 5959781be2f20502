import { useEffect, useState } from 'react'
import styles from './live-region.module.css'

/** How long an announcement stays in the page before it is cleared (§9). */
export const LIVE_REGION_CLEAR_MS = 300

/** What is announced; `occurrence` grows when the same words are to be said again. */
export type LiveRegionProps = { message: string; occurrence?: number }

/** Says something politely to screen readers and clears it, so that nobody reads it later as content. */
export function LiveRegion({ message, occurrence = 0 }: LiveRegionProps) {
  const [spoken, setSpoken] = useState('')

  // `occurrence` is listed so that the same words can be said again.
  useEffect(() => {
    setSpoken(message)
    const timer = setTimeout(() => setSpoken(''), LIVE_REGION_CLEAR_MS)
    return () => clearTimeout(timer)
  }, [message, occurrence])

  return (
    <div className={styles.region} role="status" aria-live="polite">
      {spoken}
    </div>
  )
}
