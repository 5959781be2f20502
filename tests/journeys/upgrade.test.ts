/** @module-tag database */
import { readdirSync, readFileSync } from 'node:fs'
import { listBanners } from '@portico/contracts/admin/banners'
import { listExperiments } from '@portico/contracts/admin/experiments'
import * as organizations from '@portico/contracts/admin/organizations'
import { findPeople } from '@portico/contracts/admin/people'
import { readIdentity } from '@portico/contracts/identity'
import { readAccountAccess } from '@portico/contracts/wallet'
import { sealAudit, verifyAudit } from '@portico/server/audit-chain'
import { openDatabase } from '@portico/server/database'
import type { MailTransport } from '@portico/server/mail-transport'
import { buildServer } from '@portico/server/server'
import { openVault } from '@portico/server/vault'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { restoreDatabase } from '../support/test-database.ts'
import { aWorld } from '../support/world.ts'

const MINUTE_MS = 60 * 1000
const noMail: MailTransport = { send: async () => undefined, close: () => undefined }

/**
 * A demonstration database with a signed-in browser, as `tests/support/save-database.ts` saved it. Saved files are never
 * changed: they prove that every later version opens them with their sessions alive. A release with a new migration adds
 * a file of its own.
 */
interface SavedDatabase {
  readonly at: number
  readonly masterKey: string
  readonly email: string
  readonly jwt: string
  /** A service token of an administrator; since 0021. */
  readonly serviceToken?: string
  readonly cookies: Readonly<Record<string, string>>
  /** The tables and rows, in SQL for both engines. */
  readonly statements: readonly string[]
}

const FOLDER = new URL('../support/saved-databases/', import.meta.url)
const NAMES = readdirSync(FOLDER).sort()
// The oldest one runs every migration, and the newest one only the last.
const UPGRADED = process.env.PORTICO_EXHAUSTIVE === undefined ? [NAMES.at(0), NAMES.at(-1)] : NAMES
const SAVED = UPGRADED.filter((name) => name !== undefined).map(
  (name) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as SavedDatabase,
)

const upgraded = (saved: SavedDatabase, settings: Readonly<Record<string, string>> = {}) =>
  aWorld()
    .withSettings({ MASTER_KEY: saved.masterKey, ...settings })
    .after(saved.at + MINUTE_MS, (config) => restoreDatabase(config, saved.statements))

/** The browser that was signed in when the database was saved. */
function signedIn(browser: Browser, saved: SavedDatabase): Browser {
  browser.jwt.write(saved.jwt)
  for (const [name, value] of Object.entries(saved.cookies)) browser.cookies.set(name, value)
  return browser
}

test('10 F1 a session survives an upgrade, is renewed and still acts as its account', async () => {
  expect(SAVED).not.toEqual([])
  for (const saved of SAVED) {
    await using world = await upgraded(saved)
    const browser = signedIn(world.browser(), saved)
    const { identity } = await browser.call(readIdentity, {})
    expect(identity.aliases.map(({ value }) => value)).toContain(saved.email)
    const { account } = await browser.call(readAccountAccess, { query: {} })

    world.clock.pass(15 * MINUTE_MS)
    await browser.call(readIdentity, {})
    expect(browser.jwt.read()).not.toBe(`Bearer ${saved.jwt}`)
    expect((await browser.call(readAccountAccess, { query: {} })).account).toEqual(account)
    await world.browser().signIn(PEOPLE.individual)
  }
})

test('3 after an upgrade, addresses of registered people are verified, and those of managed and imported accounts are not', async () => {
  const saved = SAVED.at(-1)
  if (saved === undefined) throw new Error('No database was saved')
  const [managed, imported] = [PEOPLE.broker, PEOPLE.several]
  const idOf = ({ email }: { email: string }) =>
    `(select id from identities where email = '${email}')`
  const statements = [
    ...saved.statements,
    `insert into provider_subjects (provider_id, subject, identity_id, managed_at, created_at)
      select min(id), 'person', ${idOf(managed)}, ${saved.at}, ${saved.at} from identity_providers`,
    `insert into audit_events (id, created_at, kind, identity_id, organization_code, network, details)
      values ('event', ${saved.at}, 'imported', ${idOf(imported)}, 'FIGURE', 'operator', '{}')`,
  ]
  await using world = await upgraded({ ...saved, statements })
  const { identities } = world.server.stores
  for (const { email } of [managed, imported]) {
    expect(await identities.findByEmail(email)).toMatchObject({ emailVerifiedAt: null })
  }
  const registered = await identities.findByEmail(PEOPLE.plain.email)
  expect(registered?.emailVerifiedAt).toBe(registered?.createdAt)
})

