import { randomUUID } from 'node:crypto'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { FactorOrigin } from '../../database/tables.ts'

/** How long a challenge can be answered. */
export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000

export function passkeysStore(database: Database) {
  return {
    list: (identityId: string) =>
      database
        .selectFrom('passkeys')
        .selectAll()
        .where('identityId', '=', identityId)
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),

    findByCredential: (credentialId: string) =>
      database
        .selectFrom('passkeys')
        .selectAll()
        .where('credentialId', '=', credentialId)
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
      origin: FactorOrigin
    }): Promise<boolean> {
      const row = await database
        .insertInto('passkeys')
        .values({
          id: passkey.id,
          identityId: passkey.identityId,
          credentialId: passkey.credentialId,
          publicKey: passkey.publicKey,
          counter: passkey.counter,
          transports: JSON.stringify(passkey.transports),
          name: passkey.name,
          createdAt: passkey.at,
          lastUsedAt: null,
          ...passkey.origin,
        })
        .onConflict((conflict) => conflict.column('credentialId').doNothing())
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Records a use. Returns `false` if another use changed the counter in the meantime. */
    async updateCounter(use: {
      id: string
      from: number
      to: number
      at: number
    }): Promise<boolean> {
      const row = await database
        .updateTable('passkeys')
        .set({ counter: use.to, lastUsedAt: use.at })
        .where('id', '=', use.id)
        .where('counter', '=', use.from)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    async updateName(identityId: string, id: string, name: string): Promise<void> {
      await database
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('identityId', '=', identityId)
        .execute()
    },

    /** Returns whether there was one. */
    async delete(identityId: string, id: string): Promise<boolean> {
      const row = await database
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('identityId', '=', identityId)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    async insertChallenge(purpose: string, challenge: string, expiresAt: number): Promise<void> {
      await database
        .insertInto('passkeyChallenges')
        .values({ id: randomUUID(), purpose, challenge, expiresAt })
        .execute()
    },

    /** Consumes a challenge: of concurrent calls, exactly one returns `true`, and only for the same purpose. */
    async consumeChallenge(purpose: string, challenge: string, at: number): Promise<boolean> {
      const row = await database
        .deleteFrom('passkeyChallenges')
        .where('purpose', '=', purpose)
        .where('challenge', '=', challenge)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, CHALLENGE_LIFETIME_MS))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
