import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { BannerDraftsTable, BannerVersionsTable } from '../../database/tables.ts'

export type BannerDraft = Selectable<BannerDraftsTable>
export type BannerVersion = Selectable<BannerVersionsTable>

const MAX_HISTORY = 50

/** Operators' edits of banners: drafts and versions. */
export function bannerEditsStore(database: Database) {
  return {
    listDrafts: (): Promise<BannerDraft[]> =>
      database.selectFrom('bannerDrafts').selectAll().orderBy('id').execute(),

    findDraft: (id: string): Promise<BannerDraft | undefined> =>
      database.selectFrom('bannerDrafts').selectAll().where('id', '=', id).executeTakeFirst(),

    /** Stores a first draft. Returns `false` if one already exists. */
    async insertDraft(draft: BannerDraft): Promise<boolean> {
      const row = await database
        .insertInto('bannerDrafts')
        .values(draft)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Replaces the draft if it is still at the revision before `draft.revision`. Returns whether it was. */
    async updateDraft(draft: BannerDraft): Promise<boolean> {
      const { id, revision } = draft
      const row = await database
        .updateTable('bannerDrafts')
        .set(draft)
        .where('id', '=', id)
        .where('revision', '=', revision - 1)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Deletes the draft if it is still at this revision. Returns whether it was. */
    async deleteDraft(id: string, revision: number): Promise<boolean> {
      const row = await database
        .deleteFrom('bannerDrafts')
        .where('id', '=', id)
        .where('revision', '=', revision)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** The latest version of every banner. */
    listPublished: (): Promise<BannerVersion[]> =>
      database
        .selectFrom('bannerVersions')
        .selectAll()
        .where(({ eb, selectFrom }) =>
          eb(
            'version',
            '=',
            selectFrom('bannerVersions as other')
              .select(({ fn }) => fn.max('other.version').as('version'))
              .whereRef('other.id', '=', 'bannerVersions.id'),
          ),
        )
        .orderBy('id')
        .execute(),

    /** A banner's latest versions, newest first. */
    listVersions: (id: string): Promise<BannerVersion[]> =>
      database
        .selectFrom('bannerVersions')
        .selectAll()
        .where('id', '=', id)
        .orderBy('version', 'desc')
        .limit(MAX_HISTORY)
        .execute(),

    async insertVersion(version: Insertable<BannerVersionsTable>): Promise<void> {
      await database.insertInto('bannerVersions').values(version).execute()
    },
  }
}
