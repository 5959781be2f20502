import {
  ATTEMPT_WINDOW_MS,
  ATTEMPTS_PER_ADDRESS_AND_HOUR,
  ATTEMPTS_PER_HOUR,
  MAX_LOCKOUT_MS,
} from '@portico/contracts/limits'
import { lockoutMs } from '@portico/rules/lockout'
import { sql } from 'kysely'
import { CLOCK_SKEW_MS } from '../clock.ts'
import type { Database } from '../database/database.ts'

/** Whether an attempt may be verified, or when the next one may. */
export type AttemptResult =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly until: number }

/**
 * The counters of an attempt. A browser that the owner has used has its own counter (`name`). Any other attempt counts
 * for its network at this address, and for the address across all networks.
 */
export interface AttemptKey {
  readonly name: string
  readonly network?: string
}

/** A person, with the name of the counter of their address. */
export interface AttemptsOwner {
  readonly addressName: string
  readonly identityId: string
  readonly email: string
}

interface OwnerAttempts {
  readonly wrong: number
  /** Null without a lockout. */
  readonly lockedUntil: number | null
}

/**
 * Wrong attempts, with the lockout policy of `lockoutMs`. An attempt is counted before it is verified, in one statement,
 * so concurrent attempts all count; a correct one is refunded.
 */
export function attemptsStore(database: Database) {
  /** Counts an attempt and decides on it in the same statement. The attempt is refused if `refused` is above 0. */
  async function countUpTo(
    allowed: number,
    { key, addressName }: { readonly key: string; readonly addressName: string | null },
    at: number,
  ): Promise<AttemptResult> {
    const now = sql<number>`cast(${at} as bigint)`
    const ahead = sql<boolean>`attempts.window_started_at > cast(${at + CLOCK_SKEW_MS} as bigint)`
    const waiting = sql<boolean>`(attempts.locked_until > ${now} and attempts.locked_until <= cast(${at + MAX_LOCKOUT_MS + CLOCK_SKEW_MS} as bigint) and not (${ahead}))`
    const newWindow = sql<boolean>`(attempts.window_started_at <= cast(${at - ATTEMPT_WINDOW_MS} as bigint) or ${ahead})`
    const count = sql<number>`case when ${waiting} then attempts.count when ${newWindow} then 1 else attempts.count + 1 end`
    const { refused, lockedUntil } = await database
      .insertInto('attempts')
      .values({ key, addressName, windowStartedAt: at, count: 1, lockedUntil: 0, refused: 0 })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          windowStartedAt: sql<number>`case when ${waiting} then attempts.window_started_at when ${newWindow} then ${now} else attempts.window_started_at end`,
          count,
          lockedUntil: sql<number>`case
          when ${waiting} then attempts.locked_until
          when (${count}) < ${sql.lit(allowed)} then 0
          else ${now} + ${lockoutMsSql(count, allowed)} end`,
          refused: sql<number>`case when ${waiting} then attempts.refused + 1 else 0 end`,
        }),
      )
      .returning(['refused', 'lockedUntil'])
      .executeTakeFirstOrThrow()
    return refused > 0 ? { allowed: false, until: lockedUntil } : { allowed: true }
  }

  /** The counters of a person's address, of networks at it, and of the browsers they have used or opened a link with. */
  const namesOf = ({ addressName, identityId, email }: AttemptsOwner) =>
    sql<string>`(select cast(${addressName} as text)
      union all select key from attempts where address_name = ${addressName}
      union all select 'device ' || identity_id || ' ' || id_hash from devices where identity_id = ${identityId}
      union all select 'link ' || token_hash from lockout_links where email = ${email})`

  return {
    /** Counts an attempt before it is verified. */
    async increment({ name, network }: AttemptKey, at: number): Promise<AttemptResult> {
      if (network === undefined)
        return countUpTo(ATTEMPTS_PER_HOUR, { key: name, addressName: null }, at)
      const own = await countUpTo(ATTEMPTS_PER_HOUR, { key: network, addressName: name }, at)
      return own.allowed
        ? countUpTo(ATTEMPTS_PER_ADDRESS_AND_HOUR, { key: name, addressName: null }, at)
        : own
    },

    /** Refunds a correct attempt and ends the backoff it may have started. */
    async refund({ name, network }: AttemptKey): Promise<void> {
      for (const key of network === undefined ? [name] : [name, network]) {
        await database
          .updateTable('attempts')
          .set({ count: sql<number>`count - 1`, lockedUntil: 0 })
          .where('key', '=', key)
          .where('count', '>', 0)
          .execute()
      }
    },

    /** A person's wrong attempts that still count, and when the last lockout ends. */
    async read(owner: AttemptsOwner, at: number): Promise<OwnerAttempts> {
      const counters = await database
        .selectFrom('attempts')
        .select(['addressName', 'windowStartedAt', 'count', 'lockedUntil'])
        .where('key', 'in', namesOf(owner))
        .execute()
      const lockedUntil = Math.max(...counters.map((counter) => counter.lockedUntil), 0)
      return {
        // The counter of the address includes those of the networks.
        wrong: counters
          .filter(({ addressName, ...counter }) => addressName === null && isCurrent(counter, at))
          .reduce((sum, { count }) => sum + count, 0),
        lockedUntil: lockedUntil > at ? lockedUntil : null,
      }
    },

    /** Ends a person's lockouts, for every network and browser. Returns whether any wrong attempt still counted. */
    async delete(owner: AttemptsOwner, at: number): Promise<boolean> {
      const counters = await database
        .deleteFrom('attempts')
        .where('key', 'in', namesOf(owner))
        .returning(['windowStartedAt', 'count', 'lockedUntil'])
        .execute()
      return counters.some((counter) => counter.count > 0 && isCurrent(counter, at))
    },
  }
}

const isCurrent = (
  counter: { readonly windowStartedAt: number; readonly lockedUntil: number },
  at: number,
) => counter.lockedUntil > at || counter.windowStartedAt > at - ATTEMPT_WINDOW_MS

/** `lockoutMs` as SQL that both engines support: a branch for each attempt until the lockout reaches its maximum. */
function lockoutMsSql(count: ReturnType<typeof sql<number>>, allowed: number) {
  const branches = []
  for (let attempt = allowed; lockoutMs(attempt, allowed) < MAX_LOCKOUT_MS; attempt += 1) {
    const lockout = sql.lit(lockoutMs(attempt, allowed))
    branches.push(sql`when (${count}) = ${sql.lit(attempt)} then ${lockout}`)
  }
  return sql<number>`case ${sql.join(branches, sql` `)} else ${sql.lit(MAX_LOCKOUT_MS)} end`
}
