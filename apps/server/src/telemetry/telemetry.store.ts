import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { TelemetryEventsTable, TelemetrySessionsTable } from '../database/tables.ts'

/** Rows per insert statement. A few fixed sizes keep the number of prepared statements small. */
const CHUNKS = [64, 8, 1] as const

const COLUMNS = [
  'id',
  'sessionUuid',
  'identityId',
  'organizationCode',
  'event',
  'eventType',
  'productType',
  'applicationUuid',
  'domain',
  'pagePath',
  'queryParams',
  'eventProperties',
  'createdAt',
] as const satisfies readonly (keyof TelemetryEventsTable)[]

const addSession = prepared((database, session: TelemetrySessionsTable) =>
  database.insertInto('telemetrySessions').values({
    uuid: session.uuid,
    trackerUuid: session.trackerUuid,
    previousUuid: session.previousUuid,
    identityId: session.identityId,
    organizationCode: session.organizationCode,
    platform: session.platform,
    libVersion: session.libVersion,
    appVersion: session.appVersion,
    referrer: session.referrer,
    queryParams: session.queryParams,
    screenWidth: session.screenWidth,
    screenHeight: session.screenHeight,
    windowWidth: session.windowWidth,
    windowHeight: session.windowHeight,
    createdAt: session.createdAt,
  }),
)

const insertStatement = (rows: number) =>
  prepared((database, values: Readonly<Record<string, unknown>>) =>
    database
      .insertInto('telemetryEvents')
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
        .selectFrom('telemetrySessions')
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
        .updateTable('telemetrySessions')
        .set({ identityId })
        .where('uuid', '=', sessionUuid)
        .where('identityId', 'is', null)
        .execute()
    },
  }
}
