import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Finds everybody who has signed in with a browser, which is asked when it is given a new name. */
export const deviceNames: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.createIndex('devices_id_hash').on('devices').column('id_hash').execute()
  },
}
