/**
 * One window of the wallet at a time: two would answer the same requests. The newest one runs it, because the user has just
 * opened it; an older one offers to take over again.
 */
export interface SingleWindow {
  readonly isCurrent: () => boolean
  /** Calls back on changes; returns a function that removes the listener. */
  readonly subscribe: (listener: () => void) => () => void
  readonly takeOver: () => void
}

const NAME = 'mobile-wallet'

export function singleWindow(locks: Pick<LockManager, 'request'> | undefined): SingleWindow {
  let isCurrent = true
  let requests = 0
  const listeners = new Set<() => void>()
  const set = (current: boolean) => {
    isCurrent = current
    for (const listener of listeners) listener()
  }
  const takeOver = () => {
    set(true)
    requests += 1
    const request = requests
    locks
      // Held until another window takes over, or this one is closed.
      ?.request(NAME, { steal: true }, () => new Promise<never>(() => undefined))
      // This window may have taken the lock from its own earlier request.
      .catch(() => request === requests && set(false))
  }
  takeOver()
  return {
    isCurrent: () => isCurrent,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    takeOver,
  }
}
