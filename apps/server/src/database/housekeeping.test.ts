import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseConfig } from '../config.ts'
import { type Database, openDatabase } from './database.ts'
import { RETENTION, startHousekeeping, sweep, sweepTelemetry } from './housekeeping.ts'

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
    key: `expired ${index}`,
    expiresAt: NOW - 1,
  }))
  for (let from = 0; from < uses.length; from += 400) {
    await database
      .insertInto('singleUses')
      .values(uses.slice(from, from + 400))
      .execute()
  }
  await database.insertInto('singleUses').values({ key: 'valid', expiresAt: NOW }).execute()
  await sweep(database, NOW)
  expect(await database.selectFrom('singleUses').select('key').execute()).toEqual([
    { key: 'valid' },
  ])
})

test('8 attempts are removed a day after they began, but not during a lockout', async () => {
  const began = NOW - 2 * DAY_MS
  const attempts = { windowStartedAt: began, count: 12, refused: 0 }
  await database
    .insertInto('attempts')
    .values([
      { ...attempts, key: 'expired', lockedUntil: NOW - 1 },
      { ...attempts, key: 'locked', lockedUntil: NOW + 1 },
      { ...attempts, key: 'new', windowStartedAt: NOW - 1, lockedUntil: 0 },
    ])
    .execute()
  await sweep(database, NOW)
  expect(await database.selectFrom('attempts').select('key').orderBy('key').execute()).toEqual([
    { key: 'locked' },
    { key: 'new' },
  ])
})

test('7.8 exposures are removed after the visitors’ cookies have expired', async () => {
  const exposure = { experimentKey: 'a', variant: 'enabled', organizationCode: 'FIGURE' }
  await database
    .insertInto('experimentExposures')
    .values([
      { ...exposure, id: 'expired', trackerUuid: 'one', exposedAt: NOW - 401 * DAY_MS },
      { ...exposure, id: 'valid', trackerUuid: 'other', exposedAt: NOW - 399 * DAY_MS },
    ])
    .execute()
  await sweep(database, NOW)
  expect(await database.selectFrom('experimentExposures').select('id').execute()).toEqual([
    { id: 'valid' },
  ])
})

test('7.2 inquiries expire by organization: another one of the same borrower stays', async () => {
  const inquiry = { email: 'ada@people.example', welcomedAt: NOW - 90 * DAY_MS }
  await database
    .insertInto('inquiries')
    .values([
      { ...inquiry, organizationCode: 'EXPIRED', expiresAt: NOW - 1 },
      { ...inquiry, organizationCode: 'VALID', expiresAt: NOW + 1 },
    ])
    .execute()
  await sweep(database, NOW)
  expect(await database.selectFrom('inquiries').select('organizationCode').execute()).toEqual([
    { organizationCode: 'VALID' },
  ])
})

test('every table has a retention: a rule of housekeeping, or a reason to stay', async () => {
  const tables = await database.introspection.getTables()
  const camelCase = (name: string) =>
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  expect(Object.keys(RETENTION).toSorted()).toEqual(
    tables.map(({ name }) => camelCase(name)).toSorted(),
  )
  expect(RETENTION.devices).toBe('400 days after lastSeenAt')
  expect(RETENTION.telemetryEvents).toBe('TELEMETRY_DAYS after createdAt')
})

test('10 browsers that were not seen for 400 days are removed; others of the same person stay', async () => {
  const identity = {
    organizationCode: 'FIGURE',
    profileType: 'CUSTOMER',
    createdAt: 1,
    updatedAt: 1,
  } as const
  await database
    .insertInto('identities')
    .values({ ...identity, id: 'ada', email: 'ada@people.example', credentialVersion: 0 })
    .execute()
  const device = { identityId: 'ada', firstSeenAt: 1, trustedUntil: null }
  await database
    .insertInto('devices')
    .values([
      { ...device, idHash: 'expired', lastSeenAt: NOW - 401 * DAY_MS },
      { ...device, idHash: 'valid', lastSeenAt: NOW - 399 * DAY_MS },
    ])
    .execute()
  await sweep(database, NOW)
  expect(await database.selectFrom('devices').select('idHash').execute()).toEqual([
    { idHash: 'valid' },
  ])
})

test('7.8 telemetry is kept for the configured days, then removed', async () => {
  const event = {
    sessionUuid: 'one',
    organizationCode: 'FIGURE',
    event: 'page_view',
    eventType: 'PAGE_VIEW',
    domain: 'login.lender.example',
    pagePath: '/auth/login',
    queryParams: '{}',
    eventProperties: '{}',
  }
  await database
    .insertInto('telemetryEvents')
    .values([
      { ...event, id: 'expired', createdAt: NOW - 90 * DAY_MS - 1 },
      { ...event, id: 'kept', createdAt: NOW - 90 * DAY_MS },
    ])
    .execute()
  await sweepTelemetry(database, NOW, { keptMs: 90 * DAY_MS })
  const remaining = await database.selectFrom('telemetryEvents').select('id').execute()
  expect(remaining).toEqual([{ id: 'kept' }])
})

test('stopping waits for the work in progress, and begins no other', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const done: string[] = []
    const errors: unknown[] = []
    const stop = startHousekeeping({
      database,
      clock: Date.now,
      telemetryDays: 1,
      tasks: [
        async () => {
          void stop().then(() => done.push('stopped'))
          await nextTurn()
          await sweep(database, NOW)
          done.push('first task')
        },
        async () => done.push('second task'),
      ],
      promptTasks: [],
      log: { error: (fields: unknown) => errors.push(fields) } as unknown as Logger,
    })
    vi.advanceTimersByTime(10 * 60 * 1000)
    await vi.waitFor(() => expect(done).toContain('stopped'))
    expect([done, errors]).toEqual([['first task', 'stopped'], []])
  } finally {
    vi.useRealTimers()
  }
})

test('work that users wait for is done each minute, and a failure ends neither it nor other work', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const done: string[] = []
  const errors: unknown[] = []
  const stop = startHousekeeping({
    database,
    clock: Date.now,
    telemetryDays: 1,
    tasks: [async () => done.push('task')],
    promptTasks: [
      async () => {
        throw new Error('unavailable')
      },
      async () => done.push('prompt task'),
    ],
    log: { error: (fields: unknown) => errors.push(fields) } as unknown as Logger,
  })
  try {
    for (const count of [1, 2]) {
      vi.advanceTimersByTime(60 * 1000)
      await vi.waitFor(() => expect(done).toHaveLength(count))
      await nextTurn()
    }
    expect([done, errors.length]).toEqual([['prompt task', 'prompt task'], 2])
  } finally {
    await stop()
    vi.useRealTimers()
  }
})
