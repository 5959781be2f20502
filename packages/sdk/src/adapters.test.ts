/** The Fastify and Express adapters with the same application. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as express from './express.ts'
import { CLIENT, fakeProvider } from './fake-provider.ts'
import * as forFastify from './fastify.ts'
import { memoryStore } from './session-store.ts'
import { openSignIn } from './sign-in.ts'

let provider: Awaited<ReturnType<typeof fakeProvider>>
beforeEach(async () => {
  provider = await fakeProvider()
  provider.answers.set('/oidc/introspect', (form) => ({
    active: form.get('token') === 'opaque',
    client_id: CLIENT.clientId,
    token_type: 'Bearer',
    sub: 'user-1',
    exp: Math.floor(Date.now() / 1000) + 600,
  }))
})
afterEach(() => provider[Symbol.asyncDispose]())

const openOwn = () =>
  openSignIn({
    issuer: provider.issuer,
    ...CLIENT,
    appUrl: 'http://localhost:3000',
    cookieSecret: 'a cookie secret of more than 32 characters',
    store: memoryStore(),
    log: () => undefined,
  })

type Send = (path: string, init?: RequestInit) => Promise<Response>

async function openFastify(): Promise<readonly [Send, () => Promise<unknown>]> {
  const signIn = openOwn()
  const app = fastify()
  // The application has its own form parser.
  app.addContentTypeParser('application/x-www-form-urlencoded', (_request, _payload, done) =>
    done(null, 'parsed'),
  )
  void app.register(forFastify.signInRoutes(signIn))
  app.get('/loan', { preHandler: forFastify.requireSession(signIn) }, () => 'loan')
  app.get('/api', { preHandler: forFastify.requireToken(signIn) }, (request) =>
    forFastify.tokenOf(request),
  )
  app.post('/form', (request) => request.body)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return [
    (path, init) => fetch(`${url}${path}`, { redirect: 'manual', ...init }),
    () => app.close(),
  ]
}

/** A chain of handlers, as in Express, after a form parser. */
async function openExpress(): Promise<readonly [Send, () => Promise<unknown>]> {
  const signIn = openOwn()
  const routes = express.signInRoutes(signIn)
  const guards = new Map([
    ['/loan', express.requireSession(signIn)],
    ['/api', express.requireToken(signIn)],
  ])
  async function serve(request: IncomingMessage & { body?: unknown }, response: ServerResponse) {
    const fail = (error: unknown) => void response.writeHead(500).end(String(error))
    if (request.method === 'POST') {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      request.body = Object.fromEntries(new URLSearchParams(text))
    }
    await routes(request, response, (error) => {
      if (error !== undefined) return fail(error)
      const guard = guards.get(request.url ?? '')
      if (guard === undefined) return void response.end('parsed')
      void guard(request, response, (refusal) => {
        if (refusal !== undefined) return fail(refusal)
        response.end(request.url === '/api' ? JSON.stringify(express.tokenOf(request)) : 'loan')
      })
    })
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A listening TCP server has this type.
  return [
    (path, init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init }),
    () => new Promise((resolve) => server.close(resolve)),
  ]
}

test.each([
  ['Fastify', openFastify],
  ['Express', openExpress],
])('%s: routes, guards and errors', async (_name, open) => {
  const [send, close] = await open()
  try {
    const html = { headers: { accept: 'text/html' } }
    expect((await send('/loan', html)).headers.get('location')).toBe('/login?returnTo=%2Floan')
    const refused = await send('/loan')
    expect([refused.status, await refused.json()]).toEqual([401, { code: 'login-required' }])
    expect((await send('//[')).status).toBeLessThan(500)
    const login = await send('/login?returnTo=/loan')
    expect([login.status, login.headers.getSetCookie().length]).toEqual([303, 1])
    expect((await send('/logout', { method: 'POST' })).status).toBe(403)
    expect(await (await send('/session')).json()).toEqual({ user: null })

    const logout = async (token: string) => {
      const body = new URLSearchParams({ logout_token: token })
      return (await send('/back-channel-logout', { method: 'POST', body })).status
    }
    expect(await logout(await provider.logoutToken())).toBe(200)
    expect(await logout('forged')).toBe(400)
    expect(
      await (await send('/form', { method: 'POST', body: new URLSearchParams() })).text(),
    ).toBe('parsed')

    const api = (authorization: string) => send('/api', { headers: { authorization } })
    expect(await (await api('Bearer opaque')).json()).toMatchObject({ sub: 'user-1' })
    for (const invalid of ['Bearer other', 'Bearer', 'Basic b3BhcXVl', 'Bearer opaque opaque']) {
      expect((await api(invalid)).status).toBe(401)
    }
    provider.answers.delete('/oidc/introspect')
    expect((await api('Bearer opaque')).status).toBe(503)
  } finally {
    await close()
  }
})
