import { DAY_MS } from '@portico/contracts/limits'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import { type FileStorage, removeFile } from '../../file-storage/file-storage.ts'
import type { Stores } from '../../stores.ts'

/** How many files are looked up per query. */
const BATCH = 500

/**
 * Removes stored parts of files that are not in the database: their passport was deleted, their upload expired, or the
 * process ended before it removed them. Their keys are deleted, so no one can read them anyway. They are kept for a day in
 * case the server was started with the wrong database.
 *
 * @returns the number of files removed
 */
export async function removeOrphans({
  stores,
  storage,
  clock,
  log,
}: {
  readonly stores: Pick<Stores, 'passportFiles'>
  readonly storage: FileStorage
  readonly clock: Clock
  readonly log: Logger
}): Promise<number> {
  let removed = 0
  const removeUnknown = async (ids: readonly string[]) => {
    const known = await stores.passportFiles.listKnown(ids)
    for (const id of ids) {
      if (known.has(id)) continue
      const parts = await storage.listParts(id)
      if (parts.some(({ modifiedAt }) => modifiedAt > clock() - DAY_MS)) continue
      await removeFile(storage, id)
      removed += 1
    }
  }
  // Listed before the lookup, because a file is in the database before its first part is stored.
  let batch: string[] = []
  for await (const id of storage.listFiles()) {
    batch.push(id)
    if (batch.length < BATCH) continue
    await removeUnknown(batch)
    batch = []
  }
  await removeUnknown(batch)
  if (removed > 0) log.info({ removed }, 'evidence without a passport was removed')
  return removed
}
