import type { Database } from '../database/database.ts'

/** People whom one browser is remembered for; whoever plants a name that stands for thousands must not keep us busy. */
const SHARED_BY_MAXIMUM = 20

/** Browsers in which somebody has signed in before. */
export function devicesStore(database: Database) {
  return {
    /** The identity of an address, if this browser has signed in to it before. */
    async identityKnownTo(idHash: string, email: string): Promise<string | undefined> {
      const row = await database
        .selectFrom('devices')
        .innerJoin('identities', 'identities.id', 'devices.identity_id')
        .select('identities.id')
        .where('identities.email', '=', email)
        .where('devices.id_hash', '=', idHash)
        .executeTakeFirst()
      return row?.id
    },

    /** Tells whether somebody has signed in with a browser before; if not, whether it is their first one. */
    async seen(idHash: string, identityId: string): Promise<'known' | 'first' | 'new'> {
      const known = await database
        .selectFrom('devices')
        .select('id_hash')
        .where('identity_id', '=', identityId)
        .execute()
      if (known.some((device) => device.id_hash === idHash)) return 'known'
      return known.length === 0 ? 'first' : 'new'
    },

    /** Remembers that somebody signed in with a browser. */
    async remember(idHash: string, identityId: string, at: number): Promise<void> {
      await database
        .insertInto('devices')
        .values({
          id_hash: idHash,
          identity_id: identityId,
          first_seen_at: at,
          last_seen_at: at,
        })
        .onConflict((conflict) =>
          conflict.columns(['identity_id', 'id_hash']).doUpdateSet({ last_seen_at: at }),
        )
        .execute()
    },

    /** Lets a browser pass without a second factor until then. */
    async trust(idHash: string, identityId: string, until: number): Promise<void> {
      await database
        .updateTable('devices')
        .set({ trusted_until: until })
        .where('identity_id', '=', identityId)
        .where('id_hash', '=', idHash)
        .execute()
    },

    /** Whether a browser may pass without a second factor. */
    async trusted(idHash: string, identityId: string, at: number): Promise<boolean> {
      const row = await database
        .selectFrom('devices')
        .select('id_hash')
        .where('identity_id', '=', identityId)
        .where('id_hash', '=', idHash)
        .where('trusted_until', '>', at)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Asks every browser of somebody for the second factor again. */
    async distrust(identityId: string): Promise<void> {
      await database
        .updateTable('devices')
        .set({ trusted_until: null })
        .where('identity_id', '=', identityId)
        .where('trusted_until', 'is not', null)
        .execute()
    },

    /** Lets a browser's new name stand for everybody the old one stands for. */
    async inherit(fromHash: string, toHash: string, at: number): Promise<void> {
      const people = await database
        .selectFrom('devices')
        .select('identity_id')
        .where('id_hash', '=', fromHash)
        .orderBy('last_seen_at', 'desc')
        .limit(SHARED_BY_MAXIMUM)
        .execute()
      for (const { identity_id } of people) await this.remember(toHash, identity_id, at)
    },
  }
}
