import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { httpServer } from './http-server.ts'

const lines: string[] = []
let app: ReturnType<typeof httpServer>

beforeEach(async () => {
  lines.length = 0
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  app = httpServer({ log, isTrusted: undefined, publicUrl: undefined })
  await app.listen({ port: 0, host: '127.0.0.1' })
  lines.length = 0
})
afterEach(() => app.close())

/** Sends a request in parts, as they arrive over a network. */
async function sent(...parts: readonly string[]): Promise<string> {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => (answer += text))
  // A server that has answered may reset the connection.
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  for (const part of parts) {
    socket.write(part)
    await delay(50)
  }
  await closed
  return answer
}

const FLOW = 'GET /auth/gatekeeper?intent=kyc&redirectUrl=/&description='
const REST = ' HTTP/1.1\r\nhost: localhost\r\n\r\n'

test.each([
  ['at once', [`${FLOW}${'a'.repeat(100_000)}${REST}`]],
  ['in parts', [`${FLOW}${'a'.repeat(14_000)}`, 'a'.repeat(14_000), 'a'.repeat(72_000), REST]],
])(
  '4.10 a flow request of 100 kB that arrives %s is a logged violation, with a page that says what to do',
  async (_, parts) => {
    const answer = await sent(...parts)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('<h1>This link does not work</h1>')
    expect(answer).toContain('href="/dashboard"')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 40, reason: 'request-too-large' },
    ])
    expect(lines[0]).not.toContain('intent')
  },
)

test('8 a call with headers that are too large gets the error response, and nothing is logged', async () => {
  const answer = await sent(
    `POST /identity/api/v2/login HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain('"code":"request-too-large"')
  expect(lines).toEqual([])
})
