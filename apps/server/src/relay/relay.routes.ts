import { Refusal } from '@portico/contracts/errors'
import { readWalletOffers } from '@portico/contracts/wallet-offers'
import type { FastifyReply } from 'fastify'
import type { IsTrusted } from '../http/network.ts'
import { COSTLY } from '../http/rate-limits.ts'
import { type Edge, enforceRateLimit, serve } from '../http/serve.ts'
import { type RefusedUpgrade, serveUpgrades } from '../http/upgrade.ts'
import type { Relay } from './relay.ts'
import type { Webhooks } from './webhooks.ts'

const ROOT = '/service-wallet-connect-bridge'
const MAX_TOPIC_LENGTH = 128

/**
 * The relay's routes (§7.4; protocol 3.1, 3.5). Pages of any origin may connect: no cookie is read, and knowing a topic
 * is enough to use it.
 */
export function relayRoutes(
  edge: Edge,
  deps: {
    readonly relay: Relay
    readonly webhooks: Webhooks
    readonly version: string
    readonly isTrusted: IsTrusted
    readonly onRefused: (refused: RefusedUpgrade) => void
    readonly isServedElsewhere?: ((path: string) => boolean) | undefined
  },
): void {
  const { app } = edge
  const { relay, webhooks, version, isTrusted, onRefused, isServedElsewhere } = deps

  serveUpgrades(app, {
    path: `${ROOT}/ws/external`,
    isTrusted,
    accept: relay.accept,
    onRefused,
    isServedElsewhere,
  })
  app.get(`${ROOT}/hello`, (_request, reply) =>
    reply.type('text/plain').send(`Hello World, this is WalletConnect v${version}`),
  )
  app.get(`${ROOT}/info`, () => ({
    name: 'portico-relay',
    description: 'Passes messages between pages and wallets',
    version,
  }))
  serve(edge, readWalletOffers, async ({ visitor }) => visitor.organization.wallet)
  app.get(`${ROOT}/health`, (_request, reply) => reply.code(204).send())

  app.post(
    `${ROOT}/subscribe`,
    // Clients of this protocol expect its three messages instead of our error format.
    {
      errorHandler(error, request, reply) {
        const { statusCode = 500 } = error as { statusCode?: number }
        if (error instanceof Refusal || statusCode === 413 || statusCode >= 500) throw error
        request.log.debug({ reqId: request.id }, 'invalid webhook request')
        void invalid(reply, 'request body')
      },
    },
    async (request, reply) => {
      const visitor = edge.visitor(request, reply)
      const { network } = visitor
      await enforceRateLimit(edge.rateLimit, `webhook ${network}`, COSTLY)
      const { body } = request
      if (typeof body !== 'object' || body === null) return invalid(reply, 'request body')
      const { topic, webhook } = body as { topic?: unknown; webhook?: unknown }
      if (typeof topic !== 'string' || topic === '' || topic.length > MAX_TOPIC_LENGTH) {
        return invalid(reply, 'topic field')
      }
      if (typeof webhook !== 'string' || !webhooks.accepts(webhook)) {
        const details = { reason: 'webhook' }
        edge.boundedAudit.noteRefusal('relay-refused', { details }, visitor)
        return invalid(reply, 'webhook field')
      }
      if (!(await relay.addWebhook({ topic, url: webhook, network })))
        throw new Refusal('too-many-requests')
      return { success: true }
    },
  )

  // Clients keep connections open indefinitely, and shutdown would wait for all of them.
  app.addHook('preClose', () => relay.close())
}

function invalid(reply: FastifyReply, field: string): FastifyReply {
  return reply.code(400).send({ message: `Error: missing or invalid ${field}` })
}
