import { Refusal } from '@portico/contracts/errors'
import type { FastifyRequest } from 'fastify'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses state-changing requests from other sites (CSRF, login CSRF).
 *
 * @throws Refusal - `foreign-origin`
 */
export function assertSameOrigin(request: FastifyRequest, ownOrigin: string): void {
  if (isSameOrigin(request, ownOrigin)) return
  throw new Refusal('foreign-origin', {
    errors: [`The request did not come from this site. Send it from ${ownOrigin}.`],
  })
}

/**
 * Whether a request changes nothing or comes from our origin. Browsers send `Origin` or `Sec-Fetch-Site`, which must match
 * it. A request with neither header is not from a browser; if it carries cookies it counts as cross-origin, because only
 * browsers attach cookies automatically.
 */
export function isSameOrigin(request: FastifyRequest, ownOrigin: string): boolean {
  if (SAFE_METHODS.has(request.method)) return true
  const { origin, cookie } = request.headers
  const site = request.headers['sec-fetch-site']
  const hasSource = origin !== undefined || site !== undefined
  const foreign =
    (origin !== undefined && origin !== ownOrigin) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  return !foreign && (hasSource || cookie === undefined)
}
