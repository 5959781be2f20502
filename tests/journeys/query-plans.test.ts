/** @module-tag database */
import { parseConfig } from '@portico/server/config'
import { type Database, openDatabase } from '@portico/server/database'
import { sweep, sweepTelemetry } from '@portico/server/housekeeping'
import { type AllStores, allStores } from '@portico/server/stores'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANYTHING, StatementRecorder } from '../support/recorded-statements.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES, testDatabase } from '../support/test-database.ts'

/** Tables that stay so small that reading all of their rows is quick. */
const SMALL_TABLES: Readonly<Record<string, string>> = {
  audit_chain: 'one row',
  banner_drafts: 'a row per banner with changes',
  banner_versions: 'a row per publication of a banner, read when a node loads them',
  brand_drafts: 'a row per organization with changes',
  brand_versions: 'a row per publication of an organization, read when a node loads them',
  identity_providers: 'a few rows per organization',
  identity_roles: 'a few rows per operator',
  insight_state: 'one row',
  openid_keys: 'a row per key',
  provider_domains: 'a few rows per identity provider',
  published_data: 'two rows',
  signing_keys: 'a row per key',
  webhook_endpoints: 'a few rows per organization',
}

/** Statements that read an index, or a table, from one end. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'accounts.listGroups authorizations': 'only the demonstration, for its few groups',
  'actRequests.list act_requests': 'a page of the newest',
  'auditChain.lastSeal audit_seals': 'the last row',
  'auditSearch.list audit_events': 'a page of the newest',
  'directoryRefusals.list directory_refusals': 'a page of the newest',
  'identityRoles.list identities': 'only a command, for the accounts of all operators',
  'openid.queueAllLogouts openid_authorizations': 'once, when a node starts',
  'people.list identities': 'a page of the newest',
}

const ALL = { all: true } as const
const SOME = { organizationCodes: [ANYTHING] }
const SCOPES = [ALL, SOME]
const PAGES = [
  { after: undefined, limit: 2 },
  { after: ANYTHING, limit: 2 },
]
const PART = { offset: 0, limit: 2 }

/** Calls of methods whose statements depend on their arguments, or that any values do not suit. */
function variants(stores: Omit<AllStores, 'atomically'>) {
  const calls: (readonly [string, () => unknown])[] = []
  const add = <Name extends keyof typeof stores>(
    name: Name,
    method: keyof (typeof stores)[Name] & string,
    call: (store: (typeof stores)[Name]) => unknown,
  ) => calls.push([`${name}.${method}`, () => call(stores[name])])

  for (const key of [{ id: ANYTHING }, { fingerprint: ANYTHING }]) {
    add('actRequests', 'expire', (store) => store.expire(key, 0))
  }
  for (const filter of [{ only: [ANYTHING] }, { except: [ANYTHING] }]) {
    add('audit', 'listLatest', (store) => store.listLatest(ANYTHING, { limit: 2, ...filter }))
  }
  for (const filter of [
    {},
    { id: ANYTHING },
    { displayName: 'a' },
    { externalId: ANYTHING },
    { member: ANYTHING },
  ]) {
    add('directoryGroups', 'list', (store) => store.list(ANYTHING, filter, PART))
  }
  for (const filter of [
    {},
    { id: ANYTHING },
    { userName: 'a' },
    { externalId: ANYTHING },
    { email: 'a@people.example' },
    { active: false },
  ]) {
    add('directoryUsers', 'list', (store) => store.list(ANYTHING, filter, PART))
  }
  for (const members of [{}, { only: [ANYTHING] }, { except: [ANYTHING] }]) {
    const selection = { groupId: ANYTHING, ...members }
    add('directoryUsers', 'updateLeftGroup', (store) => store.updateLeftGroup(selection, 0))
  }
  add('directoryTokens', 'updateUsed', (store) =>
    store.updateUsed({ id: ANYTHING, lastUsedAt: null }, 0),
  )
  add('insightCounting', 'listExposures', (store) => store.listExposures([ANYTHING]))
  add('insightCounting', 'listSessions', (store) => store.listSessions([ANYTHING]))
  for (const scope of SCOPES) {
    const range = { from: 0, until: 1, scope }
    add('identityRoles', 'listOperators', (store) =>
      store.listOperators({ scope, after: '', limit: 2 }),
    )
    add('people', 'listEvents', (store) => store.listEvents(ANYTHING, scope))
    add('insight', 'totals', (store) => store.totals([ANYTHING], range))
    for (const table of ['insightHours', 'insightDays'] as const) {
      for (const by of [undefined, 'label'] as const) {
        add('insight', 'series', (store) => store.series(table, ANYTHING, range, by))
      }
    }
    const reviews = { identityId: ANYTHING, organizations: scope }
    add('passportReviews', 'countSubmitted', (store) =>
      store.countSubmitted(reviews, { statuses: [ANYTHING], limit: 2 }),
    )
    for (const page of PAGES) {
      add('actRequests', 'list', (store) => store.list({ ...page, waitingAt: undefined }))
      for (const order of ['asc', 'desc'] as const) {
        add('passportReviews', 'listSubmitted', (store) =>
          store.listSubmitted(reviews, { ...page, statuses: [ANYTHING], order }),
        )
      }
      for (const kind of [{}, { kind: ANYTHING }]) {
        for (const filter of [
          {},
          { identityId: ANYTHING },
          { operatorId: ANYTHING },
          { network: ANYTHING },
        ]) {
          add('auditSearch', 'list', (store) => store.list(scope, { ...page, ...kind, ...filter }))
        }
      }
      for (const key of [
        undefined,
        { email: ANYTHING },
        { id: ANYTHING },
        { phone: ANYTHING },
        { address: ANYTHING },
      ]) {
        add('people', 'list', (store) => store.list({ ...page, scope, key }))
      }
      add('people', 'listByPart', (store) => store.listByPart({ ...page, scope, part: 'lars' }))
    }
  }
  return calls
}

