import { randomUUID } from 'node:crypto'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'

/** How long a challenge waits for its answer. */
export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000

/** Passkeys and the challenges they answer. */
export function passkeysStore(database: Database) {
  return {
    of: (identityId: string) =>
      database
        .selectFrom('passkeys')
        .selectAll()
        .where('identity_id', '=', identityId)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    byCredential: (credentialId: string) =>
      database
        .selectFrom('passkeys')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .executeTakeFirst(),

    /** Keeps a passkey; tells whether it was a new one. */
    async add(passkey: {
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

    /** Records a use, unless another one has changed the counter meanwhile. */
    async use(used: { id: string; from: number; to: number; at: number }): Promise<boolean> {
      const row = await database
        .updateTable('passkeys')
        .set({ counter: used.to, last_used_at: used.at })
        .where('id', '=', used.id)
        .where('counter', '=', used.from)
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

    /** Removes a passkey; tells whether there was one. */
    async remove(identityId: string, id: string): Promise<boolean> {
      const row = await database
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('identity_id', '=', identityId)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    async addChallenge(purpose: string, challenge: string, expiresAt: number): Promise<void> {
      await database
        .insertInto('passkey_challenges')
        .values({ id: randomUUID(), purpose, challenge, expires_at: expiresAt })
        .execute()
    },

    /** Takes a challenge away; of any number of racers exactly one is told `true`, and nobody for another purpose. */
    async takeChallenge(purpose: string, challenge: string, at: number): Promise<boolean> {
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
