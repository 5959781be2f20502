import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { TelemetryEventsTable, TelemetrySessionsTable } from '../database/tables.ts'

/** Rows per insert statement. A few fixed sizes keep the number of prepared statements small. */
const CHUNKS = [64, 8, 1] as const

const COLUMNS = [
  'id',
  'session_uuid',
  'identity_id',
  'organization_code',
  'event',
  'event_type',
  'product_type',
  'application_uuid',
  'domain',
  'page_path',
  'query_params',
  'event_properties',
  'created_at',
] as const satisfies readonly (keyof TelemetryEventsTable)[]

const addSession = prepared((database, session: TelemetrySessionsTable) =>
  database.insertInto('telemetry_sessions').values({
    uuid: session.uuid,
    tracker_uuid: session.tracker_uuid,
    previous_uuid: session.previous_uuid,
    identity_id: session.identity_id,
    organization_code: session.organization_code,
    platform: session.platform,
    lib_version: session.lib_version,
    app_version: session.app_version,
    referrer: session.referrer,
    query_params: session.query_params,
    screen_width: session.screen_width,
    screen_height: session.screen_height,
    window_width: session.window_width,
    window_height: session.window_height,
    created_at: session.created_at,
  }),
)

const insertStatement = (rows: number) =>
  prepared((database, values: Readonly<Record<string, unknown>>) =>
    database
      .insertInto('telemetry_events')
      .values(
        Array.from(
          { length: rows },
          (_, row) =>
            // The values are placeholders until the statement runs.
            Object.fromEntries(
              COLUMNS.map((column) => [column, values[`${column} ${row}`]]),
            ) as unknown as TelemetryEventsTable,
        ),
      )
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id'),
  )

const insert = { 64: insertStatement(64), 8: insertStatement(8), 1: insertStatement(1) }

/** Telemetry sessions and events. */
export function telemetryStore(database: Database) {
  return {
    async addSession(session: TelemetrySessionsTable): Promise<void> {
      await addSession(database, session)
    },

    /** The session ids among the given ones that exist. */
    async sessionsAmong(uuids: readonly string[]): Promise<readonly string[]> {
      const rows = await database
        .selectFrom('telemetry_sessions')
        .select('uuid')
        .where('uuid', 'in', uuids)
        .execute()
      return rows.map(({ uuid }) => uuid)
    },

    /** Stores events and returns the ids of those that were not duplicates. */
    async addEvents(events: readonly TelemetryEventsTable[]): Promise<ReadonlySet<string>> {
      const added = new Set<string>()
      for (let from = 0; from < events.length; ) {
        const size = CHUNKS.find((chunk) => chunk <= events.length - from) ?? 1
        const values: Record<string, unknown> = {}
        events.slice(from, from + size).forEach((event, row) => {
          for (const column of COLUMNS) values[`${column} ${row}`] = event[column]
        })
        for (const { id } of await insert[size](database, values)) added.add(id)
        from += size
      }
      return added
    },

    /** Links a session to an identity, unless it is already linked. */
    async tie(sessionUuid: string, identityId: string): Promise<void> {
      await database
        .updateTable('telemetry_sessions')
        .set({ identity_id: identityId })
        .where('uuid', '=', sessionUuid)
        .where('identity_id', 'is', null)
        .execute()
    },
  }
}
