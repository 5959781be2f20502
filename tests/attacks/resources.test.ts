/**
 * Input that is too large, too deep, too slow or too much is answered or cut off, while another person signs in.
 * The server runs in its own process, so that its time and memory are separate. The limits are the server's;
 * the tests only wait for them.
 */
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { rawRequest } from '../support/raw-request.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { testDatabase } from '../support/test-database.ts'
import { plainClient } from './support/plain-client.ts'
import { type Abuse, sockets, trickle } from './support/sockets.ts'

const LOGIN = '/identity/api/v2/login'
const OWNER = { email: 'olive.plain@portico.example', password: 'quiet-harbour-71-lantern' }
const MEGABYTE = 1024 * 1024
const IDLE = 5000

let server: ServerProcess
let database: Awaited<ReturnType<typeof testDatabase>>

beforeAll(async () => {
  database = await testDatabase()
  server = await startServer({
    environment: {
      BOT_CHECK: 'off',
      ...(database === undefined ? {} : { DATABASE_URL: database.url }),
    },
  })
})

afterAll(async () => {
  await server.stop()
  await database?.drop()
})

/** Signs in from a new browser and reads a page. */
async function othersSignIn(): Promise<void> {
  const browser = openBrowser({
    url: () => server.url,
    origin: () => server.url,
    passcode: () => Promise.reject(new Error('This browser signs in by password')),
  })
  expect(await browser.signIn(OWNER)).toEqual({ jwt: expect.any(String) })
  expect((await browser.fetch('/dashboard')).status).toBe(200)
}

const post = (headers: readonly string[], body = '') =>
  [`POST ${LOGIN} HTTP/1.1`, 'Host: x', ...headers, '', body].join('\r\n')
const JSON_TYPE = 'Content-Type: application/json'

