/** Lets so many pieces of work run at a time; the others wait, and begin in the order in which they came. */
export function concurrencyLimit(
  atATime: number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0

  return async (work) => {
    // Whoever ends passes the turn on, so that nobody who comes now is sooner than who waits.
    if (running === atATime) await new Promise<void>((begin) => waiting.push(begin))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
