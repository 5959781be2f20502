import { type Selectable, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { PassportFilesTable } from '../database/tables.ts'

export type PassportFileRow = Selectable<PassportFilesTable>

/** The evidence files of passports, without their bytes. The caller locks the passport before it adds or removes one. */
export function passportFilesStore(database: Database) {
  return {
    async insert(row: PassportFileRow): Promise<void> {
      await database.insertInto('passportFiles').values(row).execute()
    },

    find: (id: string): Promise<PassportFileRow | undefined> =>
      database.selectFrom('passportFiles').selectAll().where('id', '=', id).executeTakeFirst(),

    /** Complete files and unfinished uploads, oldest first. */
    list: (passportId: string): Promise<PassportFileRow[]> =>
      database
        .selectFrom('passportFiles')
        .selectAll()
        .where('passportId', '=', passportId)
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),

    async hasComplete(passportId: string): Promise<boolean> {
      const row = await database
        .selectFrom('passportFiles')
        .select('id')
        .where('passportId', '=', passportId)
        .where('type', 'is not', null)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Which of these files exist. */
    async listKnown(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows =
        ids.length === 0
          ? []
          : await database.selectFrom('passportFiles').select('id').where('id', 'in', ids).execute()
      return new Set(rows.map(({ id }) => id))
    },

    /** Appends a stored part if it begins where the others end. Of concurrent calls, only one succeeds. */
    async appendPart(
      id: string,
      part: { offset: number; length: number; name: string; expiresAt: number },
    ): Promise<PassportFileRow | undefined> {
      return database
        .updateTable('passportFiles')
        .set(({ ref }) => ({
          receivedBytes: part.offset + part.length,
          parts: sql<string>`${ref('parts')} || ${`${part.name} `}`,
          expiresAt: part.expiresAt,
        }))
        .where('id', '=', id)
        .where('receivedBytes', '=', part.offset)
        .where('type', 'is', null)
        .returningAll()
        .executeTakeFirst()
    },

    /** Completes an upload. Returns undefined if it has already been completed or removed. */
    complete: (
      id: string,
      content: Required<Pick<PassportFileRow, 'type' | 'contentBytes'>>,
    ): Promise<PassportFileRow | undefined> =>
      database
        .updateTable('passportFiles')
        .set({ ...content, expiresAt: null })
        .where('id', '=', id)
        .where('type', 'is', null)
        .returningAll()
        .executeTakeFirst(),

    /** Returns whether the file existed. */
    async delete(id: string): Promise<boolean> {
      const row = await database
        .deleteFrom('passportFiles')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
