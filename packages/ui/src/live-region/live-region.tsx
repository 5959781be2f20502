import { useEffect, useState } from 'react'
import { announce } from './announce.ts'
import styles from './live-region.module.css'

/** What is announced; `occurrence` grows when the same words are to be said again. */
export type LiveRegionProps = { message: string; occurrence?: number }

/** Says something politely to screen readers and clears it, so that nobody reads it later as content. */
export function LiveRegion({ message, occurrence = 0 }: LiveRegionProps) {
  const [spoken, setSpoken] = useState('')
  // `occurrence` is listed so that the same words can be said again.
  useEffect(() => announce(message, setSpoken), [message, occurrence])
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {spoken}
    </div>
  )
}
