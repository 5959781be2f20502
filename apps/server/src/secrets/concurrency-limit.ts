/** Runs at most `maximum` tasks at a time; the others wait in the order in which they arrived. */
export function concurrencyLimit(
  maximum: number,
): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0

  return async (task) => {
    // A finished task hands its slot to the next waiting one, so late arrivals cannot jump the queue.
    if (running === maximum) await new Promise<void>((start) => waiting.push(start))
    else running += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
