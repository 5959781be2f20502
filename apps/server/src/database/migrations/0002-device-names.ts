import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An index to find all identities that signed in with a browser when its identifier is renewed. */
export const deviceNames: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.createIndex('devices_id_hash').on('devices').column('id_hash').execute()
  },
}
