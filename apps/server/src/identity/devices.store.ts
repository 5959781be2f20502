import { REMEMBERED_DEVICE_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

/** People whom one browser is remembered for; whoever plants a name that stands for thousands must not keep us busy. */
const SHARED_BY_MAXIMUM = 20

const identityKnownTo = prepared((database, { idHash, email }: { idHash: string; email: string }) =>
  database
    .selectFrom('devices')
    .innerJoin('identities', 'identities.id', 'devices.identity_id')
    .select('identities.id')
    .where('identities.email', '=', email)
    .where('devices.id_hash', '=', idHash),
)

const ofIdentity = prepared((database, { identityId }: { identityId: string }) =>
  database.selectFrom('devices').select('id_hash').where('identity_id', '=', identityId),
)

const remember = prepared(
  (database, { idHash, identityId, at }: { idHash: string; identityId: string; at: number }) =>
    database
      .insertInto('devices')
      .values({ id_hash: idHash, identity_id: identityId, first_seen_at: at, last_seen_at: at })
      .onConflict((conflict) =>
        conflict.columns(['identity_id', 'id_hash']).doUpdateSet({ last_seen_at: at }),
      ),
)

const sharedBy = prepared((database, { idHash }: { idHash: string }) =>
  database
    .selectFrom('devices')
    .select('identity_id')
    .where('id_hash', '=', idHash)
    .orderBy('last_seen_at', 'desc')
    .limit(SHARED_BY_MAXIMUM),
)

/** Browsers in which somebody has signed in before. */
export function devicesStore(database: Database) {
  return {
    /** The identity of an address, if this browser has signed in to it before. */
    identityKnownTo: async (idHash: string, email: string): Promise<string | undefined> =>
      (await identityKnownTo(database, { idHash, email }))[0]?.id,

    /** Tells whether somebody has signed in with a browser before; if not, whether it is their first one. */
    async seen(idHash: string, identityId: string): Promise<'known' | 'first' | 'new'> {
      const known = await ofIdentity(database, { identityId })
      if (known.some((device) => device.id_hash === idHash)) return 'known'
      return known.length === 0 ? 'first' : 'new'
    },

    /** Remembers that somebody signed in with a browser. */
    async remember(idHash: string, identityId: string, at: number): Promise<void> {
      await remember(database, { idHash, identityId, at })
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
        .where('trusted_until', '<=', latestExpiry(at, REMEMBERED_DEVICE_MS))
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
      const people = await sharedBy(database, { idHash: fromHash })
      for (const { identity_id } of people) await this.remember(toHash, identity_id, at)
    },
  }
}
