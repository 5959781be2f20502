import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY_MS, INSIGHT_HOURS_KEPT_MS, WEBHOOK_HISTORY_MS } from '@portico/contracts/limits'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Clock, clockJumps } from '../clock.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

const MONTH_MS = 30 * DAY_MS
const SWEEP_INTERVAL_MS = 10 * 60 * 1000
const PROMPT_INTERVAL_MS = 60 * 1000
/** The maximum rows deleted by one statement, which limits how long other queries wait. */
const BATCH = 500

/** When rows of a table expire: `keptMs` after one time column, and after `alsoExpiresAt` if that may be later. */
type Rule = {
  [Table in keyof Tables]: {
    readonly table: Table
    readonly key: keyof Tables[Table] & string
    readonly time: keyof Tables[Table] & string
    readonly keptMs: number
    readonly alsoExpiresAt?: keyof Tables[Table] & string
  }
}[keyof Tables]

/** Each time column has an index, so that finding expired rows does not read the others. */
const RULES: readonly Rule[] = [
  { table: 'passcodes', key: 'id', time: 'expiresAt', keptMs: DAY_MS },
  { table: 'factorCodes', key: 'id', time: 'expiresAt', keptMs: DAY_MS },
  { table: 'emailChanges', key: 'id', time: 'expiresAt', keptMs: DAY_MS },
  { table: 'factorLogins', key: 'id', time: 'expiresAt', keptMs: DAY_MS },
  { table: 'passkeyChallenges', key: 'id', time: 'expiresAt', keptMs: DAY_MS },
  // Longer than any session, because it holds what is needed to end the session at the provider.
  { table: 'providerLogins', key: 'stateHash', time: 'expiresAt', keptMs: DAY_MS },
  { table: 'providerTests', key: 'stateHash', time: 'expiresAt', keptMs: 0 },
  // Kept because the administrator's address receives warnings about certificates.
  { table: 'setupLinks', key: 'tokenHash', time: 'expiresAt', keptMs: 400 * DAY_MS },
  { table: 'approvals', key: 'id', time: 'expiresAt', keptMs: DAY_MS },
  { table: 'unprovenTransfers', key: 'id', time: 'createdAt', keptMs: 2 * DAY_MS },
  { table: 'organizationDrafts', key: 'id', time: 'expiresAt', keptMs: 0 },
  { table: 'walletNonces', key: 'nonce', time: 'expiresAt', keptMs: 0 },
  { table: 'registrations', key: 'email', time: 'expiresAt', keptMs: 0 },
  { table: 'inquiries', key: 'email', time: 'expiresAt', keptMs: 0 },
  { table: 'passportFiles', key: 'id', time: 'expiresAt', keptMs: 0 },
  { table: 'pushSubscriptions', key: 'idHash', time: 'expiresAt', keptMs: 0 },
  { table: 'shortLinks', key: 'idHash', time: 'expiresAt', keptMs: 0 },
  { table: 'lockoutLinks', key: 'tokenHash', time: 'expiresAt', keptMs: 0 },
  { table: 'openidRecords', key: 'idHash', time: 'expiresAt', keptMs: 0 },
  { table: 'openidAuthorizations', key: 'id', time: 'expiresAt', keptMs: 0 },
  { table: 'singleUses', key: 'key', time: 'expiresAt', keptMs: 0 },
  { table: 'counters', key: 'key', time: 'windowStartedAt', keptMs: 2 * DAY_MS },
  {
    table: 'attempts',
    key: 'key',
    time: 'windowStartedAt',
    keptMs: DAY_MS,
    alsoExpiresAt: 'lockedUntil',
  },
  { table: 'sessions', key: 'id', time: 'expiresAt', keptMs: MONTH_MS },
  { table: 'messages', key: 'id', time: 'createdAt', keptMs: MONTH_MS },
  { table: 'nodes', key: 'id', time: 'seenAt', keptMs: DAY_MS },
  { table: 'actRequests', key: 'id', time: 'expiresAt', keptMs: MONTH_MS },
  { table: 'rateLimitRefusals', key: 'hour', time: 'hour', keptMs: 7 * DAY_MS },
  { table: 'idempotencyKeys', key: 'keyHash', time: 'createdAt', keptMs: DAY_MS },
  { table: 'webhookDeliveries', key: 'eventId', time: 'createdAt', keptMs: WEBHOOK_HISTORY_MS },
  { table: 'insightHours', key: 'startsAt', time: 'startsAt', keptMs: INSIGHT_HOURS_KEPT_MS },
  { table: 'insightDays', key: 'startsAt', time: 'startsAt', keptMs: 800 * DAY_MS },
  // An experiment's counts stay.
  { table: 'experimentVisitors', key: 'trackerUuid', time: 'exposedAt', keptMs: 400 * DAY_MS },
  { table: 'experimentOutcomes', key: 'trackerUuid', time: 'reachedAt', keptMs: 400 * DAY_MS },
  { table: 'experimentExposures', key: 'id', time: 'exposedAt', keptMs: 400 * DAY_MS },
]

