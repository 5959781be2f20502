import type { Database } from '../../database/database.ts'
import type { FactorOrigin } from '../../database/tables.ts'

/** A last accepted time step that is further ahead than this was accepted while a clock was wrong. */
const MAX_STEPS_AHEAD = 10

/** Authenticator apps. Secrets are encrypted with the master key. */
export function totpStore(database: Database) {
  return {
    find: (identityId: string) =>
      database
        .selectFrom('totp')
        .selectAll()
        .where('identityId', '=', identityId)
        .executeTakeFirst(),

    /** Stores a pending secret, which has no effect until it is confirmed. */
    async upsertPending(identityId: string, pendingSecret: string): Promise<void> {
      await database
        .insertInto('totp')
        .values({
          identityId,
          secret: null,
          pendingSecret,
          confirmedAt: null,
          lastStep: 0,
        })
        .onConflict((conflict) => conflict.column('identityId').doUpdateSet({ pendingSecret }))
        .execute()
    },

    /**
     * Activates the pending secret, with the time step of its first code. Of concurrent calls, exactly one returns
     * `true`.
     */
    async consumePending(confirmation: {
      identityId: string
      pendingSecret: string
      step: number
      at: number
      origin?: FactorOrigin
    }): Promise<boolean> {
      const row = await database
        .updateTable('totp')
        .set({
          secret: confirmation.pendingSecret,
          pendingSecret: null,
          confirmedAt: confirmation.at,
          lastStep: confirmation.step,
          ...confirmation.origin,
        })
        .where('identityId', '=', confirmation.identityId)
        .where('pendingSecret', '=', confirmation.pendingSecret)
        .returning('identityId')
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * Consumes a time step and all earlier ones; of concurrent calls, exactly one returns `true`. A last accepted step
     * far in the future is ignored.
     */
    async consumeStep(identityId: string, step: number): Promise<boolean> {
      const row = await database
        .updateTable('totp')
        .set({ lastStep: step })
        .where('identityId', '=', identityId)
        .where(({ eb }) =>
          eb.or([eb('lastStep', '<', step), eb('lastStep', '>', step + MAX_STEPS_AHEAD)]),
        )
        .returning('identityId')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Removes the authenticator app, even if pending. Returns whether one was active. */
    async delete(identityId: string): Promise<boolean> {
      const row = await database
        .deleteFrom('totp')
        .where('identityId', '=', identityId)
        .returning('secret')
        .executeTakeFirst()
      return row !== undefined && row.secret !== null
    },
  }
}
