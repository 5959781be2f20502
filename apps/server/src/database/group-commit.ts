/**
 * Syncs that several share: who asks while one is under way waits for the next, which covers everybody who asked by
 * then. One that is under way may have begun before the last write, so it counts for nobody who comes later.
 */
export function groupCommit(sync: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined

  function begin(): Promise<void> {
    next = undefined
    current = sync().finally(() => {
      current = undefined
    })
    return current
  }

  return () => {
    if (current === undefined) return begin()
    next ??= current.then(begin, begin)
    return next
  }
}
