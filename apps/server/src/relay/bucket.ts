import type { Clock } from '../clock.ts'

/** A budget that fills again by itself. */
export interface Bucket {
  /** Takes an amount where it is there. */
  readonly take: (amount: number) => boolean
  readonly isFull: () => boolean
}

/** Opens a full bucket that holds `capacity` and gains `perSecond`. */
export function openBucket(capacity: number, perSecond: number, clock: Clock): Bucket {
  let level = capacity
  let at = clock()
  const refill = () => {
    const now = clock()
    // A clock that is set back must not empty it.
    level = Math.min(capacity, level + (Math.max(0, now - at) / 1000) * perSecond)
    at = now
  }
  return {
    take(amount) {
      refill()
      if (amount > level) return false
      level -= amount
      return true
    },
    isFull() {
      refill()
      return level >= capacity
    },
  }
}
