/**
 * Wraps everything that is stored under the first master key anew. Each text is replaced by itself, so the work can be
 * stopped at any moment and done again: what is under the first key already is left alone.
 */

import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { openDatabase } from './database/database.ts'
import { vault as openVault } from './secrets/vault.ts'
import { type WrappedColumn, wrappedStore } from './secrets/wrapped.store.ts'

const BATCH = 200

/** How many texts of a table were wrapped anew. */
export interface Rotated {
  readonly table: WrappedColumn['table']
  readonly count: number
}

/**
 * Does it; `onProgress` hears of every batch.
 *
 * @throws ConfigError - where no key was given, or one that still wraps something is missing
 */
export async function rotateMasterKey(
  config: Config,
  onProgress: (rotated: Rotated) => void = () => undefined,
): Promise<number> {
  if (config.masterKeys === undefined) {
    throw new ConfigError([
      'MASTER_KEY is not set. Give the new key and, after a comma, the one in force; a generated one stands in master.key in DATA_DIR',
    ])
  }
  const vault = openVault(config.masterKeys)
  const database = await openDatabase(config)
  try {
    const store = wrappedStore(database)
    let total = 0
    for (const place of store.places) {
      for (let after = ''; ; ) {
        const { keyId } = vault
        const texts = await store.wrappedOtherwise(place, { keyId, after, limit: BATCH })
        for (const { id, wrapped: from } of texts) {
          const to = vault.wrap(place.purpose, vault.unwrap(place.purpose, from))
          await store.replace(place, { id, from, to })
        }
        const last = texts.at(-1)
        if (last === undefined) break
        after = last.id
        total += texts.length
        onProgress({ table: place.table, count: texts.length })
      }
    }
    return total
  } finally {
    await database.destroy()
  }
}
