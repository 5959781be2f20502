/**
 * Reserves a share of the connections for reads. A write may wait for the disk or for a synchronous standby for as long as
 * that is gone, so a connection that writes needs a place, and there are fewer places than connections.
 */

/** The share of the connections that may write at once. */
const WRITING_SHARE = 0.75
/** Writes are stalled if none ends in this time while others wait for places. */
const STALLED_MS = 2000

export interface WritePlace {
  /** Returns the place. Has no effect the second time. */
  readonly release: (outcome: 'answered' | 'lost') => void
}

export interface WritePlaces {
  /** Takes a place, or waits for one while writes end; undefined while they are stalled. */
  readonly take: () => Promise<WritePlace | undefined>
}

type Waiter = (place: WritePlace | undefined) => void

export function writePlaces(connections: number): WritePlaces {
  const places = Math.max(1, Math.floor(connections * WRITING_SHARE))
  /** Longest wait first. */
  const waiting: Waiter[] = []
  let taken = 0
  let isStalled = false
  let stalling: NodeJS.Timeout | undefined

  function occupy(): WritePlace {
    taken += 1
    let isHeld = true
    return {
      release(outcome) {
        if (!isHeld) return
        isHeld = false
        taken -= 1
        if (outcome === 'lost') refuseWaiters()
        else isStalled = false
        clearTimeout(stalling)
        stalling = undefined
        waiting.shift()?.(occupy())
        if (waiting.length > 0) expectProgress()
      },
    }
  }

  function refuseWaiters(): void {
    isStalled = true
    for (const refuse of waiting.splice(0)) refuse(undefined)
  }

  function expectProgress(): void {
    stalling ??= setTimeout(refuseWaiters, STALLED_MS)
  }

  return {
    async take() {
      if (taken < places) return occupy()
      if (isStalled) return undefined
      expectProgress()
      return new Promise((resolve) => waiting.push(resolve))
    },
  }
}
