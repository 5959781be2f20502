import type { Database } from '../database/database.ts'

/** Data that operators publish and that every node holds in memory. */
export type PublishedName = 'organizations' | 'banners'

/** How many times each kind of data has been published. */
export type PublishedVersions = Readonly<Record<PublishedName, number>>

/** Counts publications, so that a node can check with one small query whether it must reload. */
export function publishedDataStore(database: Database) {
  return {
    async getVersions(): Promise<PublishedVersions> {
      const rows = await database.selectFrom('publishedData').select(['name', 'version']).execute()
      const versions = { organizations: 0, banners: 0 }
      for (const { name, version } of rows) versions[name] = version
      return versions
    },

    /**
     * Counts a publication prepared for this version, in a transaction. Of several prepared for the same version, only one
     * succeeds. Returns whether this one did.
     */
    async advance(name: PublishedName, version: number): Promise<boolean> {
      const row = await database
        .updateTable('publishedData')
        .set({ version: version + 1 })
        .where('name', '=', name)
        .where('version', '=', version)
        .returning('name')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
