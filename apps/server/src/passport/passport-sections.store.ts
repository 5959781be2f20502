import { PASSPORT_SECTIONS, type PassportSection } from '@portico/contracts/passport-sections'
import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { PassportSectionsTable } from '../database/tables.ts'

export type PassportSectionRow = Selectable<PassportSectionsTable>

/** The sections of passports. The caller locks the passport before it changes one. */
export function passportSectionsStore(database: Database) {
  return {
    find: (passportId: string, section: PassportSection): Promise<PassportSectionRow | undefined> =>
      database
        .selectFrom('passportSections')
        .selectAll()
        .where('passportId', '=', passportId)
        .where('section', '=', section)
        .executeTakeFirst(),

    /** In the order of the forms. */
    async list(passportId: string): Promise<PassportSectionRow[]> {
      const rows = await database
        .selectFrom('passportSections')
        .selectAll()
        .where('passportId', '=', passportId)
        .execute()
      const positionOf = ({ section }: PassportSectionRow) => PASSPORT_SECTIONS.indexOf(section)
      return rows.toSorted((a, b) => positionOf(a) - positionOf(b))
    },

    async upsert(row: PassportSectionRow): Promise<void> {
      const { status, version, answers, savedAt } = row
      await database
        .insertInto('passportSections')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['passportId', 'section'])
            .doUpdateSet({ status, version, answers, savedAt }),
        )
        .execute()
    },

    async update(
      id: string,
      change: Partial<Pick<PassportSectionRow, 'status' | 'submittedAt' | 'version'>>,
    ): Promise<void> {
      await database.updateTable('passportSections').set(change).where('id', '=', id).execute()
    },
  }
}
