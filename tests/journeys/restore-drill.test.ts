/** A backup of an earlier version is restored, with the master key and with another one. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { login, readIdentity } from '@portico/contracts/identity'
import { redeemTotp } from '@portico/contracts/two-factor'
import { restoreBackup, writeBackup } from '@portico/server/backup'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { migrateDatabase } from '@portico/server/database'
import { openLog } from '@portico/server/log'
import { buildServer } from '@portico/server/server'
import { expect, test } from 'vitest'
import { postgresPrograms } from '../../tools/machine/postgres-programs.ts'
import { authenticatorCode } from '../support/authenticator.ts'
import { openBrowser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { PLAIN_APPLICATIONS, worldEnvironment } from '../support/prepared-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { queryEmbedded, restoreDatabase, testDatabase } from '../support/test-database.ts'

/** As `tests/support/save-database.ts` wrote it, several versions ago. */
const SAVED = JSON.parse(
  readFileSync(
    new URL('../support/saved-databases/0012-review-pages.json', import.meta.url),
    'utf8',
  ),
) as {
  readonly at: number
  readonly masterKey: string
  readonly jwt: string
  readonly cookies: Readonly<Record<string, string>>
  readonly statements: readonly string[]
}

/** An empty installation. */
async function anInstallation() {
  const folder = temporaryFolder()
  const database = await testDatabase()
  return {
    config: (masterKey: string) =>
      parseConfig({ ...worldEnvironment(folder.path, database), MASTER_KEY: masterKey }),
    query: (sql: string) => database?.query(sql) ?? queryEmbedded(folder.path, sql),
    async [Symbol.asyncDispose]() {
      await database?.drop()
      folder.remove()
    },
  }
}

const serverOn = (config: ReturnType<typeof parseConfig>, clock = () => SAVED.at) =>
  buildServer(config, { log: openLog('silent'), applications: PLAIN_APPLICATIONS, clock })

test('10 A8 restore drill: sessions and factors outlive a restore, and another master key changes nothing', {
  tags: 'database',
}, async () => {
  await using original = await anInstallation()
  await using misused = await anInstallation()
  await using restored = await anInstallation()
  using files = temporaryFolder()
  const file = join(files.path, 'portico.backup')
  await restoreDatabase(original.config(SAVED.masterKey), SAVED.statements)
  await writeBackup(original.config(SAVED.masterKey), file, postgresPrograms)

  const otherKey = randomBytes(32).toString('base64')
  expect(await restoreBackup(misused.config(otherKey), file, postgresPrograms)).toEqual({
    keyOpens: false,
  })
  expect(await migrateDatabase(misused.config(otherKey))).not.toEqual([])
  const tables = SAVED.statements.flatMap(
    (statement) => /^create table "?(?!kysely_)(\w+)/i.exec(statement)?.[1] ?? [],
  )
  const content = () =>
    Promise.all(
      tables.map(async (table) => [table, await misused.query(`select * from ${table}`)] as const),
    )
  const before = await content()
  const refused = await serverOn(misused.config(otherKey)).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ConfigError)
  expect(String(refused)).toMatch(/MASTER_KEY lacks the key \S+, which wrapped stored secrets/)
  expect(await content()).toEqual(before)

  expect(await restoreBackup(restored.config(SAVED.masterKey), file, postgresPrograms)).toEqual({
    keyOpens: true,
  })
  let now = SAVED.at
  const server = await serverOn(restored.config(SAVED.masterKey), () => ++now)
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const newBrowser = () =>
    openBrowser({
      url: () => url,
      origin: () => url,
      passcode: () => Promise.reject(new Error('This browser signs in by password')),
    })
  try {
    const signedIn = newBrowser()
    signedIn.jwt.write(SAVED.jwt)
    for (const [name, value] of Object.entries(SAVED.cookies)) signedIn.cookies.set(name, value)
    const { identity } = await signedIn.call(readIdentity, {})
    expect(identity.aliases.map(({ value }) => value)).toContain(PEOPLE.individual.email)

    const { email, password, secret } = PEOPLE.totp
    const browser = newBrowser()
    const { twoFactorOptions } = await browser.call(login, { body: { email, password } })
    const body = {
      loginUuid: twoFactorOptions?.loginUuid ?? '',
      code: authenticatorCode(secret, now),
    }
    expect((await browser.call(redeemTotp, { body })).jwt).toBeDefined()
  } finally {
    await server.close()
  }
})
