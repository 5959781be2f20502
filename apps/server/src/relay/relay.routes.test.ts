import fastify from 'fastify'
import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../database/database-unavailable.ts'
import { handleErrors } from '../http/error-responses.ts'
import type { Edge } from '../http/serve.ts'
import { relayRoutes } from './relay.routes.ts'

test('protocol 3.5: an error of the server is not reported as an invalid webhook request', async () => {
  const app = fastify()
  handleErrors(app, () => ({ supportPhone: '8005550142', supportEmail: 'help@figure.example' }))
  const edge = {
    app,
    visitor: () => ({ network: '192.0.2.1' }),
    rateLimit: { take: async () => ({ allowed: true, retryAfterS: 0 }) },
  }
  let failure: Error = new DatabaseUnavailable(new Error('no connection'))
  const relay = {
    accept: () => undefined,
    close: async () => undefined,
    addWebhook: () => Promise.reject(failure),
  }
  relayRoutes(
    // Only what the routes use.
    edge as unknown as Edge,
    {
      relay,
      webhooks: { accepts: () => true },
      version: '1',
      isTrusted: () => false,
    } as unknown as Parameters<typeof relayRoutes>[1],
  )
  const subscribe = async (payload: string) => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/service-wallet-connect-bridge/subscribe',
      headers: { 'content-type': 'application/json' },
      payload,
    })
    return statusCode
  }
  const valid = JSON.stringify({ topic: 'x', webhook: 'https://push.example/push' })
  expect(await subscribe(valid)).toBe(503)
  failure = new TypeError('not a function')
  expect(await subscribe(valid)).toBe(500)
  expect(await subscribe('{"topic":')).toBe(400)
  await app.close()
})
