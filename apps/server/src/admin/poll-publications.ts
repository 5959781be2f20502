import type { Logger } from 'pino'

/** Every node shows publications within 5 seconds. */
const INTERVAL_MS = 1000

/**
 * Polls for other nodes' publications until it is stopped. While the database is unavailable, the last known data stays in
 * use.
 */
export function pollPublications({
  refresh,
  log,
}: {
  readonly refresh: () => Promise<void>
  readonly log: Pick<Logger, 'warn'>
}): () => Promise<void> {
  let isFailing = false
  let isStopped = false
  let timer: NodeJS.Timeout
  let running: Promise<void> = Promise.resolve()

  async function check(): Promise<void> {
    try {
      await refresh()
      isFailing = false
    } catch (error) {
      // Logged once, because the database may be unavailable for minutes.
      if (!isFailing) log.warn({ err: error }, 'publications could not be read; trying again')
      isFailing = true
    }
    if (!isStopped) schedule()
  }

  function schedule(): void {
    timer = setTimeout(() => {
      running = check()
    }, INTERVAL_MS).unref()
  }

  schedule()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}