test('10 F1 an upgrade derives the creators of organizations, the sizes of directories and the addresses of attempts from the rows that exist', async () => {
  const saved = SAVED.at(-1)
  if (saved === undefined) throw new Error('No database was saved')
  const statements = [
    ...saved.statements,
    `insert into directory_users (id, provider_id, user_name, user_name_key, created_at, updated_at)
      select 'first', min(id), 'First', 'first', 1, 1 from identity_providers`,
    `insert into directory_users (id, provider_id, user_name, user_name_key, created_at, updated_at)
      select 'second', min(id), 'Second', 'second', 1, 1 from identity_providers`,
    "insert into accounts (address, name, created_at) values ('tp1added', 'Joined by others only', 1)",
    `insert into authorizations (wallet_address, account_address, type, created_at, added_at)
      select min(address), 'tp1added', 'Group', 1, 1 from wallet_owners`,
    `insert into attempts (key, window_started_at, count, locked_until, refused)
      values ('network 2001:db8::/64 address known', 1, 1, 0, 0)`,
  ]
  await using world = await upgraded({ ...saved, statements })
  const creators = await world.query(
    `select accounts.name, identities.email from accounts
      left join identities on identities.id = accounts.creator_id
      where accounts.name in ('Larch Partners', 'Birch Holdings', 'Joined by others only') order by accounts.name`,
  )
  expect(creators).toEqual([
    { name: 'Birch Holdings', email: null },
    { name: 'Joined by others only', email: null },
    { name: 'Larch Partners', email: expect.stringContaining('@') },
  ])
  const sizes = await world.query(
    'select directory_user_count as count from identity_providers order by id',
  )
  expect(sizes.map(({ count }) => Number(count))).toEqual([2, ...sizes.slice(1).map(() => 0)])
  const names = await world.query(
    "select address_name from attempts where key like 'network 2001%'",
  )
  expect(names).toEqual([{ address_name: 'address known' }])
})

test('15 edits, publications, experiments, locks and tokens of operators, and the sealed audit log, survive an upgrade', async () => {
  const withOperators = SAVED.filter(({ serviceToken }) => serviceToken !== undefined)
  expect(withOperators).not.toEqual([])
  for (const saved of withOperators) {
    await using world = await upgraded(saved)
    const program = world.browser()
    program.jwt.write(saved.serviceToken ?? '')
    const read = async (orgCode: string) =>
      program.call(organizations.readOrganization, { query: { orgCode } })
    const edited = { brandColor: '#123456' }
    expect(await read('HARBORLINE')).toMatchObject({
      published: { version: 1, content: edited },
      effective: edited,
      draft: null,
      problems: [],
    })
    expect(await read('AMBERFIELD')).toMatchObject({
      published: { version: 0 },
      draft: { content: edited },
    })
    const { items: found } = await program.call(listBanners, {})
    expect(found).toContainEqual(
      expect.objectContaining({
        published: expect.objectContaining({ message: 'Saved banner' }),
        isShown: true,
      }),
    )
    expect(found.map(({ draft }) => draft?.content['message'])).toContain('Saved draft')
    const { items: experiments } = await program.call(listExperiments, {})
    const { runs } = experiments.find(({ key }) => key === 'broker-agent-login') ?? {}
    expect(runs).toMatchObject([{ state: 'running', split: { percent: 50 } }])
    const query = { search: PEOPLE.moved.email }
    const { items: people } = await program.call(findPeople, { query })
    expect(people).toMatchObject([{ lockedAt: expect.any(Number) }])

    const { stores } = world.server
    const vault = openVault(world.config)
    await sealAudit({ stores, vault, clock: world.clock.now })
    const report = await verifyAudit({ stores, vault })
    expect(report).toMatchObject({ errors: [], hasUnsealed: false })
    expect(report.entries).toBeGreaterThan(5)
  }
})

test('10 F1 a session survives a change of the installation’s URL, and so of its token issuer', async () => {
  for (const saved of SAVED) {
    await using world = await upgraded(saved, { PUBLIC_URL: 'http://login.lender.example' })
    await signedIn(world.browser(), saved).call(readIdentity, {})
    const [, claims = ''] = saved.jwt.split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).iss).toBe('localhost')
  }
})

test('10 C4 a demonstration never becomes a production or the reverse, and the error says so', async () => {
  await using demonstration = await aWorld()
  await demonstration.server.close()
  const asProduction = { ...demonstration.config, production: true }
  await expect(buildServer(asProduction, demonstration.parts)).rejects.toThrow(
    'The database in DATABASE_URL belongs to a demonstration',
  )
  await (await buildServer(demonstration.config, demonstration.parts)).close()

  await using production = await aWorld().inProduction(noMail)
  await production.server.close()
  const asDemonstration = { ...production.config, production: false }
  await expect(buildServer(asDemonstration, production.parts)).rejects.toThrow(
    'NODE_ENV is not production, but the database belongs to production',
  )
  expect(await production.query('select id from identities')).toEqual([])
})

test('10 C4 an unmarked demonstration is recognized by its people', async () => {
  await using world = await aWorld()
  await world.server.close()
  const database = await openDatabase(world.config)
  await database.deleteFrom('installation').execute()
  await database.destroy()
  await expect(buildServer({ ...world.config, production: true }, world.parts)).rejects.toThrow(
    'belongs to a demonstration',
  )
})
