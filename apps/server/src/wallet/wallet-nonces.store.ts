import { WALLET_NONCE_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'

/** Single-use nonces for wallets to sign, each for one session. */
export function walletNoncesStore(database: Database) {
  return {
    async insert(nonce: string, sessionId: string, expiresAt: number): Promise<void> {
      await database.insertInto('walletNonces').values({ nonce, sessionId, expiresAt }).execute()
    },

    /** The valid nonces of a session, newest first. */
    listOpen: async (sessionId: string, at: number, limit: number): Promise<readonly string[]> => {
      const rows = await database
        .selectFrom('walletNonces')
        .select('nonce')
        .where('sessionId', '=', sessionId)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, WALLET_NONCE_LIFETIME_MS))
        .orderBy('expiresAt', 'desc')
        .orderBy('nonce')
        .limit(limit)
        .execute()
      return rows.map(({ nonce }) => nonce)
    },

    /** Consumes a nonce of this session. Of concurrent calls only one returns true. */
    async consume(nonce: string, sessionId: string, at: number): Promise<boolean> {
      const row = await database
        .deleteFrom('walletNonces')
        .where('nonce', '=', nonce)
        .where('sessionId', '=', sessionId)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, WALLET_NONCE_LIFETIME_MS))
        .returning('nonce')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
