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
const RULES = [
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
  // Longer than a browser keeps the cookie. The next login counts as one from a new browser.
  { table: 'devices', key: 'idHash', time: 'lastSeenAt', keptMs: 400 * DAY_MS },
  { table: 'sessions', key: 'id', time: 'expiresAt', keptMs: MONTH_MS },
  { table: 'messages', key: 'id', time: 'createdAt', keptMs: MONTH_MS },
  { table: 'nodes', key: 'id', time: 'seenAt', keptMs: DAY_MS },
  { table: 'actRequests', key: 'id', time: 'expiresAt', keptMs: MONTH_MS },
  { table: 'rateLimitRefusals', key: 'hour', time: 'hour', keptMs: 7 * DAY_MS },
  { table: 'directoryRefusals', key: 'id', time: 'lastAt', keptMs: MONTH_MS },
  { table: 'idempotencyKeys', key: 'keyHash', time: 'createdAt', keptMs: DAY_MS },
  { table: 'webhookDeliveries', key: 'eventId', time: 'createdAt', keptMs: WEBHOOK_HISTORY_MS },
  { table: 'insightHours', key: 'startsAt', time: 'startsAt', keptMs: INSIGHT_HOURS_KEPT_MS },
  { table: 'insightDays', key: 'startsAt', time: 'startsAt', keptMs: 800 * DAY_MS },
  // An experiment's counts stay.
  { table: 'experimentVisitors', key: 'trackerUuid', time: 'exposedAt', keptMs: 400 * DAY_MS },
  { table: 'experimentOutcomes', key: 'trackerUuid', time: 'reachedAt', keptMs: 400 * DAY_MS },
  { table: 'experimentExposures', key: 'id', time: 'exposedAt', keptMs: 400 * DAY_MS },
] as const satisfies readonly Rule[]

/** Kept for `TELEMETRY_DAYS`. */
const TELEMETRY_RULES = [
  { table: 'telemetryEvents', key: 'id', time: 'createdAt' },
  { table: 'telemetrySessions', key: 'uuid', time: 'createdAt' },
] as const

type SweptTable = (typeof RULES | typeof TELEMETRY_RULES)[number]['table']

/** Why the rows of every other table stay. A new table needs a rule or a reason. */
const KEPT: Readonly<Record<Exclude<keyof Tables, SweptTable>, string>> = {
  accounts: 'of an organization on the chain',
  aliases: 'until the account is deleted; limited per account',
  auditChain: 'one row',
  auditEvents: 'never removed: evidence. docs/scaling.md has its growth',
  auditSeals: 'never removed: evidence; at most one for each audit event',
  authorizations: 'until the chain removes the member; limited per account',
  bannerDrafts: 'one for each banner',
  bannerVersions: 'what pages showed; one for each publication',
  borrowerQueryParams: 'until the account is deleted; one for each account',
  brandDrafts: 'one for each organization',
  brandFiles: 'what pages showed, and the files of drafts',
  brandVersions: 'what pages showed; one for each publication',
  directoryGroups: 'until the directory deletes them; limited per directory',
  directoryMembers: 'until the directory deletes them; limited per directory',
  directoryTokens: 'created by the command line or a setup; a few for each provider',
  directoryUsers: 'until the directory deletes them; limited per directory',
  domainClaims: 'one for each domain of a provider',
  experimentCounts: 'results of experiments; limited per run',
  experimentRuns: 'results of experiments',
  hostedKeys: 'until the account is deleted: losing one loses money',
  identities: 'until the account is deleted',
  identityProviders: 'a few for each organization',
  identityRoles: 'until they are revoked',
  insightState: 'one row',
  installation: 'one row',
  knownRecipients: 'until the account is deleted: a proof is not requested again',
  openidKeys: 'rotated; a few',
  organizationInvitations:
    'until the account is deleted or the membership ends; limited per inviter',
  passkeys: 'until the account is deleted; limited per account',
  passportMembers: 'of a passport; limited per passport',
  passportReviews: 'evidence of a passport',
  passportSections: 'of a passport; one for each section',
  passports: 'until the account is deleted; one for each account on the chain',
  porticoVersions: 'one for each version that was started',
  providerDomains: 'a few for each provider',
  providerSetups: 'one for each provider',
  providerSubjects: 'until the account is deleted or disconnected; one for each provider',
  publishedData: 'two rows',
  pushTopics: 'removed with their subscription',
  recoveryCodes: 'until they are replaced or the account is deleted; limited per account',
  securityAnswers: 'until the account is deleted; limited per account',
  serviceTokens: 'the audit log names them',
  signingKeys: 'rotated; a few',
  totp: 'until the account is deleted; one for each account',
  vapidKeys: 'one row',
  walletOwners: 'until the account is deleted',
  wallets: 'until the account is deleted; limited per account',
  webhookEndpoints: 'their deliveries name them; a few for each organization',
  wrongCodes:
    'until a success or the account is deleted: an attacker must not get new attempts by waiting',
}

/** How long the rows of each table stay. */
export const RETENTION: Readonly<Record<keyof Tables, string>> = {
  ...KEPT,
  ...(Object.fromEntries([
    ...RULES.map(({ table, time, keptMs }) => [table, `${keptMs / DAY_MS} days after ${time}`]),
    ...TELEMETRY_RULES.map(({ table, time }) => [table, `TELEMETRY_DAYS after ${time}`]),
  ]) as Record<SweptTable, string>), // Every rule is in it.
}

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
  for (const rule of TELEMETRY_RULES) {
    await removeAll(database, { ...rule, keptMs }, { now, signal })
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
