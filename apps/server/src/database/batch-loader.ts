interface PendingLoad<Key, Answer> {
  readonly key: Key
  readonly resolve: (query: Answer | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines the loads of one event loop turn into queries of at most `batchSize` keys. A query begins after the turn, so
 * no result is older than its load. If a query fails, all its loads fail.
 */
export function batchLoader<Key, Answer>(
  batchSize: number,
  query: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Answer>>,
): (key: Key) => Promise<Answer | undefined> {
  let waiting: PendingLoad<Key, Answer>[] = []

  async function runBatch(batch: readonly PendingLoad<Key, Answer>[]): Promise<void> {
    try {
      const answers = await query(batch.map(({ key }) => key))
      for (const { key, resolve } of batch) resolve(answers.get(key))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  function flush(): void {
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += batchSize)
      void runBatch(all.slice(from, from + batchSize))
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ key, resolve, reject }) === 1) setImmediate(flush)
    })
}
