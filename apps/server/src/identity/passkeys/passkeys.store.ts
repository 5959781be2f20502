import { randomUUID } from 'node:crypto'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'

/** How long a challenge can be answered. */
export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000

export function passkeysStore(database: Database) {
  return {
    list: (identityId: string) =>
      database
        .selectFrom('passkeys')
        .selectAll()
        .where('identity_id', '=', identityId)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    findByCredential: (credentialId: string) =>
      database
        .selectFrom('passkeys')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .executeTakeFirst(),

    /** Stores a passkey. Returns `false` if its credential ID already exists. */
    async insert(passkey: {
      id: string
      identityId: string
      credentialId: string
      publicKey: string
      counter: number
      transports: readonly string[]
      name: string
      at: number
    }): Promise<boolean> {
      const row = await database
        .insertInto('passkeys')
        .values({
          id: passkey.id,
          identity_id: passkey.identityId,
          credential_id: passkey.credentialId,
          public_key: passkey.publicKey,
          counter: passkey.counter,
          transports: JSON.stringify(passkey.transports),
          name: passkey.name,
          created_at: passkey.at,
          last_used_at: null,
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Records a use. Returns `false` if another use changed the counter meanwhile. */
    async recordUse(use: { id: string; from: number; to: number; at: number }): Promise<boolean> {
      const row = await database
        .updateTable('passkeys')
        .set({ counter: use.to, last_used_at: use.at })
        .where('id', '=', use.id)
        .where('counter', '=', use.from)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    async rename(identityId: string, id: string, name: string): Promise<void> {
      await database
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('identity_id', '=', identityId)
        .execute()
    },

    /** Returns whether there was one. */
    async delete(identityId: string, id: string): Promise<boolean> {
      const row = await database
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('identity_id', '=', identityId)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    async insertChallenge(purpose: string, challenge: string, expiresAt: number): Promise<void> {
      await database
        .insertInto('passkey_challenges')
        .values({ id: randomUUID(), purpose, challenge, expires_at: expiresAt })
        .execute()
    },

    /** Consumes a challenge: of concurrent calls, exactly one returns `true`, and only for the same purpose. */
    async consumeChallenge(purpose: string, challenge: string, at: number): Promise<boolean> {
      const row = await database
        .deleteFrom('passkey_challenges')
        .where('purpose', '=', purpose)
        .where('challenge', '=', challenge)
        .where('expires_at', '>', at)
        .where('expires_at', '<=', latestExpiry(at, CHALLENGE_LIFETIME_MS))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
