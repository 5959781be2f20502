/**
 * Re-encrypts all stored secrets with the first master key. Values are replaced one by one, and those already encrypted with
 * the first key are skipped, so the rotation can be stopped and repeated at any time.
 */

import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { openDatabase } from './database/database.ts'
import { vault as openVault } from './secrets/vault.ts'
import { type WrappedColumn, wrappedStore } from './secrets/wrapped.store.ts'

const BATCH = 200

/** The progress of a rotation: how many values of a table were re-encrypted. */
export interface RotationProgress {
  readonly table: WrappedColumn['table']
  readonly count: number
}

/**
 * @param onProgress - called after each batch
 * @returns the number of re-encrypted values
 * @throws ConfigError - when no key is set, or a key that is still in use is missing
 */
export async function rotateMasterKey(
  config: Config,
  onProgress: (progress: RotationProgress) => void = () => undefined,
): Promise<number> {
  if (config.masterKeys === undefined) {
    throw new ConfigError([
      'MASTER_KEY is not set. Set it to the new key, a comma and the current key; a generated key is in master.key in DATA_DIR',
    ])
  }
  const vault = openVault(config.masterKeys)
  const database = await openDatabase(config)
  try {
    const store = wrappedStore(database)
    let total = 0
    for (const column of store.columns) {
      for (let after = ''; ; ) {
        const { keyId } = vault
        const texts = await store.listByOtherKeys(column, { keyId, after, limit: BATCH })
        for (const { id, wrapped: from } of texts) {
          const to = vault.wrap(column.purpose, vault.unwrap(column.purpose, from))
          await store.replace(column, { id, from, to })
        }
        const last = texts.at(-1)
        if (last === undefined) break
        after = last.id
        total += texts.length
        onProgress({ table: column.table, count: texts.length })
      }
    }
    return total
  } finally {
    await database.destroy()
  }
}
