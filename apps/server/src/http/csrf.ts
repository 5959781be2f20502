import { Refusal } from '@portico/contracts/errors'
import type { FastifyRequest } from 'fastify'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses state-changing requests of other sites (cross-site posts, login CSRF). A browser names where a request comes
 * from; one that names another origin is refused. One that names none is no browser's, and is refused where it carries
 * cookies, since only a browser sends those unasked.
 *
 * @throws Refusal - `foreign-origin`
 */
export function assertSameOrigin(request: FastifyRequest, ownOrigin: string): void {
  if (SAFE_METHODS.has(request.method)) return
  const { origin, cookie } = request.headers
  const site = request.headers['sec-fetch-site']
  const named = origin !== undefined || site !== undefined
  const foreign =
    (origin !== undefined && origin !== ownOrigin) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  if (foreign || (!named && cookie !== undefined)) {
    throw new Refusal('foreign-origin', {
      errors: [`The request did not come from this site. Send it from ${ownOrigin}.`],
    })
  }
}
