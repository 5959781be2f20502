import { REMEMBERED_DEVICE_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'

/**
 * The maximum number of identities that share a device ID, so that an attacker cannot cause excessive work by planting an ID
 * shared by thousands.
 */
const MAX_SHARED_IDENTITIES = 20

/** Browsers in which identities have logged in. */
export function rememberedDevicesStore(database: Database) {
  return {
    /** The identity of an address, if this browser has logged in to it before. */
    async findIdentityId(idHash: string, email: string): Promise<string | undefined> {
      const row = await database
        .selectFrom('devices')
        .innerJoin('identities', 'identities.id', 'devices.identityId')
        .select('identities.id')
        .where('identities.email', '=', email)
        .where('devices.idHash', '=', idHash)
        .executeTakeFirst()
      return row?.id
    },

    /**
     * Whether the identity has logged in with this browser before; if not, whether it is the identity's first browser.
     */
    async getStatus(idHash: string, identityId: string): Promise<'known' | 'first' | 'new'> {
      const known = await database
        .selectFrom('devices')
        .select('idHash')
        .where('identityId', '=', identityId)
        .execute()
      if (known.some((device) => device.idHash === idHash)) return 'known'
      return known.length === 0 ? 'first' : 'new'
    },

    async upsert(idHash: string, identityId: string, at: number): Promise<void> {
      await database
        .insertInto('devices')
        .values({ idHash, identityId, firstSeenAt: at, lastSeenAt: at })
        .onConflict((conflict) =>
          conflict.columns(['identityId', 'idHash']).doUpdateSet({ lastSeenAt: at }),
        )
        .execute()
    },

    /** Exempts a browser from the second factor until the given time. */
    async updateTrust(idHash: string, identityId: string, until: number): Promise<void> {
      await database
        .updateTable('devices')
        .set({ trustedUntil: until })
        .where('identityId', '=', identityId)
        .where('idHash', '=', idHash)
        .execute()
    },

    async isTrusted(idHash: string, identityId: string, at: number): Promise<boolean> {
      const row = await database
        .selectFrom('devices')
        .select('idHash')
        .where('identityId', '=', identityId)
        .where('idHash', '=', idHash)
        .where('trustedUntil', '>', at)
        .where('trustedUntil', '<=', latestExpiry(at, REMEMBERED_DEVICE_MS))
        .executeTakeFirst()
      return row !== undefined
    },

    /** Requires the second factor again in every browser of the identity. */
    async deleteTrust(identityId: string): Promise<void> {
      await database
        .updateTable('devices')
        .set({ trustedUntil: null })
        .where('identityId', '=', identityId)
        .where('trustedUntil', 'is not', null)
        .execute()
    },

    /** The identities that have logged in with this browser, the latest first. */
    async listIdentityIds(idHash: string): Promise<string[]> {
      const rows = await database
        .selectFrom('devices')
        .select('identityId')
        .where('idHash', '=', idHash)
        .orderBy('lastSeenAt', 'desc')
        .limit(MAX_SHARED_IDENTITIES)
        .execute()
      return rows.map(({ identityId }) => identityId)
    },
  }
}
