interface Asked<Key, Answer> {
  readonly key: Key
  readonly resolve: (answer: Answer | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Answers by one query what is asked in one turn of the event loop, `atATime` at most. The query begins when the turn
 * ends, so each hears what was so after it had asked; where it fails, it fails for all of them.
 */
export function batchLoader<Key, Answer>(
  atATime: number,
  answer: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Answer>>,
): (key: Key) => Promise<Answer | undefined> {
  let waiting: Asked<Key, Answer>[] = []

  async function ask(asked: readonly Asked<Key, Answer>[]): Promise<void> {
    try {
      const answers = await answer(asked.map(({ key }) => key))
      for (const { key, resolve } of asked) resolve(answers.get(key))
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  function askAll(): void {
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += atATime) void ask(all.slice(from, from + atATime))
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ key, resolve, reject }) === 1) setImmediate(askAll)
    })
}
