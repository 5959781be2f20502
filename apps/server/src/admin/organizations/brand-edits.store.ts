import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type {
  BrandDraftsTable,
  BrandFilesTable,
  BrandVersionsTable,
} from '../../database/tables.ts'

export type BrandDraft = Selectable<BrandDraftsTable>
export type BrandVersion = Selectable<BrandVersionsTable>
export type BrandFile = Selectable<BrandFilesTable>

/** Operators' edits of organizations: drafts, versions and uploaded files. */
export function brandEditsStore(database: Database) {
  return {
    findDraft: (organizationCode: string): Promise<BrandDraft | undefined> =>
      database
        .selectFrom('brandDrafts')
        .selectAll()
        .where('organizationCode', '=', organizationCode)
        .executeTakeFirst(),

    /** The drafts of these organizations. */
    listDrafts: (organizationCodes: readonly string[]): Promise<BrandDraft[]> =>
      database
        .selectFrom('brandDrafts')
        .selectAll()
        .where('organizationCode', 'in', organizationCodes)
        .execute(),

    /** The codes of organizations with a draft or a published version. */
    async listCodes(): Promise<string[]> {
      const rows = await database
        .selectFrom('brandDrafts')
        .select('organizationCode')
        .union(database.selectFrom('brandVersions').select('organizationCode'))
        .execute()
      return rows.map(({ organizationCode }) => organizationCode)
    },

    /** Stores a first draft. Returns `false` if one already exists. */
    async insertDraft(draft: Insertable<BrandDraftsTable>): Promise<boolean> {
      const row = await database
        .insertInto('brandDrafts')
        .values(draft)
        .onConflict((conflict) => conflict.doNothing())
        .returning('organizationCode')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Replaces the draft if it is still at the revision before `draft.revision`. Returns whether it was. */
    async updateDraft(draft: BrandDraft): Promise<boolean> {
      const { organizationCode, revision } = draft
      const row = await database
        .updateTable('brandDrafts')
        .set(draft)
        .where('organizationCode', '=', organizationCode)
        .where('revision', '=', revision - 1)
        .returning('organizationCode')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Deletes the draft if it is still at this revision. Returns whether it was. */
    async deleteDraft(organizationCode: string, revision: number): Promise<boolean> {
      const row = await database
        .deleteFrom('brandDrafts')
        .where('organizationCode', '=', organizationCode)
        .where('revision', '=', revision)
        .returning('organizationCode')
        .executeTakeFirst()
      return row !== undefined
    },

    findVersion: (organizationCode: string, version: number): Promise<BrandVersion | undefined> =>
      database
        .selectFrom('brandVersions')
        .selectAll()
        .where('organizationCode', '=', organizationCode)
        .where('version', '=', version)
        .executeTakeFirst(),

    /** An organization's versions, newest first. */
    listVersions: (
      organizationCode: string,
      { before, limit }: { before?: number | undefined; limit: number },
    ): Promise<BrandVersion[]> =>
      database
        .selectFrom('brandVersions')
        .selectAll()
        .where('organizationCode', '=', organizationCode)
        .$if(before !== undefined, (query) => query.where('version', '<', before ?? 0))
        .orderBy('version', 'desc')
        .limit(limit)
        .execute(),

    /** The latest version of every organization that has one. */
    listPublished: (): Promise<BrandVersion[]> =>
      database
        .selectFrom('brandVersions')
        .selectAll()
        .where(({ eb, selectFrom }) =>
          eb(
            'version',
            '=',
            selectFrom('brandVersions as other')
              .select(({ fn }) => fn.max('other.version').as('version'))
              .whereRef('other.organizationCode', '=', 'brandVersions.organizationCode'),
          ),
        )
        .orderBy('organizationCode')
        .execute(),

    async insertVersion(version: Insertable<BrandVersionsTable>): Promise<void> {
      await database.insertInto('brandVersions').values(version).execute()
    },

    /** Stores a file. Its name contains a hash of its content, so an existing file is identical. */
    async insertFile(file: Insertable<BrandFilesTable>): Promise<void> {
      await database
        .insertInto('brandFiles')
        .values(file)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    listFiles: (names: readonly string[]): Promise<BrandFile[]> =>
      database.selectFrom('brandFiles').selectAll().where('name', 'in', names).execute(),
  }
}
