import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseConfig } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { openLog } from '../operations/log.ts'
import { vault as openVault, type Vault } from '../secrets/vault.ts'
import { type AllStores, allStores } from '../stores.ts'
import { verifyAuditLog } from '../verify-audit.ts'
import { sealAudit, startSealing, verifyAudit } from './audit-chain.ts'

const NOW = 1_800_000_000_000
const PAGE = { network: '192.0.2.1', organization: { orgCode: 'FIGURE' } }

let folder: string
let database: Database
let stores: AllStores
let masterKey: string
let vault: Vault

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-audit-'))
  database = await openDatabase(parseConfig({ DATA_DIR: folder }))
  stores = allStores(database)
  masterKey = randomBytes(32).toString('base64')
  vault = openVault([masterKey])
})
afterEach(async () => {
  await database.destroy()
  rmSync(folder, { recursive: true, force: true })
})

const record = async (count: number, at = NOW) => {
  for (let line = 0; line < count; line++) {
    await stores.audit.record('signed-in', { identityId: 'lars', at: at + line }, PAGE)
  }
}
const seal = (at = NOW) => sealAudit({ stores, vault, clock: () => at })
const verify = (...noted: { sequence: number; hash: string }[]) =>
  verifyAudit({ stores, vault }, noted)
const run = (statement: string) => sql.raw(statement).execute(database)

test('the audit log is sealed in batches, and late entries follow', async () => {
  expect(await verify()).toMatchObject({ errors: [], entries: 0, hasUnsealed: false })
  await record(700)
  expect(await verify()).toMatchObject({ errors: [], entries: 0, hasUnsealed: true })
  expect(await seal()).toMatchObject({ sequence: 700 })
  expect(await seal()).toBeUndefined()
  await record(1, NOW - 1000)
  await seal(NOW + 5)
  expect(await verify()).toMatchObject({
    errors: [],
    entries: 701,
    head: { sequence: 701 },
    sealedAt: NOW + 5,
    hasUnsealed: false,
  })
})

test.each([
  [
    'an entry is deleted',
    'delete from audit_events where sequence = 3',
    /Entries 3 to 3 are missing/,
  ],
  ['the first entry is deleted', 'delete from audit_events where sequence = 1', /Entries 1 to 1/],
  ['the last entry is deleted', 'delete from audit_events where sequence = 6', /last seal is of 6/],
  [
    'an entry is changed',
    `update audit_events set network = '203.0.113.9' where sequence = 3`,
    /Entry 3 .* was changed/,
  ],
  [
    'the person of an entry is removed',
    'update audit_events set identity_id = null where sequence = 2',
    /Entry 2 .* was changed/,
  ],
  [
    'two entries are swapped',
    'update audit_events set sequence = case sequence when 2 then 30 else 20 end where sequence in (2, 3)',
    /Entries 2 to 3 are missing/,
  ],
  [
    'a seal is changed',
    'update audit_seals set sealed_at = sealed_at + 1 where sequence = 4',
    /The seal of entry 4 is wrong/,
  ],
  ['the last seal is deleted', 'delete from audit_seals where sequence = 6', /last seal is of 4/],
  [
    'an entry is inserted after the head',
    `insert into audit_events (id, created_at, kind, organization_code, network, details, sequence, hash)
      values ('forged', 1, 'signed-in', 'FIGURE', '', '{}', 7, 'forged')`,
    /Entry 7 \(forged\)/,
  ],
])('verification detects that %s', async (_, statement, error) => {
  await record(4)
  await seal()
  await record(2, NOW + 100)
  await seal()
  expect((await verify()).errors).toEqual([])
  await run(statement)
  expect((await verify()).errors.join('\n')).toMatch(error)
})

test.each(['listSeals', 'lastSeal', 'findHead'] as const)(
  'entries sealed during verification are not an error: before %s is read',
  async (method) => {
    await record(3)
    await seal()
    let isSealed = false
    const sealOnce = async () => {
      if (isSealed) return
      isSealed = true
      await record(2, NOW + 100)
      await seal(NOW + 200)
    }
    const read = stores.auditChain[method] as (...args: number[]) => Promise<unknown>
    const auditChain = {
      ...stores.auditChain,
      [method]: async (...args: number[]) => {
        await sealOnce()
        return read(...args)
      },
    }
    const report = await verifyAudit({ stores: { ...stores, auditChain }, vault })
    expect(report).toMatchObject({ errors: [], entries: 5, sealedAt: NOW + 200 })
  },
)

