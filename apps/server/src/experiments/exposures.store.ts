import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'

/** The visitors who were exposed to experiments. */
export function exposuresStore(database: Database) {
  return {
    /** Stores a visitor's first exposure to an experiment; returns whether this was the first. */
    async insert(exposure: {
      trackerUuid: string
      experimentKey: string
      variant: string
      orgCode: string
      at: number
    }): Promise<boolean> {
      const added = await database
        .insertInto('experiment_exposures')
        .values({
          id: randomUUID(),
          tracker_uuid: exposure.trackerUuid,
          experiment_key: exposure.experimentKey,
          variant: exposure.variant,
          organization_code: exposure.orgCode,
          exposed_at: exposure.at,
        })
        .onConflict((conflict) => conflict.columns(['tracker_uuid', 'experiment_key']).doNothing())
        .returning('id')
        .executeTakeFirst()
      return added !== undefined
    },
  }
}
