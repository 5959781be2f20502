import { type ChainReport, verifyAudit } from './audit/audit-chain.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { openExistingDatabase } from './database/database.ts'
import { openVault } from './secrets/vault.ts'
import { allStores } from './stores.ts'

/**
 * Verifies the audit log of the configured database.
 *
 * @param noted - a head from the log, `SEQUENCE:HASH`
 * @throws ConfigError - when there is no embedded database yet, or the head is not one
 */
export async function verifyAuditLog(config: Config, noted?: string): Promise<ChainReport> {
  const [, sequence, hash] = /^(\d+):([\w-]{43})$/.exec(noted ?? '') ?? []
  if (noted !== undefined && hash === undefined) {
    throw new ConfigError([`${noted} is not a head. Copy it from a line "audit log sealed"`])
  }
  const database = await openExistingDatabase(config)
  try {
    return await verifyAudit(
      { stores: allStores(database), vault: openVault(config) },
      hash === undefined ? undefined : { sequence: Number(sequence), hash },
    )
  } finally {
    await database.destroy()
  }
}
