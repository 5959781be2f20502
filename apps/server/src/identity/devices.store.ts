import type { Database } from '../database/database.ts'

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

    /** Remembers a browser and tells whether it is a new one among others. */
    async see(idHash: string, identityId: string, at: number): Promise<'known' | 'first' | 'new'> {
      const known = await database
        .selectFrom('devices')
        .select('id_hash')
        .where('identity_id', '=', identityId)
        .execute()
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
      if (known.some((device) => device.id_hash === idHash)) return 'known'
      return known.length === 0 ? 'first' : 'new'
    },
  }
}