/** The statements of all methods of all stores, and of housekeeping. */
async function recordStatements(): Promise<StatementRecorder['statements']> {
  const recorder = new StatementRecorder(ON_POSTGRES)
  const { atomically: _, ...stores } = allStores(recorder.database)
  const calls = variants(stores)
  const special = new Set(calls.map(([sender]) => sender))
  const unrecorded: [string, unknown][] = []
  for (const [name, store] of Object.entries(stores)) {
    for (const [method, call] of Object.entries(store)) {
      const sender = `${name}.${method}`
      if (special.has(sender)) continue
      const values = [ANYTHING, ANYTHING, ANYTHING, ANYTHING]
      try {
        const sent = await recorder.during(sender, () => Reflect.apply(call, store, values))
        if (sent === 0) unrecorded.push([sender, 'sent nothing'])
      } catch (error) {
        unrecorded.push([sender, error])
      }
    }
  }
  for (const [sender, call] of calls) await recorder.during(sender, call)
  await recorder.during('sweep', () => sweep(recorder.database, 0))
  await recorder.during('sweepTelemetry', () => sweepTelemetry(recorder.database, 0, { keptMs: 0 }))
  // They need a call among the variants.
  expect(unrecorded).toEqual([])
  return recorder.statements
}

let plans: Awaited<ReturnType<typeof openPlans>>

beforeAll(async () => {
  plans = await openPlans()
})
afterAll(() => plans.close())

test('4 every statement finds its rows by an index, among any number of rows', async () => {
  const recorded = await recordStatements()
  const statements = new Map(
    recorded.map(({ sender, sql: text }) => [plans.withColumn(text), sender]),
  )
  const scans = new Map<string, string>()
  for (const [statement, sender] of statements) {
    // A statement that only inserts reads nothing.
    if (statement.startsWith('insert') && !statement.includes('select')) continue
    for (const table of await plans.listScans(statement)) {
      if (!(table in SMALL_TABLES)) scans.set(`${sender} ${table}`, statement)
    }
  }
  const unexpected = [...scans].filter(([scan]) => !(scan in EXCEPTIONS))
  expect(unexpected).toEqual([])
  expect(statements.size).toBeGreaterThan(300)
})

test('4 deleting a row finds the rows that refer to it by an index', async () => {
  const scans: string[] = []
  for (const { table, columns } of await plans.listReferences()) {
    const condition = columns.map((column, index) => `${column} = $${index + 1}`).join(' and ')
    const found = await plans.listScans(`select 1 from ${table} where ${condition}`)
    if (found.length > 0 && !(table in SMALL_TABLES)) scans.push(`${table} (${columns.join()})`)
  }
  expect(scans).toEqual([])
})