test('resources: a 1 MB password is refused before it is read, with a length and without', async () => {
  using client = plainClient(server.url)
  const { status, text } = await client.send('POST', LOGIN, {
    email: OWNER.email,
    password: 'x'.repeat(MEGABYTE),
  })
  expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([413, 'request-too-large'])

  // Without a Content-Length the server stops reading at the limit.
  using open = sockets()
  const chunked = open.open(server.url)
  chunked.socket.write(post([JSON_TYPE, 'Transfer-Encoding: chunked']))
  for (let each = 0; each < 64; each += 1) {
    chunked.socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`)
  }
  await chunked.ended
  expect(chunked.answer()).toMatch(/^HTTP\/1\.1 413 /)

  const long = await client.send('POST', LOGIN, { email: OWNER.email, password: 'x'.repeat(257) })
  expect(long.status).toBe(400)
  await othersSignIn()
})

test('resources: an email address of 10,000 characters is refused everywhere', async () => {
  using client = plainClient(server.url)
  const addresses = [
    `${'a'.repeat(10_000)}@people.example`,
    `a@${'a.'.repeat(5000)}example`,
    `${'a.'.repeat(5000)}a@people.example`,
    '@'.repeat(10_000),
    `a@${'-'.repeat(10_000)}`,
    '\uFDFA'.repeat(3000),
  ]
  for (const email of addresses) {
    for (const [method, path, body] of [
      ['POST', LOGIN, { email, password: 'x' }],
      ['POST', '/identity/api/v1/token/send', { email }],
      ['POST', '/identity/api/v1/registration/register', { email }],
    ] as const) {
      const { status, text } = await client.send(method, path, body)
      expect(status, path).toBe(400)
      expect(text.length, path).toBeLessThan(1000)
    }
    const query = new URLSearchParams({ email: email.slice(0, 1500) })
    expect((await client.send('GET', `/auth/register?${query}`)).status).toBe(200)
  }
  await othersSignIn()
})

test('resources: deep and wide JSON up to the maximum body size is refused', async () => {
  using open = sockets()
  const bodies = [
    '['.repeat(65_000),
    `${'['.repeat(32_000)}${']'.repeat(32_000)}`,
    '{"email":'.repeat(7000),
    `{"email":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
    `{${Array.from({ length: 6000 }, (_, each) => `"k${each}":1`).join()}}`,
    `[${'1,'.repeat(32_000)}1]`,
    `"${'\\u0041'.repeat(10_000)}"`,
    `{"email":"${'\\'.repeat(60_000)}"}`,
    '1'.repeat(65_000),
  ]
  for (const body of bodies) {
    const { socket, answer, ended } = open.open(server.url)
    socket.write(post([JSON_TYPE, `Content-Length: ${body.length}`, 'Connection: close'], body))
    await ended
    expect(answer(), body.slice(0, 20)).toMatch(/^HTTP\/1\.1 400 /)
  }
  await othersSignIn()
})

test('resources: huge, countless and malformed headers are refused, and the connection ends', async () => {
  const malformed: Record<string, string> = {
    'one huge header': `X-Huge: ${'x'.repeat(100_000)}`,
    'a huge name': `${'x'.repeat(100_000)}: 1`,
    'ten thousand headers': Array.from({ length: 10_000 }, (_, each) => `X-${each}: 1`).join(
      '\r\n',
    ),
    'huge cookies': `Cookie: ${'a=b; '.repeat(10_000)}`,
    'a huge token': `Authorization: Bearer ${'a'.repeat(50_000)}`,
  }
  for (const [what, headers] of Object.entries(malformed)) {
    const request = `GET /auth/login HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`
    expect(await rawRequest(server.url, request), what).toMatch(/^HTTP\/1\.1 413 /)
  }
  const path = `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`
  expect(await rawRequest(server.url, path)).toMatch(/^HTTP\/1\.1 413 /)
  for (const broken of ['X Y: 1', ': 1', 'X: \u0000', 'X\u0000: 1', 'X : 1', ' X: 1']) {
    const request = `GET /auth/login HTTP/1.1\r\nHost: x\r\n${broken}\r\n\r\n`
    expect(await rawRequest(server.url, request), JSON.stringify(broken)).toMatch(
      /^HTTP\/1\.1 4\d\d /,
    )
  }
  // As many cookies as fit; they are searched on each request.
  using client = plainClient(server.url)
  const many = await client.send('GET', '/dashboard', undefined, {
    cookie: 'portico-session=x; '.repeat(700),
  })
  expect(many.status).toBe(302)
  await othersSignIn()
})

test('resources: thousands of pipelined requests followed by garbage delay no one', async () => {
  using open = sockets()
  const times = 3000
  const flood = open.open(server.url)
  flood.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(times - 1))
  flood.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const garbage = Array.from({ length: 50 }, () => open.open(server.url))
  for (const { socket } of garbage) socket.write('\u0016\u0003\u0001garbage'.repeat(2000))
  await othersSignIn()
  await Promise.all([flood, ...garbage].map(({ ended }) => ended))
  expect(flood.answer().match(/HTTP\/1\.1 200 /g)).toHaveLength(times)
  for (const { answer } of garbage) expect(answer()).toMatch(/^HTTP\/1\.1 400 /)
})

