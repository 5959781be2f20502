import type { StoredJwt } from '@portico/client/stored-jwt'

/** Yields one event when another tab removes the token; ends without one when the signal aborts. */
export async function* tokenRemovals(
  jwt: Pick<StoredJwt, 'watch'>,
  signal: AbortSignal,
): AsyncGenerator<{ type: 'signedOut' }> {
  const removed = Promise.withResolvers<boolean>()
  const stop = jwt.watch((stored) => {
    if (!stored) removed.resolve(true)
  })
  signal.addEventListener('abort', () => removed.resolve(false))
  const wasRemoved = await removed.promise
  stop()
  if (wasRemoved) yield { type: 'signedOut' }
}
