import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { type ChainReport, type Head, verifyAudit } from './audit/audit-chain.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { openExistingDatabase } from './database/database.ts'
import { openVault } from './secrets/vault.ts'
import { allStores } from './stores.ts'

/**
 * Verifies the audit log of the configured database.
 *
 * @param noted - heads, `SEQUENCE:HASH`
 * @param logFile - a log of the server, of which every head is checked
 * @throws ConfigError - when there is no embedded database yet, a head is not one, or the log cannot be read
 */
export async function verifyAuditLog(
  config: Config,
  {
    noted = [],
    logFile,
  }: { readonly noted?: readonly string[]; readonly logFile?: string | undefined } = {},
): Promise<ChainReport> {
  const heads = noted.map(parseHead)
  if (logFile !== undefined) heads.push(...(await readHeads(logFile)))
  const database = await openExistingDatabase(config)
  try {
    return await verifyAudit({ stores: allStores(database), vault: openVault(config) }, heads)
  } finally {
    await database.destroy()
  }
}

function parseHead(text: string): Head {
  const [, sequence, hash] = /^(\d+):([\w-]{43})$/.exec(text) ?? []
  if (hash === undefined) {
    throw new ConfigError([`${text} is not a head. Copy it from a line "audit log sealed"`])
  }
  return { sequence: Number(sequence), hash }
}

async function readHeads(file: string): Promise<Head[]> {
  const heads: Head[] = []
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const [, head] = /"head":"(\d+:[\w-]{43})"/.exec(line) ?? []
      if (head !== undefined) heads.push(parseHead(head))
    }
  } catch (error) {
    throw new ConfigError([`${file} cannot be read: ${(error as Error).message}`])
  }
  if (heads.length === 0) throw new ConfigError([`${file} has no line "audit log sealed"`])
  return heads
}
