import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { confirmIdentity, exportAccountData } from '@portico/contracts/account-security'
import { type Config, parseConfig } from '@portico/server/config'
import { openDatabase } from '@portico/server/database'
import { importPeople } from '@portico/server/import-people'
import { expect, test } from 'vitest'
import { outcomes } from '../support/race.ts'
import { type Folder, temporaryFolder } from '../support/temporary-folder.ts'
import {
  ON_POSTGRES,
  queryEmbedded,
  type TestDatabase,
  testDatabase,
} from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const EXHAUSTIVE = process.env.PORTICO_EXHAUSTIVE !== undefined
const PEOPLE = EXHAUSTIVE ? 100_000 : 5000
const KILLS = EXHAUSTIVE ? 20 : 2
const PROGRAM = fileURLToPath(new URL('../../tools/import-people.ts', import.meta.url))
const OWN_FORM = '$argon2id$v=19$m=19456,t=2,p=1$'

const { password: FOREIGN_PASSWORD, hashes } = JSON.parse(
  readFileSync(
    new URL('../../apps/server/src/secrets/foreign-hash-vectors.json', import.meta.url),
    'utf8',
  ),
) as { password: string; hashes: { form: string; hash: string }[] }
const [{ hash: BCRYPT } = { hash: '' }] = hashes

interface Line {
  readonly line: number
  readonly status: string
  readonly identityId?: string
  readonly error?: string
}

const reportOf = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((text) => JSON.parse(text) as Line)

function write(folder: Folder, lines: readonly (object | string)[]): string {
  const file = join(folder.path, 'people.ndjson')
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(file, `${texts.join('\n')}\n`)
  return file
}

const person = (email: string, more: object = {}) => ({ email, organization: 'FIGURE', ...more })

/** An installation without a server. */
async function installation(folder: Folder) {
  const database = await testDatabase()
  const environment = {
    DATA_DIR: folder.path,
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
  }
  const config = parseConfig(environment)
  await (await openDatabase(config)).destroy()
  const query = (sql: string) => queryOf(config, database)(sql)
  return { config, environment, query, drop: async () => database?.drop() }
}

const queryOf = (config: Config, database: TestDatabase | undefined) =>
  database?.query ?? ((sql: string) => queryEmbedded(config.dataDir, sql))

test('import: people log in with their password of each form, once with the foreign hash and then with ours', {
  tags: 'database',
}, async () => {
  using folder = temporaryFolder()
  const people = hashes.map(({ hash }, index) =>
    person(`form.${index}@people.example`, { passwordHash: hash, givenName: 'Ada' }),
  )
  const file = write(folder, people)
  await using world = await aWorld().after(Date.now(), async (config) => {
    await (await openDatabase(config)).destroy()
    const summary = await importPeople(config, { file, isDryRun: false })
    expect(summary).toMatchObject({ imported: hashes.length, refused: 0 })
  })
  for (const [index, { form }] of hashes.entries()) {
    const who = { email: `form.${index}@people.example`, password: FOREIGN_PASSWORD }
    await world.browser().signIn(who)
    const stored = await world.server.stores.identities.findByEmail(who.email)
    expect(stored?.passwordHash?.startsWith(OWN_FORM), form).toBe(true)
    expect(stored?.foreignPasswordAt, form).toBeNull()
  }
  const who = { email: 'form.0@people.example', password: FOREIGN_PASSWORD }
  const browser = world.browser()
  await browser.signIn(who)
  await browser.call(confirmIdentity, { body: { password: FOREIGN_PASSWORD } })
  const { identity } = await browser.call(exportAccountData, {})
  expect(identity).toMatchObject({ givenName: 'Ada', familyName: null })
  expect(await world.query("select kind from audit_events where kind = 'imported'")).toHaveLength(
    hashes.length,
  )
})

test('import: a password that is not normalized opens an account whose hash has our parameters, before and after it is replaced', async () => {
  using folder = temporaryFolder()
  const who = { email: 'accent@people.example', password: 'Zu\u0308rich-marble-58-outpost' }
  // Made from the password as it is written above.
  const passwordHash =
    '$argon2id$v=19$m=19456,t=2,p=1$6b4prv/JyA4qHuEuE5iLrw$EcjOkHgJQeBAb7/lbBolOQIqwfxr61VCloMqlM5ORRs'
  const file = write(folder, [person(who.email, { passwordHash })])
  await using world = await aWorld().after(Date.now(), async (config) => {
    await (await openDatabase(config)).destroy()
    await importPeople(config, { file, isDryRun: false })
  })
  const wrong = { ...who, password: `${who.password} ` }
  expect((await refusal(world.browser().signIn(wrong))).code).toBe('wrong-credentials')
  await world.browser().signIn(who)
  await world.browser().signIn({ ...who, password: who.password.normalize('NFKC') })
  await world.browser().signIn(who)
})