test('resources: a smuggled request is not processed', async () => {
  const hidden = 'GET /dev/people HTTP/1.1\r\nHost: x\r\n\r\n'
  const smuggling = [
    post([JSON_TYPE, 'Content-Length: 2', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`),
    post([JSON_TYPE, 'Transfer-Encoding: chunked', 'Content-Length: 2'], `0\r\n\r\n${hidden}`),
    post([JSON_TYPE, 'Transfer-Encoding: chunked, identity'], `0\r\n\r\n${hidden}`),
    post([JSON_TYPE, 'Transfer-Encoding: xchunked'], `0\r\n\r\n${hidden}`),
    post([JSON_TYPE, 'Transfer-Encoding : chunked'], `0\r\n\r\n${hidden}`),
    post([JSON_TYPE, 'Content-Length: 2', 'Content-Length: 50'], `{}${hidden}`),
    post([JSON_TYPE, 'Content-Length: +2'], `{}${hidden}`),
    post([JSON_TYPE, 'Content-Length: 0x2'], `{}${hidden}`),
    post([JSON_TYPE, 'Content-Length: 2, 2'], `{}${hidden}`),
    post([JSON_TYPE, 'Transfer-Encoding: chunked'], `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
    post([JSON_TYPE, 'Transfer-Encoding: chunked'], `-1\r\n{}\r\n0\r\n\r\n${hidden}`),
  ]
  for (const request of smuggling) {
    const answer = await rawRequest(server.url, request)
    expect(answer.match(/^HTTP\/1\.1 \d{3}/gm), request.slice(0, 200)).toHaveLength(1)
    expect(answer, request.slice(0, 200)).toMatch(/^HTTP\/1\.1 4\d\d /)
  }
})

describe.concurrent('slow clients', () => {
  test('resources: slow headers are cut off while others sign in', async () => {
    using open = sockets()
    const slow = Array.from({ length: 100 }, () => open.open(server.url))
    for (const { socket } of slow) {
      socket.write('GET /auth/login HTTP/1.1\r\nHost: x\r\n')
      trickle(socket, 'X-a: b\r\n', 300)
    }
    await othersSignIn()
    await Promise.all(slow.map(({ ended }) => ended))
    for (const { answer } of slow) expect(answer()).toMatch(/^HTTP\/1\.1 408 |^$/)
    await othersSignIn()
  })

  test('resources: slow bodies are cut off, while others sign in', async () => {
    using open = sockets()
    const slow = Array.from({ length: 100 }, () => open.open(server.url))
    for (const [each, { socket }] of slow.entries()) {
      const length = each % 2 === 0 ? 'Content-Length: 5000' : 'Transfer-Encoding: chunked'
      socket.write(post([JSON_TYPE, length]))
      trickle(socket, each % 2 === 0 ? '{"email":"a' : '1\r\nx\r\n', 300)
    }
    await othersSignIn()
    await Promise.all(slow.map(({ ended }) => ended))
    for (const { answer } of slow) expect(answer()).toMatch(/^HTTP\/1\.1 408 |^$/)
    await othersSignIn()
  })

  test('resources: 5,000 idle connections are closed, while others sign in', {
    tags: 'exhaustive',
  }, async () => {
    using open = sockets()
    const idle: Abuse[] = []
    // As many at a time as the listen backlog holds.
    while (idle.length < IDLE) {
      const more = Array.from({ length: 100 }, () => open.open(server.url))
      await Promise.all(more.map(({ socket }) => once(socket, 'connect')))
      idle.push(...more)
      if (idle.length % 1000 === 0) await othersSignIn()
    }
    // Some never send anything, some have sent one request.
    for (const { socket } of idle.slice(0, 500))
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n')
    for (let each = 0; each < 3; each += 1) await othersSignIn()
    await Promise.all(idle.map(({ ended }) => ended))
    await othersSignIn()
  })

  test('resources: clients that request a lot and never read it are cut off, while others sign in', {
    tags: 'exhaustive',
  }, async () => {
    using open = sockets()
    const dist = fileURLToPath(new URL('../../apps/auth/dist/client/', import.meta.url))
    const sizeOf = (file: string) => statSync(join(dist, file)).size
    const [file = ''] = globSync('**/*.js', { cwd: dist }).sort((a, b) => sizeOf(b) - sizeOf(a))
    const unread = Array.from({ length: 50 }, () => open.open(server.url, { reading: false }))
    for (const { socket } of unread) {
      socket.write(`GET /auth/static/${file} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(300))
    }
    await othersSignIn()
    await Promise.all(
      unread.map(({ socket, ended }) => {
        // A client that does not read notices the end only when it writes.
        trickle(socket, '\r\n', 1000)
        return ended
      }),
    )
    await othersSignIn()
  })
})
