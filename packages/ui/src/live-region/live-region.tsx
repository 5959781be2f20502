import { useEffect, useState } from 'react'
import { announce } from './announce.ts'
import styles from './live-region.module.css'

/** Increment `occurrence` to announce the same message again. */
export type LiveRegionProps = { message: string; occurrence?: number }

/** Announces a message politely, then clears it so that it cannot be read later as page content. */
export function LiveRegion({ message, occurrence = 0 }: LiveRegionProps) {
  const [spoken, setSpoken] = useState('')
  // `occurrence` is a dependency so that the same message can be announced again.
  useEffect(() => announce(message, setSpoken), [message, occurrence])
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {spoken}
    </div>
  )
}
