import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { openLog } from '../operations/log.ts'
import { allStores } from '../stores.ts'
import { boundedAudit } from './bounded-audit.ts'

const NOW = 1_800_000_000_000
const WINDOW_MS = 10 * 60 * 1000
const PAGE = { network: '192.0.2.1', organization: { orgCode: 'FIGURE' } }

let folder: string
let database: Database
let now: number
let bounded: ReturnType<typeof boundedAudit>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-audit-'))
  database = await openDatabase(parseConfig({ DATA_DIR: folder }))
  now = NOW
  bounded = boundedAudit({ stores: allStores(database), clock: () => now, log: openLog('silent') })
})
afterEach(async () => {
  await database.destroy()
  rmSync(folder, { recursive: true, force: true })
})

const rows = () =>
  database.selectFrom('auditEvents').select(['network', 'details']).orderBy('createdAt').execute()

test('8 repetitions of an audit event are one event with their number, once its window has ended', async () => {
  const note = () =>
    bounded.noteRefusal('foreign-origin-refused', { details: { call: 'login' } }, PAGE)
  for (let request = 0; request < 1000; request++) note()
  await expect.poll(rows).toEqual([{ network: '192.0.2.1', details: '{"call":"login"}' }])
  await bounded.flush()
  expect(await rows()).toHaveLength(1)
  now += WINDOW_MS
  await bounded.flush()
  await bounded.flush()
  expect(await rows()).toEqual([
    { network: '192.0.2.1', details: '{"call":"login"}' },
    { network: '192.0.2.1', details: '{"call":"login","repeated":999}' },
  ])
  note()
  await expect.poll(async () => (await rows()).length).toBe(3)
})

test('8 an attacker from any number of networks leaves a limited number of audit events', async () => {
  for (let network = 0; network < 5000; network++) {
    bounded.noteRefusal(
      'lockout-refused',
      { details: { address: `${network}`.repeat(100) } },
      { ...PAGE, network: `${network}` },
    )
  }
  await expect.poll(async () => (await rows()).length).toBe(201)
  now += WINDOW_MS
  await bounded.flush()
  const all = await rows()
  expect(all).toHaveLength(202)
  expect(all.at(-1)).toEqual({ network: 'several', details: '{"repeated":4799}' })
  expect(Math.max(...all.map(({ details }) => details.length))).toBeLessThan(200)
})

test('15 an attack does not keep the reads of operators out of the audit log', async () => {
  for (let person = 0; person < 300; person++) {
    const read = { operatorId: 'support', identityId: `${person}`, organizationCode: 'FIGURE' }
    await bounded.recordRead('person-viewed', read, PAGE)
  }
  expect(await rows()).toHaveLength(300)
})
