import { Refusal } from '@portico/contracts/errors'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { openDatabase } from './database/database.ts'
import { createScimToken } from './scim/scim-tokens.ts'
import { allStores } from './stores.ts'

/**
 * Creates a token for the directory of an identity provider.
 *
 * @throws ConfigError - for an unknown provider, and when the database cannot be opened
 */
export async function scimToken(config: Config, providerId: string): Promise<string> {
  const database = await openDatabase(config)
  try {
    return await allStores(database).atomically((transaction) =>
      createScimToken(transaction, { providerId, at: Date.now() }),
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new ConfigError([`There is no identity provider with the ID ${providerId}`])
  } finally {
    await database.destroy()
  }
}
