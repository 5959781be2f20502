/** The keys of the OpenID provider: their rotation, and that of the master key that wraps them. */
import { createPublicKey, type JsonWebKey, randomBytes, verify } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { SIGNING_KEY_LIFETIME_MS, SIGNING_KEY_PUBLISHED_MS } from '@portico/contracts/limits'
import { parseConfig } from '@portico/server/config'
import { openLog } from '@portico/server/log'
import { rotateMasterKey } from '@portico/server/rotate-master-key'
import { buildServer } from '@portico/server/server'
import { expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { follow, lenderApplication } from '../support/lender-application.ts'
import { PEOPLE } from '../support/people.ts'
import { PLAIN_APPLICATIONS, worldEnvironment } from '../support/prepared-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES, testDatabase } from '../support/test-database.ts'
import { aWorld } from '../support/world.ts'

const HOUR_MS = 60 * 60 * 1000
const aKey = () => randomBytes(32).toString('base64')

interface Jwk extends JsonWebKey {
  readonly kid: string
}

const jwksAt = async (url: string) =>
  ((await (await fetch(`${url}/oidc/jwks`)).json()) as { keys: Jwk[] }).keys

const kidsAt = async (url: string) => (await jwksAt(url)).map(({ kid }) => kid).sort()

const headerOf = (token = '') =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }

/** Whether the published keys verify a token. */
async function isVerifiedAt(url: string, token = ''): Promise<boolean> {
  const [header, payload, signature = ''] = token.split('.')
  const jwk = (await jwksAt(url)).find(({ kid }) => kid === headerOf(token).kid)
  if (jwk === undefined) return false
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
}

/** An installation that restarts at the same address, later and with other master keys. */
async function anInstallation() {
  const folder = temporaryFolder()
  const database = await testDatabase()
  const config = (keys: readonly string[]) =>
    parseConfig({ ...worldEnvironment(folder.path, database), MASTER_KEY: keys.join(',') })
  const time = { now: Date.now() }
  let port = 0
  return {
    config,
    pass: (ms: number) => (time.now += ms),
    async start(keys: readonly string[]) {
      const server = await buildServer(config(keys), {
        log: openLog('silent'),
        applications: PLAIN_APPLICATIONS,
        clock: () => ++time.now,
      })
      const url = await server.app.listen({ port, host: '127.0.0.1' })
      ;({ port } = server.app.server.address() as AddressInfo) // A listening TCP server has this type.
      return { url, application: await lenderApplication({ url, origin: url }), stop: server.close }
    },
    browser: () =>
      openBrowser({
        url: () => `http://127.0.0.1:${port}`,
        origin: () => `http://127.0.0.1:${port}`,
        passcode: () => Promise.reject(new Error('This browser signs in by password')),
      }),
    async [Symbol.asyncDispose]() {
      await database?.drop()
      folder.remove()
    },
  }
}

test('a key is published an hour before it signs, and the one before it until its tokens have ended', async () => {
  await using installation = await anInstallation()
  const keys = [aKey()]
  const first = await installation.start(keys)
  const [firstKid] = await kidsAt(first.url)
  await first.stop()

  installation.pass(SIGNING_KEY_LIFETIME_MS)
  const second = await installation.start(keys)
  const { url, application } = second
  const published = await kidsAt(url)
  expect(published).toHaveLength(2)
  const nextKid = published.find((kid) => kid !== firstKid)
  const browser = installation.browser()
  await browser.signIn(PEOPLE.plain)
  const last = (await application.signIn(browser)).id_token
  expect(headerOf(last).kid).toBe(firstKid)

  installation.pass(SIGNING_KEY_PUBLISHED_MS)
  const other = installation.browser()
  await other.signIn(PEOPLE.plain)
  const next = (await application.signIn(other)).id_token
  expect(headerOf(next).kid).toBe(nextKid)
  // Applications and this server accept tokens of both.
  expect([await isVerifiedAt(url, last), await isVerifiedAt(url, next)]).toEqual([true, true])
  const { url: question } = await application.begin({ id_token_hint: last ?? '', prompt: 'none' })
  expect(await follow(other, question)).toContain('code=')
  await second.stop()

  installation.pass(12 * HOUR_MS)
  const third = await installation.start(keys)
  expect(await kidsAt(third.url)).toEqual(published)
  await third.stop()
  installation.pass(SIGNING_KEY_PUBLISHED_MS)
  const fourth = await installation.start(keys)
  expect(await kidsAt(fourth.url)).toEqual([nextKid])
  expect(await isVerifiedAt(fourth.url, last)).toBe(false)
  await fourth.stop()
})

test.runIf(ON_POSTGRES)(
  'nodes that find a key due at the same moment agree on its successor',
  { tags: 'database' },
  async () => {
    await using world = await aWorld()
    const before = await kidsAt(world.url)
    world.clock.pass(SIGNING_KEY_LIFETIME_MS)
    const servers = await Promise.all(
      Array.from({ length: 4 }, () => buildServer(world.config, world.parts)),
    )
    try {
      const urls = await Promise.all(
        servers.map(({ app }) => app.listen({ port: 0, host: '127.0.0.1' })),
      )
      const [agreed, ...others] = await Promise.all(urls.map(kidsAt))
      expect(agreed).toHaveLength(before.length + 1)
      for (const kids of others) expect(kids).toEqual(agreed)
    } finally {
      await Promise.all(servers.map((server) => server.close()))
    }
  },
)

test('keys, grants and logins in progress outlast a rotation of the master key', async () => {
  await using installation = await anInstallation()
  const [old, fresh] = [aKey(), aKey()]
  const first = await installation.start([old])
  const [browser, late] = [installation.browser(), installation.browser()]
  await browser.signIn(PEOPLE.plain)
  const tokens = await first.application.signIn(browser)
  const begun = await first.application.begin()
  const page = new URL(await follow(late, begun.url))
  const kids = await kidsAt(first.url)
  await first.stop()

  expect(await rotateMasterKey(installation.config([fresh, old]))).toBeGreaterThan(0)
  const second = await installation.start([fresh, old])
  expect(await kidsAt(second.url)).toEqual(kids)
  expect(await isVerifiedAt(second.url, tokens.id_token)).toBe(true)
  const refreshed = await second.application.refresh(tokens.refresh_token ?? '')
  await late.signIn(PEOPLE.individual)
  const to = page.searchParams.get('redirectUrl') ?? ''
  const callback = await follow(late, `${second.url}${to}`)
  const completed = await second.application.exchange(begun, callback)
  expect(completed.claims()).toMatchObject({ email: PEOPLE.individual.email })
  await second.stop()

  const third = await installation.start([fresh])
  expect(await kidsAt(third.url)).toEqual(kids)
  const again = await third.application.refresh(refreshed.refresh_token ?? '')
  expect(await third.application.introspect(again.access_token)).toMatchObject({ active: true })
  await third.stop()
})
