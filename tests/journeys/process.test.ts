import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { freePort } from '../../tools/machine/free-port.ts'
import { listen } from '../support/listen.ts'
import {
  preparedData,
  type ServerProcess,
  StartFailure,
  startServer,
} from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const WAITS = { timeout: 60_000, interval: 20 }

/** The output of a failed start. */
async function failure(start: Promise<ServerProcess>): Promise<StartFailure> {
  const outcome = await start.then(
    (server) => server,
    (error: unknown) => error,
  )
  if (outcome instanceof StartFailure) return outcome
  if (outcome instanceof Error) throw outcome
  await (outcome as ServerProcess).stop()
  throw new Error('The server started')
}

test('an unconfigured start prints the login page’s URL, and a stop ends it cleanly', async () => {
  using data = temporaryFolder()
  const server = await startServer({ dataDir: data.path })
  await vi.waitFor(() => expect(server.output()).toContain('Mailbox'), WAITS)
  expect(server.output()).toMatch(
    /^Portico is ready: http:\/\/localhost:\d+\/auth\/login\n {2}Mailbox and demonstration users: http:\/\/localhost:\d+\/dev\/mailbox\n$/,
  )
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  const page = await fetch(`${server.url}/auth/login`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Log in to Figure')
  expect(await server.stop()).toBe(0)
})

test('production without settings lists all missing ones and does not start', async () => {
  const { exitCode, output } = await failure(
    startServer({ environment: { NODE_ENV: 'production' } }),
  )
  expect(exitCode).toBe(1)
  for (const name of ['PUBLIC_URL', 'DATABASE_URL', 'SMTP_URL', 'MAIL_FROM', 'MASTER_KEY']) {
    expect(output).toContain(`  - ${name} is not set. `)
  }
  expect(output).not.toContain('    at ')
})

test('all errors of the environment are listed together', async () => {
  const { exitCode, output } = await failure(
    startServer({
      environment: {
        PORT: 'many',
        PORTICO_DATABSE: 'x',
        BOT_CHECK: 'turnstile',
        LOG_LEVEL: 'loud',
      },
    }),
  )
  expect(exitCode).toBe(1)
  for (const error of [
    'PORT must be a port number',
    'PORTICO_DATABSE is not a setting; see docs/configuration.md for the list',
    'BOT_CHECK_SITE_KEY is not set, but BOT_CHECK=turnstile requires it',
    'BOT_CHECK_SECRET is not set, but BOT_CHECK=turnstile requires it',
    'LOG_LEVEL must be trace, debug',
  ]) {
    expect(output).toContain(error)
  }
})

test('a taken port is named', async () => {
  const other = createServer()
  const port = await listen(other)
  try {
    const { exitCode, output } = await failure(startServer({ environment: { PORT: `${port}` } }))
    expect(exitCode).toBe(1)
    expect(output).toContain(`PORT ${port} is already in use`)
  } finally {
    other.close()
  }
})

test('with MANAGEMENT_PORT, metrics and probes answer there until the stop, and the public port has no metrics', async () => {
  const managementPort = await freePort()
  const server = await startServer({ environment: { MANAGEMENT_PORT: `${managementPort}` } })
  const statusAt = async (url: string) => (await fetch(url)).status
  const management = `http://127.0.0.1:${managementPort}`
  for (const path of ['/metrics', '/healthz', '/readyz']) {
    expect(await statusAt(`${management}${path}`), path).toBe(200)
  }
  expect(await statusAt(`${management}/auth/login`)).toBe(404)
  expect(await statusAt(`${server.url}/metrics`)).toBe(404)
  expect(await statusAt(`${server.url}/readyz`)).toBe(200)
  const { exitCode, output } = await failure(
    startServer({ environment: { MANAGEMENT_PORT: `${managementPort}` } }),
  )
  expect([exitCode, output]).toEqual([
    1,
    expect.stringContaining(`MANAGEMENT_PORT ${managementPort} is already in use`),
  ])
  expect(await server.stop()).toBe(0)
  await expect(fetch(`${management}/healthz`)).rejects.toThrow('fetch failed')
})

test('a second process on the same data is refused with the reason', async () => {
  await using first = await startServer()
  const { exitCode, output } = await failure(startServer({ dataDir: first.dataDir }))
  expect(exitCode).toBe(1)
  expect(output).toContain('DATA_DIR is in use: another Portico process has')
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
})

test('a data folder with half a key stops the start instead of losing data', async () => {
  using data = temporaryFolder()
  writeFileSync(join(data.path, 'master.key'), '')
  const { exitCode, output } = await failure(startServer({ dataDir: data.path }))
  expect(exitCode).toBe(1)
  expect(output).toContain(`${join(data.path, 'master.key')} does not hold 32 bytes in base64`)
})

test('data encrypted with another master key is refused', async () => {
  using data = temporaryFolder()
  const first = await startServer({ dataDir: data.path })
  const key = readFileSync(join(data.path, 'master.key'), 'utf8')
  expect(await first.stop()).toBe(0)
  const other = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const { output } = await failure(startServer({ dataDir: data.path, environment: other }))
  expect(output).toContain('MASTER_KEY lacks the key')

  // Rotation: the new key first, then the old one.
  const both = { MASTER_KEY: `${other.MASTER_KEY},${key}` }
  await using rotated = await startServer({ dataDir: data.path, environment: both })
  expect((await fetch(`${rotated.url}/readyz`)).status).toBe(200)
})

test('an unreachable database server is an error, not a hang', async () => {
  const { exitCode, output } = await failure(
    startServer({ environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } }),
  )
  expect(exitCode).toBe(1)
  expect(output).toContain('DATABASE_URL cannot be used: ')
  expect(output).toContain('ECONNREFUSED')
  expect(output).not.toContain('    at ')
})

test('a stop finishes an open request and leaves data that opens again', async () => {
  using data = preparedData()
  const environment = { BOT_CHECK: 'off' }
  const body = JSON.stringify({
    email: 'olive.plain@portico.example',
    password: 'quiet-harbour-71-lantern',
  })
  const path = '/identity/api/v2/login'
  const server = await startServer({ dataDir: data.path, environment })

  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
  const closed = once(socket, 'close')
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await vi.waitFor(() => expect(answer).toContain('200 OK'), WAITS)
  answer = ''
  // Half of the request arrives, then the stop signal, then the rest.
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n${body.slice(0, 9)}`,
  )
  await vi.waitFor(() => expect(answer).toContain('100 Continue'), WAITS)
  const stopped = server.stop()
  await vi.waitFor(() => expect(fetch(server.url)).rejects.toThrow('fetch failed'), WAITS)
  socket.write(body.slice(9))
  await closed
  expect(answer).toContain('HTTP/1.1 200 OK')
  expect(await stopped).toBe(0)

  await using again = await startServer({ dataDir: data.path, environment })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${again.url}${path}`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
})
