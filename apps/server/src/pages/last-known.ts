import { DatabaseUnavailable } from '../database/database-unavailable.ts'

/** How long a page waits for the database. */
const PATIENCE_MS = 1000

/** A promise's result; undefined if the database does not respond in time. */
export async function unlessUnavailable<Result>(
  read: Promise<Result>,
  waitMs = PATIENCE_MS,
): Promise<{ readonly result: Result } | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, waitMs), undefined)
  })
  try {
    return await Promise.race([read.then((result) => ({ result })), late])
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reads from the database, or returns the last result if it does not respond soon, so that pages that need only what hardly
 * changes open without it. Concurrent reads of a key share a query, so an outage does not make each of them wait.
 */
export function withLastKnown<Result>(
  read: (key: string) => Promise<Result>,
  unknown: Result,
): (key: string) => Promise<Result> {
  const results = new Map<string, Result>()
  const reads = new Map<string, { readonly startedAt: number; readonly result: Promise<Result> }>()

  function startRead(key: string) {
    const result = read(key)
    const started = { startedAt: performance.now(), result }
    reads.set(key, started)
    result
      .then(
        (value) => results.set(key, value),
        // The callers handle it, unless all have stopped waiting.
        () => undefined,
      )
      .finally(() => reads.delete(key))
    return started
  }

  return async (key) => {
    const { startedAt, result } = reads.get(key) ?? startRead(key)
    const waitMs = startedAt + PATIENCE_MS - performance.now()
    const found = await unlessUnavailable(result, waitMs)
    if (found !== undefined) return found.result
    return results.get(key) ?? unknown
  }
}
