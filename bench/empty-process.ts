// The baseline of the server figures: the same Fastify options and one empty route.
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'

const app = fastify({
  bodyLimit: 64 * 1024,
  trustProxy: ['127.0.0.1'],
  requestTimeout: 15_000,
  http: { connectionsCheckingInterval: 2000, headersTimeout: 15_000 },
  routerOptions: { maxParamLength: 200 },
  forceCloseConnections: 'idle',
  rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*\/?/i, '/'),
})
app.get('/empty', async () => ({}))
app.post('/empty', async () => ({}))
app.get('/page', (_request, reply) =>
  reply
    .type('text/html; charset=utf-8')
    .send(
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Empty</title><link rel="icon" href="data:,"></head><body><main><h1>An empty page</h1></main></body></html>',
    ),
)
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as AddressInfo).port })
process.on('message', () => process.send?.(process.cpuUsage()))
process.once('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
