import { ATTEMPTS_PER_ADDRESS_AND_HOUR, ATTEMPTS_PER_HOUR } from '@portico/contracts/limits'
import { sql } from 'kysely'
import { CLOCK_SKEW_MS } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

const HOUR_MS = 60 * 60 * 1000
const FIRST_WAIT_MS = 60 * 1000

/** Whether a guess may be looked at; if not, when one may. */
export type Guess = { readonly allowed: true } | { readonly allowed: false; readonly until: number }

/**
 * What a guess is counted under: in a browser that its owner has used a count of its own, otherwise one of the network
 * and one of the address over all networks.
 */
export interface AttemptKey {
  readonly name: string
  readonly network?: string
}

/** One guess, and the times between which a right clock has written the window and the wait. */
interface TakenGuess {
  readonly key: string
  readonly at: number
  readonly hourAgo: number
  readonly latestStart: number
  readonly latestWait: number
}

/** Takes one guess. The statement decides and counts at once: `refused` says what it decided. */
const takeOf = (allowed: number) =>
  prepared((database, given: TakenGuess) => {
    const now = sql<number>`cast(${given.at} as bigint)`
    const ahead = sql<boolean>`guesses.window_started_at > cast(${given.latestStart} as bigint)`
    const waiting = sql<boolean>`(guesses.wait_until > ${now} and guesses.wait_until <= cast(${given.latestWait} as bigint) and not (${ahead}))`
    const fresh = sql<boolean>`(guesses.window_started_at <= cast(${given.hourAgo} as bigint) or ${ahead})`
    const made = sql<number>`case when ${waiting} then guesses.made when ${fresh} then 1 else guesses.made + 1 end`
    return database
      .insertInto('guesses')
      .values({ key: given.key, window_started_at: given.at, made: 1, wait_until: 0, refused: 0 })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          window_started_at: sql<number>`case when ${waiting} then guesses.window_started_at when ${fresh} then ${now} else guesses.window_started_at end`,
          made,
          wait_until: sql<number>`case
          when ${waiting} then guesses.wait_until
          when (${made}) < ${sql.lit(allowed)} then 0
          else ${now} + ${sql.lit(FIRST_WAIT_MS)} * ${doubling(made, allowed)} end`,
          refused: sql<number>`case when ${waiting} then guesses.refused + 1 else 0 end`,
        }),
      )
      .returning(['refused', 'wait_until'])
  })

const takeOwn = takeOf(ATTEMPTS_PER_HOUR)
const takeShared = takeOf(ATTEMPTS_PER_ADDRESS_AND_HOUR)

const giveBack = prepared((database, { key }: { key: string }) =>
  database
    .updateTable('guesses')
    .set({ made: sql<number>`made - 1`, wait_until: 0 })
    .where('key', '=', key)
    .where('made', '>', 0),
)

/**
 * Guesses at secrets: ten in an hour for a network or a known browser, thirty for an address, after that each wrong one
 * doubles a wait that begins with a minute and ends at an hour. One network makes 26 in any hour at most, so that it
 * cannot use up what the address has. A guess is counted before it is looked at, in one statement, so that any number of guesses at once count each;
 * a right one is given back.
 */
export function attemptsStore(database: Database) {
  return {
    /** Takes one guess. */
    async take({ name, network }: AttemptKey, at: number): Promise<Guess> {
      const given = {
        at,
        hourAgo: at - HOUR_MS,
        latestStart: at + CLOCK_SKEW_MS,
        latestWait: at + HOUR_MS + CLOCK_SKEW_MS,
      }
      if (network === undefined) return decided(await takeOwn(database, { key: name, ...given }))
      const own = decided(await takeOwn(database, { key: network, ...given }))
      return own.allowed ? decided(await takeShared(database, { key: name, ...given })) : own
    },

    /** Gives a right guess back, with the wait it may have begun. */
    async giveBack({ name, network }: AttemptKey): Promise<void> {
      await giveBack(database, { key: name })
      if (network !== undefined) await giveBack(database, { key: network })
    },
  }
}

function decided([row]: readonly { refused: number; wait_until: number }[]): Guess {
  if (row === undefined) throw new Error('A guess that was just taken is not there')
  return row.refused > 0 ? { allowed: false, until: row.wait_until } : { allowed: true }
}

/** 1, 2, 4 … 32 minutes for the tenth, eleventh … guess and an hour for the rest, in what both engines understand. */
function doubling(made: ReturnType<typeof sql<number>>, allowed: number) {
  const steps = [0, 1, 2, 3, 4, 5].map(
    (step) => sql`when (${made}) = ${sql.lit(allowed + step)} then ${sql.lit(2 ** step)}`,
  )
  return sql<number>`case ${sql.join(steps, sql` `)} else 60 end`
}
