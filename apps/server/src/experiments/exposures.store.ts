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
        .insertInto('experimentExposures')
        .values({
          id: randomUUID(),
          trackerUuid: exposure.trackerUuid,
          experimentKey: exposure.experimentKey,
          variant: exposure.variant,
          organizationCode: exposure.orgCode,
          exposedAt: exposure.at,
        })
        .onConflict((conflict) => conflict.columns(['trackerUuid', 'experimentKey']).doNothing())
        .returning('id')
        .executeTakeFirst()
      return added !== undefined
    },
  }
}