test('import: a refusal takes as long for imported people as for others and for unknown addresses', {
  tags: 'exhaustive',
}, async () => {
  using folder = temporaryFolder()
  const own = newPerson()
  const file = write(folder, [person('slow@people.example', { passwordHash: BCRYPT })])
  await using world = await aWorld()
    .after(Date.now(), async (config) => {
      await (await openDatabase(config)).destroy()
      await importPeople(config, { file, isDryRun: false })
    })
    .withCustomer(own)
  const refusalMs = async (email: string) => {
    const started = performance.now()
    const call = world.browser().signIn({ email, password: 'a wrong password' })
    expect((await refusal(call)).code).toBe('wrong-credentials')
    return performance.now() - started
  }
  for (const email of ['slow@people.example', own.email, 'no.one@people.example']) {
    expect(await refusalMs(email)).toBeGreaterThanOrEqual(1000)
  }
  await world.browser().signIn({ email: 'slow@people.example', password: FOREIGN_PASSWORD })
  expect(await refusalMs(own.email)).toBeLessThan(900)
})

test('import: simultaneous first logins all succeed and store one hash of ours', {
  tags: 'database',
}, async () => {
  using folder = temporaryFolder()
  const file = write(folder, [person('twice@people.example', { passwordHash: BCRYPT })])
  await using world = await aWorld().after(Date.now(), async (config) => {
    await (await openDatabase(config)).destroy()
    await importPeople(config, { file, isDryRun: false })
  })
  const who = { email: 'twice@people.example', password: FOREIGN_PASSWORD }
  const logins = Array.from({ length: 4 }, () => world.browser().signIn(who))
  expect(await outcomes(logins)).toEqual({ answered: 4 })
  await world.browser().signIn(who)
})

test('import: broken lines, costs of 31, duplicates and known people are reported by line, and a dry run adds no one', async () => {
  using folder = temporaryFolder()
  const site = await installation(folder)
  try {
    const earlier = write(folder, [person('known@people.example')])
    await importPeople(site.config, { file: earlier, isDryRun: false })
    const file = join(folder.path, 'people.ndjson')
    const lines = [
      person('ada@people.example', { passwordHash: BCRYPT }),
      '{"email":',
      person('ADA@people.example'),
      person('known@people.example'),
      person('costly@people.example', { passwordHash: `$2b$31$${'A'.repeat(53)}` }),
      '',
      person('nowhere@people.example', { organization: 'NOWHERE' }),
      `{"email":"${'a'.repeat(20_000)}"}`,
      person('last@people.example', { phone: '201-555-0142', phoneVerified: true }),
    ]
    write(folder, lines)
    const expected = [
      { line: 1, status: 'imported' },
      { line: 2, status: 'refused', error: 'the line is not a JSON object' },
      { line: 3, status: 'duplicate' },
      { line: 4, status: 'exists' },
      { line: 5, status: 'refused', error: expect.stringContaining('bcrypt cost 31') },
      { line: 7, status: 'refused', error: expect.stringContaining('NOWHERE') },
      { line: 8, status: 'refused', error: expect.stringContaining('16 kB') },
      { line: 9, status: 'imported' },
    ].map((line) => expect.objectContaining(line))
    const count = 'select count(*) as count from identities'

    const dry = await importPeople(site.config, { file, isDryRun: true })
    expect(reportOf(dry.reportFile)).toEqual(expected)
    expect(Number((await site.query(count))[0]?.count)).toBe(1)

    const report = join(folder.path, 'second.ndjson')
    const options = { file, reportFile: report, isDryRun: false }
    const summary = await importPeople(site.config, options)
    expect(summary).toMatchObject({ imported: 2, exists: 1, duplicate: 1, refused: 4 })
    expect(reportOf(report)).toEqual(expected)
    expect(readFileSync(report, 'utf8')).not.toContain('@')
    expect(Number((await site.query(count))[0]?.count)).toBe(3)

    // Once more: nothing is left to do. Without the report: the same result, and no one twice.
    const again = await importPeople(site.config, options)
    expect(again).toMatchObject({ imported: 2, continuedAfter: 9 })
    const anew = { ...options, reportFile: join(folder.path, 'third.ndjson') }
    await importPeople(site.config, anew)
    expect(reportOf(anew.reportFile)).toEqual(reportOf(report))
    expect(Number((await site.query(count))[0]?.count)).toBe(3)

    write(folder, [...lines, person('more@people.example')])
    await expect(importPeople(site.config, options)).rejects.toThrow('the report of another file')
  } finally {
    await site.drop()
  }
})

