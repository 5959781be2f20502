// `node tests/support/save-database.ts NAME`: writes saved-databases/NAME.json, a demonstration database with a signed-in
// browser and what operators made (drafts, publications, a run of an experiment, a service token, a sealed audit log), for `tests/journeys/upgrade.test.ts`. Run it once for each release that adds a migration, named after it.
import { randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { publishBanner } from '@portico/contracts/admin/banners'
import { startExperiment } from '@portico/contracts/admin/experiments'
import { createServiceToken } from '@portico/contracts/admin/operators'
import * as organizations from '@portico/contracts/admin/organizations'
import { lockPerson } from '@portico/contracts/admin/people'
import { login } from '@portico/contracts/identity'
import { redeemTotp } from '@portico/contracts/two-factor'
import { readAccounts, readWalletJwt } from '@portico/contracts/wallet'
import { sealAudit } from '@portico/server/audit-chain'
import { parseConfig } from '@portico/server/config'
import { openLog } from '@portico/server/log'
import { buildServer } from '@portico/server/server'
import { openVault } from '@portico/server/vault'
import { authenticatorCode } from './authenticator.ts'
import { saveBanner } from './banner-draft.ts'
import { openBrowser } from './browser.ts'
import { PEOPLE } from './people.ts'
import { PLAIN_APPLICATIONS, worldEnvironment } from './prepared-world.ts'
import { temporaryFolder } from './temporary-folder.ts'

const OWNER = { email: 'iris.individual@portico.example', password: 'walnut-ferry-46-lagoon' }

/** The tables with their rows, as SQL that both engines understand. */
function statementsOf(file: string): string[] {
  const database = new DatabaseSync(file)
  const schema = database
    .prepare('select type, name, sql from sqlite_master where sql is not null order by rowid')
    .all() as { type: string; name: string; sql: string }[]
  const rows = schema
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) =>
      database
        .prepare(`select * from "${name}"`)
        .all()
        .map((row) => {
          const columns = Object.keys(row).join(', ')
          return `insert into ${name} (${columns}) values (${Object.values(row).map(literal).join(', ')})`
        }),
    )
  database.close()
  return [...schema.map(({ sql }) => sql), ...rows]
}

const literal = (value: unknown): string =>
  value === null
    ? 'null'
    : typeof value === 'string'
      ? `'${value.replaceAll("'", "''")}'`
      : JSON.stringify(value)

const [name] = process.argv.slice(2)
if (name === undefined)
  throw new Error('Name the newest migration: node tests/support/save-database.ts NAME')
using folder = temporaryFolder()
const masterKey = randomBytes(32).toString('base64')
const config = parseConfig({ ...worldEnvironment(folder.path, undefined), MASTER_KEY: masterKey })
const server = await buildServer(config, {
  log: openLog('silent'),
  applications: PLAIN_APPLICATIONS,
})
await server.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.app.server.address() as AddressInfo // A listening TCP server has this type.
const url = `http://localhost:${port}`
const aBrowser = () =>
  openBrowser({
    url: () => url,
    origin: () => url,
    passcode: () => Promise.reject(new Error('This browser signs in by password')),
  })
const browser = aBrowser()
const { jwt } = await browser.signIn(OWNER)
const [owned] = await browser.call(readAccounts, {})
if (owned === undefined) throw new Error(`${OWNER.email} has no account`)
await browser.call(readWalletJwt, { query: { walletAddress: owned.account.address } })
const serviceToken = await operate()
await sealAudit({ stores: server.stores, vault: openVault(config), clock: Date.now })
await server.close()
const saved = {
  at: Date.now(),
  masterKey,
  email: OWNER.email,
  jwt,
  serviceToken,
  cookies: Object.fromEntries(browser.cookies),
  statements: statementsOf(join(folder.path, 'portico.sqlite')),
}
const file = new URL(`saved-databases/${name}.json`, import.meta.url)
writeFileSync(file, `${JSON.stringify(saved, null, 2)}\n`)

/** What operators leave in a database. Returns a service token that may read it. */
async function operate(): Promise<string> {
  const reason = 'Saved for the upgrade test'
  const { email, password, secret } = PEOPLE.admin
  const { call, jwt: operatorJwt } = aBrowser()
  const { twoFactorOptions } = await call(login, { body: { email, password } })
  if (twoFactorOptions === undefined) throw new Error(`${email} has no second factor`)
  const { loginUuid } = twoFactorOptions
  const code = authenticatorCode(secret, Date.now())
  operatorJwt.write((await call(redeemTotp, { body: { loginUuid, code } })).jwt)

  for (const [orgCode, isPublished] of [
    ['HARBORLINE', true],
    ['AMBERFIELD', false],
  ] as const) {
    const { published } = await call(organizations.readOrganization, { query: { orgCode } })
    const content = { ...published.content, brandColor: '#123456' }
    const saved = await call(organizations.saveOrganizationDraft, {
      body: { orgCode, content, revision: 0, baseVersion: 0 },
    })
    if (saved.outcome !== 'saved') throw new Error(`The draft of ${orgCode} was refused`)
    if (!isPublished) continue
    const body = { orgCode, revision: saved.draft.revision, reason }
    const { outcome } = await call(organizations.publishOrganization, { body })
    if (outcome !== 'published') throw new Error(`${orgCode} was not published`)
  }

  for (const message of ['Saved banner', 'Saved draft']) {
    const id = randomUUID()
    const revision = await saveBanner({ call }, id, { message })
    if (message === 'Saved draft') continue
    const publication = { id, revision, showAgain: false, reason }
    const { outcome } = await call(publishBanner, { body: publication })
    if (outcome !== 'published') throw new Error('The banner was not published')
  }

  await call(startExperiment, {
    body: { key: 'broker-agent-login', split: { percent: 50, outcome: 'registration' }, reason },
  })
  const person = await server.stores.identities.findByEmail(PEOPLE.moved.email)
  if (person === undefined) throw new Error(`${PEOPLE.moved.email} is missing`)
  await call(lockPerson, { body: { identityUuid: person.id, reason } })
  const { token } = await call(createServiceToken, {
    body: {
      name: 'saved',
      permissions: ['people.read', 'organizations.read', 'banners.write', 'experiments.read'],
      organizationCodes: ['*'],
      days: 365,
      reason,
    },
  })
  return token
}
