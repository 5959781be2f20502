import type { StoredJwt } from '@portico/client/stored-jwt'

/** Says once that another tab has removed the token, unless nobody listens any more. */
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