test(`import: killed ${KILLS} times, an import of ${PEOPLE} people continues, and no one is missing or duplicated`, {
  tags: 'database',
}, async () => {
  using folder = temporaryFolder()
  const site = await installation(folder)
  try {
    const emailOf = (index: number) => `person.${index}@people.example`
    // Every tenth line repeats the address before it.
    const file = write(
      folder,
      Array.from({ length: PEOPLE }, (_, index) =>
        person(emailOf(index % 10 === 9 ? index - 1 : index), { passwordHash: BCRYPT }),
      ),
    )
    const report = `${file}.report.ndjson`
    const size = () => (existsSync(report) ? statSync(report).size : 0)
    const start = () =>
      // npm runs scripts in the repository's root and passes the caller's folder.
      spawn(process.execPath, [PROGRAM, 'people.ndjson'], {
        env: { PATH: process.env.PATH, INIT_CWD: folder.path, ...site.environment },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    let killed = 0
    for (let run = 0; run < KILLS; run += 1) {
      const importing = start()
      const exited = once(importing, 'exit')
      const until = size() + randomInt(1, 40_000)
      while (size() < until && importing.exitCode === null) await wait(1)
      await wait(randomInt(0, 10))
      if (importing.kill('SIGKILL')) killed += 1
      await exited
    }
    expect(killed).toBe(KILLS)
    const [code] = await once(start(), 'exit')
    expect(code).toBe(0)

    const lines = reportOf(report)
    expect(lines.map(({ line }) => line)).toEqual(
      Array.from({ length: PEOPLE }, (_, index) => index + 1),
    )
    for (const { line, status } of lines) {
      expect(status, `line ${line}`).toBe(line % 10 === 0 ? 'duplicate' : 'imported')
    }
    const rows = await site.query(
      "select count(*) as identities, (select count(*) from aliases) as aliases, (select count(*) from audit_events where kind = 'imported') as events from identities",
    )
    const people = (PEOPLE * 9) / 10
    expect(Object.values(rows[0] ?? {}).map(Number)).toEqual([people, people, people])
    // People compare the beginnings of IDs, so those of one file are as different as random ones.
    const beginnings = new Set(lines.map(({ identityId = '' }) => identityId.slice(0, 8)))
    expect(beginnings.size).toBeGreaterThan(people * 0.99)
  } finally {
    await site.drop()
  }
})

test.runIf(ON_POSTGRES)(
  'import: one that loses PostgreSQL says how far it came, and the same command continues',
  { tags: 'database' },
  async () => {
    using folder = temporaryFolder()
    const site = await installation(folder)
    try {
      const people = Array.from({ length: PEOPLE }, (_, index) =>
        person(`person.${index}@people.example`),
      )
      const file = write(folder, people)
      const report = `${file}.report.ndjson`
      const start = () =>
        spawn(process.execPath, [PROGRAM, file], {
          env: { PATH: process.env.PATH, ...site.environment },
          stdio: ['ignore', 'ignore', 'pipe'],
        })
      const losing = start()
      const output = text(losing.stderr)
      const HEADER_BYTES = 200
      while (!existsSync(report) || statSync(report).size < HEADER_BYTES) await wait(1)
      while (losing.exitCode === null) {
        await site.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
      }
      expect(losing.exitCode).toBe(1)
      const done = reportOf(report).length
      expect(done).toBeLessThan(PEOPLE)
      expect(await output).toMatch(
        new RegExp(
          `^The import stopped\\. Fix the following:\n {2}- The database is not available: .+\\. The lines up to ${done} are done\\. Run the same command again to continue with the next one\n$`,
        ),
      )

      const [code] = await once(start(), 'exit')
      expect(code).toBe(0)
      const [rows] = await site.query('select count(*) as count from identities')
      expect(Number(rows?.count)).toBe(PEOPLE)
      expect(reportOf(report)).toEqual(
        people.map((_, index) => expect.objectContaining({ line: index + 1, status: 'imported' })),
      )
    } finally {
      await site.drop()
    }
  },
)

test('import: memory does not grow with the file, whatever its lines', {
  tags: 'exhaustive',
}, async () => {
  using folder = temporaryFolder()
  const site = await installation(folder)
  try {
    // One line of 64 MB.
    const file = join(folder.path, 'people.ndjson')
    writeFileSync(file, `{"email":"${'a'.repeat(64_000_000)}"}\n`)
    const before = process.memoryUsage().rss
    const summary = await importPeople(site.config, { file, isDryRun: true })
    expect(summary).toMatchObject({ refused: 1, imported: 0 })
    expect(process.memoryUsage().rss - before).toBeLessThan(48_000_000)
  } finally {
    await site.drop()
  }
})