/** Removes expired rows periodically. Returns a function that stops it and waits for the statement or task in progress. */
export function startHousekeeping(deps: {
  readonly database: Database
  readonly clock: Clock
  readonly telemetryDays: number
  /** Further tasks to run after expired rows are removed. */
  readonly tasks: readonly (() => Promise<unknown>)[]
  /** Quick tasks with results that users wait for, to run each minute. */
  readonly promptTasks: readonly (() => Promise<unknown>)[]
  readonly log: Logger
}): () => Promise<void> {
  const { database, clock, telemetryDays, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const repeat = (intervalMs: number, tasks: readonly (() => Promise<unknown>)[]) => {
    const clockJumped = clockJumps(clock)
    let running: Promise<void> | undefined
    const runAll = async () => {
      // After a jump the clock may be wrong, and rows that only seem expired would be lost for good.
      if (clockJumped()) return
      for (const run of tasks) {
        if (signal.aborted) return
        try {
          await run()
        } catch (error) {
          log.error({ err: error }, 'housekeeping failed')
        }
      }
    }
    const timer = setInterval(() => {
      running ??= runAll().finally(() => {
        running = undefined
      })
    }, intervalMs)
    return async () => {
      clearInterval(timer)
      await running
    }
  }
  const stops = [
    repeat(SWEEP_INTERVAL_MS, [
      () => sweep(database, clock(), signal),
      () => sweepTelemetry(database, clock(), { keptMs: telemetryDays * DAY_MS, signal }),
      ...deps.tasks,
    ]),
    repeat(PROMPT_INTERVAL_MS, deps.promptTasks),
  ]
  return async () => {
    stopping.abort()
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** Removes expired rows in batches. Audit events and identities stay. */
export async function sweep(database: Database, now: number, signal?: AbortSignal): Promise<void> {
  for (const rule of RULES) await removeAll(database, rule, { now, signal })
}

/** Removes telemetry older than `keptMs`. */
export async function sweepTelemetry(
  database: Database,
  now: number,
  { keptMs, signal }: { readonly keptMs: number; readonly signal?: AbortSignal },
): Promise<void> {
  for (const rule of [
    { table: 'telemetryEvents', key: 'id', time: 'createdAt', keptMs },
    { table: 'telemetrySessions', key: 'uuid', time: 'createdAt', keptMs },
  ] as const) {
    await removeAll(database, rule, { now, signal })
  }
}

async function removeAll(
  database: Database,
  rule: Rule,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  for (;;) {
    if (signal?.aborted || (await removeBatch(database, rule, now)) < BATCH) return
    await nextTurn()
  }
}

async function removeBatch(database: Database, rule: Rule, now: number): Promise<number> {
  const [table, key] = [sql.table(rule.table), sql.ref(rule.key)]
  const isExpired = sql.join(
    [
      sql`${sql.ref(rule.time)} < ${now - rule.keptMs}`,
      ...(rule.alsoExpiresAt === undefined ? [] : [sql`${sql.ref(rule.alsoExpiresAt)} < ${now}`]),
    ],
    sql` and `,
  )
  // The condition is repeated, because a row may be renewed between the subquery and the deletion.
  const { numAffectedRows = 0n } = await sql`
    delete from ${table}
    where ${key} in (select ${key} from ${table} where ${isExpired} limit ${sql.lit(BATCH)}) and ${isExpired}
  `.execute(database)
  return Number(numAffectedRows)
}
