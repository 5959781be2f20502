// `node tests/support/save-database.ts NAME`: writes saved-databases/NAME.json, a demonstration database with a signed-in
// browser, for `tests/journeys/upgrade.test.ts`. Run it once for each release that adds a migration, named after it.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readAccounts, readWalletJwt } from '@portico/contracts/wallet'
import { parseConfig } from '@portico/server/config'
import { openLog } from '@portico/server/log'
import { buildServer } from '@portico/server/server'
import { openBrowser } from './browser.ts'
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
const server = await buildServer(
  parseConfig({ ...worldEnvironment(folder.path, undefined), MASTER_KEY: masterKey }),
  { log: openLog('silent'), applications: PLAIN_APPLICATIONS },
)
await server.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.app.server.address() as AddressInfo // A listening TCP server has this type.
const url = `http://localhost:${port}`
const browser = openBrowser({
  url: () => url,
  origin: () => url,
  passcode: () => Promise.reject(new Error('This browser signs in by password')),
})
const { jwt } = await browser.signIn(OWNER)
const [owned] = await browser.call(readAccounts, {})
if (owned === undefined) throw new Error(`${OWNER.email} has no account`)
await browser.call(readWalletJwt, { query: { walletAddress: owned.account.address } })
await server.close()
const saved = {
  at: Date.now(),
  masterKey,
  email: OWNER.email,
  jwt,
  cookies: Object.fromEntries(browser.cookies),
  statements: statementsOf(join(folder.path, 'portico.sqlite')),
}
const file = new URL(`saved-databases/${name}.json`, import.meta.url)
writeFileSync(file, `${JSON.stringify(saved, null, 2)}\n`)
