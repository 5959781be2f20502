import type { Database } from '../../database/database.ts'

/** How many steps of time a code may be from the one before it where no clock was wrong. */
const STEPS_AHEAD_MAXIMUM = 10

/** Authenticator applications; secrets come and go wrapped. */
export function totpStore(database: Database) {
  return {
    of: (identityId: string) =>
      database
        .selectFrom('totp')
        .selectAll()
        .where('identity_id', '=', identityId)
        .executeTakeFirst(),

    /** Keeps a secret that counts for nothing until it is confirmed. */
    async begin(identityId: string, pendingSecret: string): Promise<void> {
      await database
        .insertInto('totp')
        .values({
          identity_id: identityId,
          secret: null,
          pending_secret: pendingSecret,
          confirmed_at: null,
          last_step: 0,
        })
        .onConflict((conflict) =>
          conflict.column('identity_id').doUpdateSet({ pending_secret: pendingSecret }),
        )
        .execute()
    },

    /** Puts the pending secret in force, with the step of its first code; of any number of racers one is told `true`. */
    async confirm(confirmed: {
      identityId: string
      pendingSecret: string
      step: number
      at: number
    }): Promise<boolean> {
      const row = await database
        .updateTable('totp')
        .set({
          secret: confirmed.pendingSecret,
          pending_secret: null,
          confirmed_at: confirmed.at,
          last_step: confirmed.step,
        })
        .where('identity_id', '=', confirmed.identityId)
        .where('pending_secret', '=', confirmed.pendingSecret)
        .returning('identity_id')
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * Uses a step up, and every earlier one; of any number of racers exactly one is told `true`. A step far ahead was used
     * while a clock was wrong, and counts for nothing.
     */
    async accept(identityId: string, step: number): Promise<boolean> {
      const row = await database
        .updateTable('totp')
        .set({ last_step: step })
        .where('identity_id', '=', identityId)
        .where(({ eb }) =>
          eb.or([eb('last_step', '<', step), eb('last_step', '>', step + STEPS_AHEAD_MAXIMUM)]),
        )
        .returning('identity_id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Removes the application, pending ones too; tells whether one was in force. */
    async remove(identityId: string): Promise<boolean> {
      const row = await database
        .deleteFrom('totp')
        .where('identity_id', '=', identityId)
        .returning('secret')
        .executeTakeFirst()
      return row !== undefined && row.secret !== null
    },
  }
}
