import { readFileSync } from 'node:fs'
import { readIdentity } from '@portico/contracts/identity'
import { readAccountAccess } from '@portico/contracts/wallet'
import type { Config } from '@portico/server/config'
import { openDatabase } from '@portico/server/database'
import type { MailTransport } from '@portico/server/mail-transport'
import { buildServer } from '@portico/server/server'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { aWorld, PEOPLE } from '../support/world.ts'

const MINUTE_MS = 60 * 1000
const silentPost: MailTransport = { send: async () => undefined, close: () => undefined }

/** Data written by an earlier version: its rows, and the state of a newly signed-in browser. */
interface EarlierState {
  readonly at: number
  readonly masterKey: string
  /** Its newest migration. */
  readonly until: string
  readonly email: string
  readonly jwt: string
  readonly cookies: Readonly<Record<string, string>>
  readonly rows: Readonly<Record<string, readonly Record<string, unknown>[]>>
}

// The file was written by that version's own code.
const EARLIER = JSON.parse(
  readFileSync(new URL('../support/earlier-state.json', import.meta.url), 'utf8'),
) as EarlierState

/** Restores the database of that version. */
async function asItWas(config: Config): Promise<void> {
  const database = await openDatabase(config, { until: EARLIER.until })
  try {
    for (const [table, rows] of Object.entries(EARLIER.rows)) {
      // The types describe the current tables, which may differ.
      await database.deleteFrom(table as never).execute()
      await database
        .insertInto(table as never)
        .values(rows)
        .execute()
    }
  } finally {
    await database.destroy()
  }
}

const upgraded = (settings: Readonly<Record<string, string>> = {}) =>
  aWorld()
    .withSettings({ MASTER_KEY: EARLIER.masterKey, ...settings })
    .after(EARLIER.at + MINUTE_MS, asItWas)

function ownerOf(browser: Browser): Browser {
  browser.jwt.keep(EARLIER.jwt)
  for (const [name, value] of Object.entries(EARLIER.cookies)) browser.cookies.set(name, value)
  return browser
}

test('10 F1 a session survives an upgrade, is renewed and still acts as its account', async () => {
  await using world = await upgraded()
  const browser = ownerOf(world.browser())
  const { identity } = await browser.call(readIdentity, {})
  expect(identity.aliases.map(({ value }) => value)).toContain(EARLIER.email)
  const { account } = await browser.call(readAccountAccess, { query: {} })

  world.clock.pass(15 * MINUTE_MS)
  await browser.call(readIdentity, {})
  expect(browser.jwt.read()).not.toBe(`Bearer ${EARLIER.jwt}`)
  expect((await browser.call(readAccountAccess, { query: {} })).account).toEqual(account)
  await world.browser().signIn(PEOPLE.individual)
})

test('10 F1 a session survives a change of the installation’s URL, and so of its token issuer', async () => {
  await using world = await upgraded({ PUBLIC_URL: 'http://login.lender.example' })
  const browser = ownerOf(world.browser())
  await browser.call(readIdentity, {})
  const [, claims = ''] = EARLIER.jwt.split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).iss).toBe('localhost')
})

test('10 C4 a demonstration never becomes a production or the reverse, and the error says so', async () => {
  await using demonstration = await aWorld()
  await demonstration.server.close()
  const asProduction = { ...demonstration.config, production: true }
  await expect(buildServer(asProduction, demonstration.parts)).rejects.toThrow(
    'The database in DATABASE_URL belongs to a demonstration',
  )
  await (await buildServer(demonstration.config, demonstration.parts)).close()

  await using production = await aWorld().inProduction(silentPost)
  await production.server.close()
  const asDemonstration = { ...production.config, production: false }
  await expect(buildServer(asDemonstration, production.parts)).rejects.toThrow(
    'NODE_ENV is not production, but the database belongs to production',
  )
  expect(await production.query('select id from identities')).toEqual([])
})

test('10 C4 a demonstration from before the mark is recognized by its people', async () => {
  await using world = await aWorld()
    .after(EARLIER.at, asItWas)
    .withSettings({ MASTER_KEY: EARLIER.masterKey })
  await world.server.close()
  const database = await openDatabase(world.config)
  await database.deleteFrom('installation').execute()
  await database.destroy()
  await expect(buildServer({ ...world.config, production: true }, world.parts)).rejects.toThrow(
    'belongs to a demonstration',
  )
})
