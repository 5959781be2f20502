/**
 * The keys that sign tokens, shared by all nodes through the database. A new key is published first and starts signing
 * an hour later, when every node has read it and every cache of the public keys has expired. Its predecessor verifies
 * tokens until the last one it signed has expired, and is then deleted.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SIGNING_KEY_LIFETIME_MS, SIGNING_KEY_PUBLISHED_MS } from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'
import type { SigningKeyRow } from './signing-keys.store.ts'

/** Keys for one use: where they are stored, the purpose they are wrapped for, and the lifetime of what they sign. */
interface KeyUse {
  readonly table: 'openidKeys' | 'signingKeys'
  readonly purpose: 'openid key' | 'signing key'
  readonly namedCurve: 'P-256' | 'secp256k1'
  readonly tokenLifetimeMs: number
}

/** A key pair. `id` is the `kid` of its tokens. */
export interface SigningKey {
  readonly id: string
  readonly createdAt: number
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Opens the signing keys and creates the first one if there is none. */
export async function openSigningKeys(
  {
    stores,
    vault,
    clock,
  }: {
    readonly stores: TransactionalStores<'openidKeys' | 'signingKeys' | 'singleUse'>
    readonly vault: Vault
    readonly clock: Clock
  },
  { table, purpose, namedCurve, tokenLifetimeMs }: KeyUse,
) {
  let keys: readonly SigningKey[] = []

  async function read(): Promise<void> {
    const known = new Map(keys.map((key) => [key.id, key]))
    keys = (await stores[table].list()).map((row) => known.get(row.id) ?? unwrapKey(row))
  }

  function unwrapKey({ id, wrapped, createdAt }: SigningKeyRow): SigningKey {
    const privateKey = createPrivateKey(vault.unwrap(purpose, wrapped))
    return { id, createdAt, privateKey, publicKey: createPublicKey(privateKey) }
  }

  /**
   * Nodes that find the same key due agree on one successor: `singleUse` makes the second wait for the first one's
   * commit.
   */
  async function createSuccessor(predecessor: string | undefined): Promise<void> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve })
    const id = sha256(publicKey.export({ type: 'spki', format: 'pem' }).toString()).slice(0, 16)
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const wrapped = vault.wrap(purpose, pem)
    const claim = predecessor === undefined ? `first ${purpose}` : `${purpose} after ${predecessor}`
    await stores.atomically(async (transaction) => {
      if (!(await transaction.singleUse.consume(claim, Number.MAX_SAFE_INTEGER))) return
      await transaction[table].insert({ id, wrapped, createdAt: clock() })
    })
  }

  /** The newest key that has been published for long enough. The very first key signs immediately. */
  function current(): SigningKey {
    const signing = keys.findLast(
      ({ createdAt }) => createdAt + SIGNING_KEY_PUBLISHED_MS <= clock(),
    )
    const key = signing ?? keys[0]
    if (key === undefined) throw new Error('There is no signing key')
    return key
  }

  /** Whether every token of a key has expired, allowing for a node that read the successor late. */
  function isRetired(index: number): boolean {
    const successor = keys[index + 1]
    if (successor === undefined) return false
    const signedUntil = successor.createdAt + 2 * SIGNING_KEY_PUBLISHED_MS
    return signedUntil + tokenLifetimeMs <= clock()
  }

  async function refresh(): Promise<void> {
    await read()
    const newest = keys.at(-1)
    if (newest === undefined || newest.createdAt + SIGNING_KEY_LIFETIME_MS <= clock()) {
      await createSuccessor(newest?.id)
      await read()
    }
    for (const { id } of keys.filter((_, index) => isRetired(index))) {
      await stores[table].delete(id)
      keys = keys.filter((key) => key.id !== id)
    }
  }

  await refresh()
  if (keys.length === 0) throw new Error('The new signing key is missing from the database')
  return { all: () => keys, current, refresh }
}
