import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Telemetry sessions and events. Events with the same id are duplicates. */
export const telemetry: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('telemetry_sessions')
      .addColumn('uuid', 'text', (column) => column.primaryKey())
      .addColumn('tracker_uuid', 'text', (column) => column.notNull())
      .addColumn('previous_uuid', 'text')
      .addColumn('identity_id', 'text')
      .addColumn('organization_code', 'text', (column) => column.notNull())
      .addColumn('platform', 'text', (column) => column.notNull())
      .addColumn('lib_version', 'text', (column) => column.notNull())
      .addColumn('app_version', 'text', (column) => column.notNull())
      .addColumn('referrer', 'text', (column) => column.notNull())
      .addColumn('query_params', 'text', (column) => column.notNull())
      .addColumn('screen_width', 'integer', (column) => column.notNull())
      .addColumn('screen_height', 'integer', (column) => column.notNull())
      .addColumn('window_width', 'integer', (column) => column.notNull())
      .addColumn('window_height', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('telemetry_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('session_uuid', 'text', (column) => column.notNull())
      .addColumn('identity_id', 'text')
      .addColumn('organization_code', 'text', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('event_type', 'text', (column) => column.notNull())
      .addColumn('product_type', 'text')
      .addColumn('application_uuid', 'text')
      .addColumn('domain', 'text', (column) => column.notNull())
      .addColumn('page_path', 'text', (column) => column.notNull())
      .addColumn('query_params', 'text', (column) => column.notNull())
      .addColumn('event_properties', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    for (const [table, column] of [
      ['telemetry_sessions', 'created_at'],
      ['telemetry_sessions', 'tracker_uuid'],
      ['telemetry_events', 'created_at'],
    ] as const) {
      await schema.createIndex(`${table}_${column}`).on(table).column(column).execute()
    }
    // Redeeming a passcode links the session in which it was requested to the identity.
    await schema.alterTable('passcodes').addColumn('telemetry_session_uuid', 'text').execute()
  },
}
