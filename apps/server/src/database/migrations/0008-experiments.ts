import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Each visitor's first exposure to an experiment. */
export const experiments: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('experiment_exposures')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('tracker_uuid', 'text', (column) => column.notNull())
      .addColumn('experiment_key', 'text', (column) => column.notNull())
      .addColumn('variant', 'text', (column) => column.notNull())
      .addColumn('organization_code', 'text', (column) => column.notNull())
      .addColumn('exposed_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('experiment_exposures_visitor', ['tracker_uuid', 'experiment_key'])
      .execute()
    await schema
      .createIndex('experiment_exposures_sweep')
      .on('experiment_exposures')
      .column('exposed_at')
      .execute()
  },
}
