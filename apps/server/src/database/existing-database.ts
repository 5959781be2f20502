import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { type Database, openDatabase } from './database.ts'
import { EMBEDDED_FILE } from './sqlite.ts'

/**
 * Opens the configured database for an operator's command.
 *
 * @throws ConfigError - when there is no embedded database yet: without the server's keys it could not be used later
 */
export async function openExistingDatabase(config: Config): Promise<Database> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl === undefined && !existsSync(join(dataDir, EMBEDDED_FILE))) {
    throw new ConfigError([`There is no database in ${dataDir}. Start the server first`])
  }
  return openDatabase(config)
}
