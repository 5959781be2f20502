import { createServer, type RequestListener } from 'node:http'
import { Refusal } from '@portico/contracts/errors'
import fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { listen } from '../../../../tests/support/listen.ts'
import { requestsTo } from './send-request.ts'

afterEach(() => vi.useRealTimers())

/** An application, and a server that proxies requests to it. */
async function behind(application: RequestListener) {
  const server = createServer(application)
  const port = await listen(server)
  const send = requestsTo(`http://127.0.0.1:${port}`)
  const app = fastify()
  app.get('*', async (request, reply) => {
    const response = await send(request, reply, {}).catch((error: unknown) => error)
    if (!(response instanceof Refusal)) return reply.send(response)
    return { code: response.code, cause: String(response.cause) }
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    async [Symbol.asyncDispose]() {
      await app.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

test('a request to an application that does not respond for 30 s is aborted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked = Promise.withResolvers<void>()
  await using proxy = await behind(() => asked.resolve())
  const response = fetch(proxy.url)
  await asked.promise
  vi.advanceTimersByTime(30_000)
  expect(await (await response).json()).toEqual({
    code: 'application-not-available',
    cause: 'Error: The application did not answer in time',
  })
})

test('a response that has begun may take longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const rest = Promise.withResolvers<void>()
  await using proxy = await behind((_request, response) => {
    response.write('first')
    void rest.promise.then(() => response.end(', second'))
  })
  const response = await fetch(proxy.url)
  vi.advanceTimersByTime(60_000)
  rest.resolve()
  expect(await response.text()).toBe('first, second')
})