/** A migrated database that explains statements. */
async function openPlans() {
  const server = await testDatabase()
  const folder = temporaryFolder()
  const database = await openDatabase(
    parseConfig({
      DATA_DIR: folder.path,
      ...(server === undefined ? {} : { DATABASE_URL: server.url, DATABASE_CONNECTIONS: '1' }),
    }),
  )
  const run = async <Row>(statement: string) =>
    (await database.executeQuery<Row>(CompiledQuery.raw(statement))).rows
  const tables = await database.introspection.getTables()
  if (ON_POSTGRES) await fillTables(run, tables)
  const partialIndexes = new Set(
    (
      await run<{ name: string }>(
        ON_POSTGRES
          ? "select indexname as name from pg_indexes where indexdef like '% WHERE %'"
          : "select name from sqlite_master where type = 'index' and sql like '% where %'",
      )
    ).map(({ name }) => name),
  )

  return {
    /** The statement with a column instead of the name that stands for any. */
    withColumn: (statement: string) =>
      statement.replace(/^update "(\w+)" set "0"/, (_, name: string) => {
        const columns = tables.find((table) => table.name === name)?.columns ?? []
        const free = columns.findLast((column) => !statement.includes(`"${column.name}"`))
        return `update "${name}" set "${free?.name}"`
      }),

    /** The tables that a statement reads from one end instead of by an index. */
    async listScans(statement: string): Promise<readonly string[]> {
      if (!ON_POSTGRES) {
        const steps = await run<{ detail: string }>(`explain query plan ${statement}`)
        return steps.flatMap(({ detail }) => {
          const [, name = '', index = ''] = /^SCAN (\w+)(?:.* INDEX (\w+))?/.exec(detail) ?? []
          const table = name === '' ? '' : realName(statement, name)
          const isTable = tables.some((each) => each.name === table)
          return isTable && !partialIndexes.has(index) ? [table] : []
        })
      }
      const parameters = new Set(statement.match(/\$\d+/g)).size
      const values = Array.from({ length: parameters }, () => 'null').join()
      await run(`prepare explained as ${statement}`)
      try {
        const [row] = await run<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
          `explain (format json) execute explained${parameters === 0 ? '' : `(${values})`}`,
        )
        return row === undefined ? [] : listScannedTables(row['QUERY PLAN'][0].Plan, partialIndexes)
      } finally {
        await run('deallocate explained')
      }
    },

    /** The columns that refer to rows of other tables. */
    async listReferences(): Promise<{ table: string; columns: readonly string[] }[]> {
      if (ON_POSTGRES) {
        return run(
          `select conrelid::regclass::text as table, array(
             select attname::text from pg_attribute
             where attrelid = conrelid and attnum = any(conkey)) as columns
           from pg_constraint where contype = 'f'`,
        )
      }
      const references = tables.map(async ({ name }) => {
        const keys = await run<{ id: number; from: string }>(`pragma foreign_key_list(${name})`)
        return [...Map.groupBy(keys, ({ id }) => id).values()].map((columns) => ({
          table: name,
          columns: columns.map(({ from }) => from),
        }))
      })
      return (await Promise.all(references)).flat()
    },

    async close() {
      await database.destroy()
      await server?.drop()
      folder.remove()
    },
  }
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

function listScannedTables(node: PlanNode, partialIndexes: ReadonlySet<string>): string[] {
  const { 'Relation Name': table, 'Index Name': index = '', Plans: plans = [] } = node
  const isFound =
    node['Index Cond'] !== undefined ||
    node['Node Type'] === 'Bitmap Heap Scan' ||
    partialIndexes.has(index)
  return [
    ...(table === undefined || isFound || node['Node Type'] === 'ModifyTable' ? [] : [table]),
    ...plans.flatMap((plan) => listScannedTables(plan, partialIndexes)),
  ]
}

/** The table behind an alias of a statement. */
function realName(statement: string, name: string): string {
  const aliased = new RegExp(`"?(\\w+)"? as "?${name}"?(?!\\w)`).exec(statement)
  return aliased?.[1] ?? name
}

const ROWS = 1000

/** Adds rows, because PostgreSQL plans by the size of tables, and prefers indexes where they can be used at all. */
async function fillTables(
  run: (statement: string) => Promise<unknown>,
  tables: Awaited<ReturnType<Database['introspection']['getTables']>>,
): Promise<void> {
  await run('set session_replication_role = replica')
  for (const { name, columns } of tables) {
    const values = columns.map(({ dataType, isNullable }) => {
      const value = dataType === 'text' ? "'value ' || n" : 'n'
      return isNullable ? `case when n % 2 = 0 then ${value} end` : value
    })
    await run(
      `insert into ${name} (${columns.map((column) => column.name).join()})
       select ${values.join()} from generate_series(1000, ${1000 + ROWS}) as n on conflict do nothing`,
    )
  }
  await run('analyze')
  for (const setting of ['seqscan', 'hashjoin', 'mergejoin'])
    await run(`set enable_${setting} = off`)
  await run('set plan_cache_mode = force_generic_plan')
}
