import type { Insertable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { TelemetryEventsTable, TelemetrySessionsTable } from '../database/tables.ts'

/** Telemetry sessions and events. */
export function telemetryStore(database: Database) {
  return {
    async insertSession(session: Insertable<TelemetrySessionsTable>): Promise<void> {
      await database.insertInto('telemetrySessions').values(session).execute()
    },

    async sessionExists(uuid: string): Promise<boolean> {
      const row = await database
        .selectFrom('telemetrySessions')
        .select('uuid')
        .where('uuid', '=', uuid)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Returns whether the event is new; an event with the same id is a duplicate. */
    async insertEvent(event: Insertable<TelemetryEventsTable>): Promise<boolean> {
      const row = await database
        .insertInto('telemetryEvents')
        .values(event)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Links a session to an identity, unless it is already linked. */
    async updateIdentity(sessionUuid: string, identityId: string): Promise<void> {
      await database
        .updateTable('telemetrySessions')
        .set({ identityId })
        .where('uuid', '=', sessionUuid)
        .where('identityId', 'is', null)
        .execute()
    },
  }
}
