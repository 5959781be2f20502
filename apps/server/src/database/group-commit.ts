/**
 * Shares syncs between writers. A call during a sync waits for the next one, because the current one may have begun
 * before the caller's write; all calls until then share it.
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
