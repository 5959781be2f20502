import { useEffect, useState } from 'react'
import styles from './live-region.module.css'

/** How long an announcement stays in the page before it is cleared (§9). */
const CLEAR_MS = 300

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

function announce(message: string, say: (text: string) => void): () => void {
  say(message)
  const timer = setTimeout(() => say(''), CLEAR_MS)
  return () => clearTimeout(timer)
}