test('the first entries may be sealed during verification', async () => {
  await record(2)
  const auditChain = {
    ...stores.auditChain,
    lastSeal: async () => {
      await seal()
      return stores.auditChain.lastSeal()
    },
  }
  const report = await verifyAudit({ stores: { ...stores, auditChain }, vault })
  expect(report).toMatchObject({ errors: [], entries: 2 })
})

test('a chain recalculated without the key is detected', async () => {
  await record(3)
  await seal()
  // An attacker with the database has no master key and seals with another one.
  await run(`update audit_events set network = '203.0.113.9' where sequence = 1`)
  await run('update audit_events set sequence = null, hash = null')
  await run('delete from audit_seals')
  await run(`update audit_chain set sequence = 0, hash = '', wrapped_key = ''`)
  await sealAudit({
    stores,
    vault: openVault([randomBytes(32).toString('base64')]),
    clock: () => NOW,
  })
  await expect(verify()).rejects.toThrow(/MASTER_KEY/)
})

test('a head recorded in the server log reveals that the newest entries and their seals were deleted', async () => {
  await record(3)
  await seal()
  const old = await stores.auditChain.findHead()
  await record(3, NOW + 100)
  const noted = await seal()
  if (noted === undefined || old === undefined) throw new Error('Nothing was sealed')
  expect((await verify(noted)).errors).toEqual([])
  await run('delete from audit_events where sequence > 3')
  await run('delete from audit_seals where sequence > 3')
  await stores.auditChain.updateHead(old)
  expect((await verify()).errors).toEqual([])
  expect((await verify(noted)).errors).toEqual(['The noted entry 6 is missing'])
})

test('every head that a node seals is in its log at any level, so that no newest entries can be cut', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const log: string[] = []
  const stop = startSealing({
    stores,
    vault,
    clock: () => NOW,
    log: openLog('silent', (line) => log.push(line)),
  })
  try {
    const heads = () => log.map((line) => (JSON.parse(line) as { head: string }).head.split(':')[0])
    for (const [count, head] of [
      [3, '3'],
      [2, '5'],
    ] as const) {
      await record(count, NOW + count)
      vi.advanceTimersByTime(2000)
      await vi.waitFor(() => expect(heads().at(-1)).toBe(head))
    }
    // The last burst ends with the process.
    await record(1, NOW + 100)
    await stop()
    expect(heads()).toEqual(['3', '5', '6'])
  } finally {
    vi.useRealTimers()
  }
  const logFile = join(folder, 'log')
  writeFileSync(logFile, log.join(''))
  const before = await stores.auditChain.findHead()
  await run('delete from audit_events where sequence > 5')
  await run('delete from audit_seals where sequence > 5')
  const [last] = await stores.auditChain.listEntries(4, 1)
  if (before === undefined || last === undefined) throw new Error('Nothing was sealed')
  await stores.auditChain.updateHead({ ...before, sequence: 5, hash: last.hash })
  await database.destroy()
  const config = parseConfig({ DATA_DIR: folder, MASTER_KEY: masterKey })
  expect((await verifyAuditLog(config)).errors).toEqual([])
  expect((await verifyAuditLog(config, { logFile })).errors).toEqual([
    'The noted entry 6 is missing',
  ])
})

test('a head never moves back unnoticed: a node reports removed entries at any level, and goes on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const log: string[] = []
  const stop = startSealing({
    stores,
    vault,
    clock: () => NOW,
    log: openLog('silent', (line) => log.push(line)),
  })
  try {
    const messages = () => log.map((line) => (JSON.parse(line) as { msg: string }).msg)
    await record(3)
    vi.advanceTimersByTime(2000)
    await vi.waitFor(() => expect(messages()).toEqual(['audit log sealed']))
    const old = await stores.auditChain.findHead()
    const [first] = await stores.auditChain.listEntries(0, 1)
    if (old === undefined || first === undefined) throw new Error('Nothing was sealed')
    await run('delete from audit_events where sequence > 1')
    await run('delete from audit_seals')
    await stores.auditChain.updateHead({ ...old, sequence: 1, hash: first.hash })
    vi.advanceTimersByTime(2000)
    await vi.waitFor(() =>
      expect(messages()).toEqual([
        'audit log sealed',
        'entries of the audit log were removed',
        'audit log sealed',
      ]),
    )
  } finally {
    await stop()
    vi.useRealTimers()
  }
})

test('sealing the entries of an import leaves turns to requests after every hundred', async () => {
  await record(350)
  let turns = 0
  let turn = setImmediate(function count() {
    turns += 1
    turn = setImmediate(count)
  })
  await seal()
  clearImmediate(turn)
  const seals = await stores.auditChain.listSeals(0, 350)
  expect(seals.map(({ sequence }) => sequence)).toEqual([100, 200, 300, 350])
  expect(turns).toBeGreaterThan(3)
})
