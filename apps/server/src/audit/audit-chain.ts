/**
 * The audit log's hash chain. Writers only insert entries. Every few seconds a sealer numbers the committed entries, hashes
 * each one with the previous hash, and seals the head with a key that only the master key decrypts. A deleted entry leaves a
 * gap and a changed entry has a different hash. Entries are unprotected until they are sealed. Deleting the newest entries
 * together with their seals is detected only against a head recorded elsewhere: each head is written to the server log, and
 * each node checks that the chain still contains the last one it has seen.
 */
import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { constantTimeEqual, randomSecret, sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'
import type { AuditEntry } from './audit-chain.store.ts'

/** How many entries are sealed at once. With the embedded database, requests wait that long. */
const SEAL_BATCH = 100
/** How many entries are verified at once. */
const VERIFY_BATCH = 500
const SEAL_INTERVAL_MS = 2000
/** The maximum number of errors listed. */
const MAX_ERRORS = 20
const KEY_PURPOSE = 'audit chain'

interface ChainDeps {
  readonly stores: TransactionalStores<'auditChain'>
  readonly vault: Vault
}

/** A position in the chain, as written to the server log and accepted by `npm run verify-audit`. */
export interface Head {
  readonly sequence: number
  readonly hash: string
}

const textOf = ({ sequence, hash }: Head) => `${sequence}:${hash}`

/**
 * Seals all committed entries. Returns the head if it moved. Safe to run on several nodes at once. Between two batches it
 * waits as long as one took, so that after an import the embedded database serves requests half of the time.
 */
export async function sealAudit({
  stores,
  vault,
  clock,
}: ChainDeps & { readonly clock: Clock }): Promise<Head | undefined> {
  let head: Head | undefined
  for (;;) {
    // Read before the lock, so that idle nodes write nothing.
    if ((await stores.auditChain.listUnsealed(1)).length === 0) return head
    const startedAt = performance.now()
    const sealed = await stores.atomically(async ({ auditChain }) => {
      const { wrappedKey, ...last } = await auditChain.lockHead()
      const lines = await auditChain.listUnsealed(SEAL_BATCH)
      if (lines.length === 0) return { head: undefined, count: 0 }
      const keptKey = wrappedKey === '' ? vault.wrap(KEY_PURPOSE, randomSecret()) : wrappedKey
      let next: Head = last
      for (const line of lines) {
        next = { sequence: next.sequence + 1, hash: entryHash(line, next) }
        await auditChain.updateLine(line.id, next)
      }
      const sealedAt = clock()
      const mac = sealMac(vault.unwrap(KEY_PURPOSE, keptKey), { ...next, sealedAt })
      await auditChain.insertSeal({ ...next, sealedAt, mac })
      await auditChain.updateHead({ ...next, wrappedKey: keptKey })
      return { head: next, count: lines.length }
    })
    head = sealed.head ?? head
    if (sealed.count < SEAL_BATCH) return head
    await wait(performance.now() - startedAt)
  }
}

/**
 * Seals periodically and writes each new head to the log, at any `LOG_LEVEL`. Reports a chain that no longer contains the last
 * head that this node has seen. Returns a function that seals what is left and stops.
 */
export function startSealing(
  deps: ChainDeps & { readonly clock: Clock; readonly log: Logger },
): () => Promise<void> {
  const { stores, log } = deps
  const published = log.child({}, { level: 'info' })
  let seen: Head | undefined
  let running: Promise<void> | undefined
  const run = async () => {
    try {
      if (seen !== undefined && !(await hasHead(stores, seen))) {
        published.error({ head: textOf(seen) }, 'entries of the audit log were removed')
        seen = undefined
      }
      // When the node starts, the head may be of a process that was killed before it logged it.
      const head =
        (await sealAudit(deps)) ?? (seen === undefined ? await findHead(stores) : undefined)
      if (head === undefined) return
      seen = head
      published.info({ head: textOf(head) }, 'audit log sealed')
    } catch (error) {
      log.error({ err: error }, 'the audit log could not be sealed')
    }
  }
  const sealing = setInterval(() => {
    running ??= run().finally(() => {
      running = undefined
    })
  }, SEAL_INTERVAL_MS)
  return async () => {
    clearInterval(sealing)
    await running
    await run()
  }
}

async function findHead({ auditChain }: ChainDeps['stores']): Promise<Head | undefined> {
  const { sequence = 0, hash = '' } = (await auditChain.findHead()) ?? {}
  return sequence === 0 ? undefined : { sequence, hash }
}

async function hasHead({ auditChain }: ChainDeps['stores'], head: Head): Promise<boolean> {
  const [entry] = await auditChain.listEntries(head.sequence - 1, 1)
  return entry?.sequence === head.sequence && entry.hash === head.hash
}

export interface ChainReport {
  /** The first few errors. */
  readonly errors: readonly string[]
  /** The number of entries in the chain. */
  readonly entries: number
  readonly head: Head | undefined
  readonly sealedAt: number | undefined
  /** Whether entries are waiting to be sealed. */
  readonly hasUnsealed: boolean
}

/**
 * Checks every entry and every seal. With `noted`, heads from the server log, also checks that the chain contains each of
 * them. Entries sealed in the meantime are checked as well.
 */
export async function verifyAudit(
  { stores, vault }: ChainDeps,
  noted: readonly Head[] = [],
): Promise<ChainReport> {
  const { auditChain } = stores
  const errors: string[] = []
  const report = (error: string) => {
    if (errors.length < MAX_ERRORS) errors.push(error)
  }
  /** The sealing key, created with the first seal. */
  const findKey = async () => {
    const { wrappedKey = '' } = (await auditChain.findHead()) ?? {}
    return wrappedKey === '' ? undefined : vault.unwrap(KEY_PURPOSE, wrappedKey)
  }
  let key: string | undefined
  let last: Head = { sequence: 0, hash: '' }
  const missing = Map.groupBy(noted, ({ sequence }) => sequence)
  let count = 0
  /** Checks the entries after `last`, up to the end. */
  const checkLines = async () => {
    for (;;) {
      const lines = await auditChain.listEntries(last.sequence, VERIFY_BATCH)
      const until = lines.at(-1)?.sequence
      if (until === undefined) return
      key ??= await findKey()
      const seals = new Map(
        (await auditChain.listSeals(last.sequence, until)).map((seal) => [seal.sequence, seal]),
      )
      for (const { sequence, hash, ...line } of lines) {
        count += 1
        if (sequence !== last.sequence + 1) {
          report(`Entries ${last.sequence + 1} to ${sequence - 1} are missing`)
        } else if (hash !== entryHash(line, last)) {
          report(`Entry ${sequence} (${line.id}) was changed, or one before it was replaced`)
        }
        const seal = seals.get(sequence)
        if (seal !== undefined && !(key !== undefined && isSealed(key, seal, hash))) {
          report(`The seal of entry ${sequence} is wrong`)
        }
        seals.delete(sequence)
        last = { sequence, hash }
        if (missing.get(sequence)?.some((head) => head.hash !== hash)) {
          report(`Entry ${sequence} does not have the noted hash`)
        }
        missing.delete(sequence)
      }
      for (const sequence of seals.keys()) report(`Entry ${sequence} is missing but has a seal`)
    }
  }
  let lastSeal: Awaited<ReturnType<typeof auditChain.lastSeal>>
  let stored: Awaited<ReturnType<typeof auditChain.findHead>>
  let isAhead: boolean
  do {
    const before = stored?.sequence
    await checkLines()
    // In this order, so that entries sealed in the meantime move the head and are checked in another round.
    lastSeal = await auditChain.lastSeal()
    stored = await auditChain.findHead()
    isAhead = stored !== undefined && stored.sequence > last.sequence && stored.sequence !== before
  } while (isAhead)
  if ((lastSeal?.sequence ?? 0) !== last.sequence) {
    report(`The last entry is ${last.sequence}, but the last seal is of ${lastSeal?.sequence ?? 0}`)
  }
  if (stored?.sequence !== last.sequence || stored.hash !== last.hash) {
    report(`The head of the chain is not its last entry (${last.sequence})`)
  }
  for (const sequence of missing.keys()) report(`The noted entry ${sequence} is missing`)
  return {
    errors,
    entries: count,
    head: count === 0 ? undefined : last,
    sealedAt: lastSeal?.sealedAt,
    hasUnsealed: (await auditChain.listUnsealed(1)).length > 0,
  }
}

function entryHash(line: AuditEntry, before: Head): string {
  const { id, createdAt, kind, identityId, organizationCode, network, details, operatorId } = line
  return sha256(
    JSON.stringify([
      before.sequence + 1,
      before.hash,
      id,
      createdAt,
      kind,
      identityId,
      organizationCode,
      network,
      details,
      operatorId,
    ]),
  )
}

function sealMac(key: string, seal: Head & { readonly sealedAt: number }): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([seal.sequence, seal.hash, seal.sealedAt]))
    .digest('base64url')
}

function isSealed(
  key: string,
  seal: Head & { readonly sealedAt: number; readonly mac: string },
  hash: string,
): boolean {
  return seal.hash === hash && constantTimeEqual(seal.mac, sealMac(key, seal))
}
