import { type Edge, enforceRateLimit, type RateLimitRule } from '../http/serve.ts'
import type { AskNode } from './chain.ts'

/** The path of the development chain. */
const CHAIN_PATH = '/chain'

const CHAIN_RATE_LIMIT: RateLimitRule = { allowed: 1200, windowMs: 60_000 }

/** Serves the development chain publicly, like a real node; it contains no secrets. */
export function chainRoutes(edge: Edge, requestNode: AskNode): void {
  edge.app.route({
    method: ['GET', 'POST'],
    url: `${CHAIN_PATH}/*`,
    handler: async (request, reply) => {
      const { network } = edge.visitor(request, reply)
      await enforceRateLimit(edge.rateLimit, `chain ${network}`, CHAIN_RATE_LIMIT)
      const body = request.method === 'POST' ? (request.body ?? null) : undefined
      const { status, answer } = await requestNode(request.url.slice(CHAIN_PATH.length), body)
      return reply
        .code(status)
        .headers({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': 'no-store',
        })
        .send(answer)
    },
  })
}
