import { type Edge, enforceRateLimit, type RateLimitRule } from '../http/serve.ts'
import type { AskNode } from './chain.ts'

/** Where the development chain is. */
const CHAIN_PATH = '/chain'

const CHAIN_PACE: RateLimitRule = { allowed: 1200, windowMs: 60_000 }

/** Serves the development chain to whoever asks, as nodes do; it holds nothing that is anybody's secret. */
export function chainRoutes(edge: Edge, ask: AskNode): void {
  edge.app.route({
    method: ['GET', 'POST'],
    url: `${CHAIN_PATH}/*`,
    handler: async (request, reply) => {
      const { network } = edge.visitor(request, reply)
      await enforceRateLimit(edge.rateLimit, `chain ${network}`, CHAIN_PACE)
      const body = request.method === 'POST' ? (request.body ?? null) : undefined
      const { status, answer } = await ask(request.url.slice(CHAIN_PATH.length), body)
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
