import { Refusal } from '@portico/contracts/errors'
import type { FastifyRequest } from 'fastify'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses state-changing requests from other sites (CSRF, login CSRF). Browsers send `Origin` or `Sec-Fetch-Site`,
 * which must name our origin. A request with neither does not come from a browser and is refused if it carries cookies,
 * because only browsers attach those automatically.
 *
 * @throws Refusal - `foreign-origin`
 */
export function assertSameOrigin(request: FastifyRequest, ownOrigin: string): void {
  if (SAFE_METHODS.has(request.method)) return
  const { origin, cookie } = request.headers
  const site = request.headers['sec-fetch-site']
  const hasSource = origin !== undefined || site !== undefined
  const foreign =
    (origin !== undefined && origin !== ownOrigin) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  if (foreign || (!hasSource && cookie !== undefined)) {
    throw new Refusal('foreign-origin', {
      errors: [`The request did not come from this site. Send it from ${ownOrigin}.`],
    })
  }
}
