import { GUESSES_PER_HOUR } from '@portico/contracts/limits'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

const HOUR_MS = 60 * 60 * 1000
const FIRST_WAIT_MS = 60 * 1000

/** Whether a guess may be looked at; if not, when one may. */
export type Guess = { readonly allowed: true } | { readonly allowed: false; readonly until: number }

/** Takes one guess. The statement decides and counts at once: `refused` says what it decided. */
const take = prepared((database, given: { key: string; at: number; hourAgo: number }) => {
  const now = sql<number>`cast(${given.at} as bigint)`
  const waiting = sql<boolean>`guesses.wait_until > ${now}`
  const fresh = sql<boolean>`guesses.window_started_at <= cast(${given.hourAgo} as bigint)`
  const made = sql<number>`case when ${waiting} then guesses.made when ${fresh} then 1 else guesses.made + 1 end`
  return database
    .insertInto('guesses')
    .values({ key: given.key, window_started_at: given.at, made: 1, wait_until: 0, refused: 0 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        window_started_at: sql<number>`case when ${waiting} then guesses.window_started_at when ${fresh} then ${now} else guesses.window_started_at end`,
        made,
        wait_until: sql<number>`case
          when ${waiting} or (${made}) < ${sql.lit(GUESSES_PER_HOUR)} then guesses.wait_until
          else ${now} + ${sql.lit(FIRST_WAIT_MS)} * ${doubling(made)} end`,
        refused: sql<number>`case when ${waiting} then guesses.refused + 1 else 0 end`,
      }),
    )
    .returning(['refused', 'wait_until'])
})

const giveBack = prepared((database, { key }: { key: string }) =>
  database
    .updateTable('guesses')
    .set({ made: sql<number>`made - 1`, wait_until: 0 })
    .where('key', '=', key)
    .where('made', '>', 0),
)

/**
 * Guesses at secrets: ten in an hour, after that each wrong one doubles a wait that begins with a minute and ends at an
 * hour. A guess is counted before it is looked at, in one statement, so that any number of guesses at once count each;
 * a right one is given back.
 */
export function guessesStore(database: Database) {
  return {
    /** Takes one guess. */
    async take(key: string, at: number): Promise<Guess> {
      const [row] = await take(database, { key, at, hourAgo: at - HOUR_MS })
      if (row === undefined) throw new Error('A guess that was just taken is not there')
      return row.refused > 0 ? { allowed: false, until: row.wait_until } : { allowed: true }
    },

    /** Gives a right guess back, with the wait it may have begun. */
    async giveBack(key: string): Promise<void> {
      await giveBack(database, { key })
    },
  }
}

/** 1, 2, 4 … 32 minutes for the tenth, eleventh … guess and an hour for the rest, in what both engines understand. */
function doubling(made: ReturnType<typeof sql<number>>) {
  const steps = [0, 1, 2, 3, 4, 5].map(
    (step) => sql`when (${made}) = ${sql.lit(GUESSES_PER_HOUR + step)} then ${sql.lit(2 ** step)}`,
  )
  return sql<number>`case ${sql.join(steps, sql` `)} else 60 end`
}
