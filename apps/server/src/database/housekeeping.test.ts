import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { type Database, openDatabase } from './database.ts'
import { sweep, sweepTelemetry } from './housekeeping.ts'

const NOW = 1_800_000_000_000
const DAY_MS = 24 * 60 * 60 * 1000

let folder: string
let database: Database

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-housekeeping-'))
  database = await openDatabase(parseConfig({ DATA_DIR: folder }))
})
afterEach(async () => {
  await database.destroy()
  rmSync(folder, { recursive: true, force: true })
})

test('4 all expired rows are removed; others stay', async () => {
  const uses = Array.from({ length: 1234 }, (_, index) => ({
    key: `over ${index}`,
    expires_at: NOW - 1,
  }))
  for (let from = 0; from < uses.length; from += 400) {
    await database
      .insertInto('single_uses')
      .values(uses.slice(from, from + 400))
      .execute()
  }
  await database.insertInto('single_uses').values({ key: 'counts', expires_at: NOW }).execute()
  await sweep(database, NOW)
  expect(await database.selectFrom('single_uses').select('key').execute()).toEqual([
    { key: 'counts' },
  ])
})

test('8 attempts are removed a day after they began, but not during a lockout', async () => {
  const began = NOW - 2 * DAY_MS
  const guesses = { window_started_at: began, made: 12, refused: 0 }
  await database
    .insertInto('guesses')
    .values([
      { ...guesses, key: 'over', wait_until: NOW - 1 },
      { ...guesses, key: 'waits', wait_until: NOW + 1 },
      { ...guesses, key: 'new', window_started_at: NOW - 1, wait_until: 0 },
    ])
    .execute()
  await sweep(database, NOW)
  expect(await database.selectFrom('guesses').select('key').orderBy('key').execute()).toEqual([
    { key: 'new' },
    { key: 'waits' },
  ])
})

test('7.8 exposures are removed after the visitors’ cookies have expired', async () => {
  const exposure = { experiment_key: 'a', variant: 'enabled', organization_code: 'FIGURE' }
  await database
    .insertInto('experiment_exposures')
    .values([
      { ...exposure, id: 'over', tracker_uuid: 'one', exposed_at: NOW - 401 * DAY_MS },
      { ...exposure, id: 'counts', tracker_uuid: 'other', exposed_at: NOW - 399 * DAY_MS },
    ])
    .execute()
  await sweep(database, NOW)
  expect(await database.selectFrom('experiment_exposures').select('id').execute()).toEqual([
    { id: 'counts' },
  ])
})

test('7.2 inquiries expire by organization: another one of the same borrower stays', async () => {
  const inquiry = { email: 'ada@people.example', welcomed_at: NOW - 90 * DAY_MS }
  await database
    .insertInto('inquiries')
    .values([
      { ...inquiry, organization_code: 'OVER', expires_at: NOW - 1 },
      { ...inquiry, organization_code: 'COUNTS', expires_at: NOW + 1 },
    ])
    .execute()
  await sweep(database, NOW)
  expect(await database.selectFrom('inquiries').select('organization_code').execute()).toEqual([
    { organization_code: 'COUNTS' },
  ])
})

test('4 expired rows are found by an index in every table', async () => {
  const plans: string[] = []
  for (const [table, time] of [
    ['counters', 'window_started_at'],
    ['experiment_exposures', 'exposed_at'],
    ['guesses', 'window_started_at'],
    ['inquiries', 'expires_at'],
    ['messages', 'created_at'],
    ['registrations', 'expires_at'],
    ['single_uses', 'expires_at'],
  ] as const) {
    const explained = database
      .selectFrom(table)
      .select(time)
      .where(time, '<', NOW)
      .limit(1)
      .compile()
    const plan = await database.executeQuery<{ detail: string }>({
      ...explained,
      sql: `explain query plan ${explained.sql}`,
    })
    plans.push(...plan.rows.map(({ detail }) => detail))
  }
  expect(plans.filter((detail) => detail.startsWith('SCAN'))).toEqual([])
  expect(plans).toHaveLength(7)
})

test('7.8 telemetry is kept for the configured days, then removed', async () => {
  const event = {
    session_uuid: 'one',
    organization_code: 'FIGURE',
    event: 'page_view',
    event_type: 'PAGE_VIEW',
    domain: 'login.lender.example',
    page_path: '/auth/login',
    query_params: '{}',
    event_properties: '{}',
  }
  await database
    .insertInto('telemetry_events')
    .values([
      { ...event, id: 'over', created_at: NOW - 90 * DAY_MS - 1 },
      { ...event, id: 'kept', created_at: NOW - 90 * DAY_MS },
    ])
    .execute()
  await sweepTelemetry(database, NOW, 90 * DAY_MS)
  const kept = await database.selectFrom('telemetry_events').select('id').execute()
  expect(kept).toEqual([{ id: 'kept' }])
})
