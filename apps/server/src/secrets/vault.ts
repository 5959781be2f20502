/**
 * The vault wraps every secret at rest (AES-256-GCM under the master key) and computes keyed hashes. Each wrapped text
 * names its key, so keys can rotate: the first key wraps, all of them unwrap. No key leaves the vault.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { ConfigError, unusableDataDir } from '../config-error.ts'
import { EMBEDDED_FILE } from '../database/sqlite.ts'
import { sha256 } from './hashes.ts'

/** `purpose` separates uses: a value made for one purpose is useless for another. */
export interface Vault {
  readonly wrap: (purpose: string, text: string) => string
  readonly unwrap: (purpose: string, wrapped: string) => string
  readonly mac: (purpose: string, text: string) => string
  /** Like `mac`, with each key, the current one first, for values that must stay valid while keys rotate. */
  readonly macs: (purpose: string, text: string) => readonly string[]
  /** The ID of the wrapping key. Values wrapped by it start with this ID and a dot. */
  readonly keyId: string
}

/** The file with the generated master key, in the data folder. */
const KEY_FILE = 'master.key'
const KEY_BYTES = 32
/** Enforced because Node accepts shorter tags, which are easier to forge. */
const TAG_BYTES = 16

/**
 * Opens the vault with the configured master keys, or with the generated key in the data folder.
 *
 * @throws ConfigError - when the master key is unusable or does not match the database in the same folder
 */
export function openVault({
  masterKeys,
  dataDir,
  databaseUrl,
}: Pick<Config, 'masterKeys' | 'dataDir' | 'databaseUrl'>): Vault {
  if (masterKeys !== undefined) return vault(masterKeys)
  const path = join(dataDir, KEY_FILE)
  if (databaseUrl === undefined && !existsSync(path) && existsSync(join(dataDir, EMBEDDED_FILE))) {
    throw new ConfigError([
      `${path} is missing, and the database beside it cannot be read without it. Restore the ${KEY_FILE} of this database, or set the MASTER_KEY it was created with`,
    ])
  }
  return vault(
    generatedMasterKeys(dataDir),
    () =>
      `${path} is not the key of this database. Restore the ${KEY_FILE} of this database, or set the MASTER_KEY it was created with`,
  )
}

/**
 * Creates a vault from base64 master keys, the current one first.
 *
 * @param missingKeyMessage - the error for a value wrapped by a key that is not among them
 */
export function vault(
  masterKeys: readonly string[],
  missingKeyMessage = (id: string) =>
    `MASTER_KEY lacks the key ${id}, which wrapped stored secrets. Add it after the current one`,
): Vault {
  const keys = new Map(
    masterKeys.map((key) => [sha256(key).slice(0, 8), Buffer.from(key, 'base64')]),
  )
  const [[currentId, current] = []] = keys
  if (currentId === undefined || current === undefined)
    throw new ConfigError(['MASTER_KEY is empty'])
  // Key objects, because creating one from bytes on every use would cost more than the operation itself.
  const derived = new Map<string, KeyObject>()

  function derive(id: string, master: Buffer, purpose: string): KeyObject {
    const name = `${id} ${purpose}`
    const known = derived.get(name)
    if (known) return known
    const bytes = hkdfSync('sha256', master, '', `portico ${purpose}`, KEY_BYTES)
    const key = createSecretKey(Buffer.from(bytes))
    derived.set(name, key)
    return key
  }

  const macBy = (id: string, master: Buffer, purpose: string, text: string) =>
    createHmac('sha256', derive(id, master, `mac ${purpose}`))
      .update(text)
      .digest('base64url')

  return {
    keyId: currentId,
    wrap(purpose, text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', derive(currentId, current, purpose), iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const parts = [iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))
      return [currentId, ...parts].join('.')
    },
    unwrap(purpose, wrapped) {
      const [id = '', iv = '', tag = '', sealed = ''] = wrapped.split('.')
      const master = keys.get(id)
      if (!master) throw new ConfigError([missingKeyMessage(id)])
      const bytes = (part: string) => Buffer.from(part, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', derive(id, master, purpose), bytes(iv), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes(tag))
      return Buffer.concat([decipher.update(bytes(sealed)), decipher.final()]).toString('utf8')
    },
    mac: (purpose, text) => macBy(currentId, current, purpose, text),
    macs: (purpose, text) => [...keys].map(([id, master]) => macBy(id, master, purpose, text)),
  }
}

/**
 * Reads the generated master key from the data folder and creates it on the first start, readable only by its owner.
 */
export function generatedMasterKeys(dataDir: string): readonly string[] {
  const path = join(dataDir, KEY_FILE)
  const key = readKeyFile(path)
  if (Buffer.from(key, 'base64').length === KEY_BYTES) return [key]
  throw new ConfigError([
    `${path} does not hold ${KEY_BYTES} bytes in base64. Restore the original file: without it, stored data cannot be read`,
  ])
}

/** @throws ConfigError - when the folder or the file is unusable */
function readKeyFile(path: string): string {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    if (!existsSync(path)) createKeyFile(path)
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw unusableDataDir((error as Error).message)
  }
}

/** Written to a temporary file and then linked, so a process killed in between leaves no partial key. */
function createKeyFile(path: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, randomBytes(KEY_BYTES).toString('base64'), { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    // Another process created the file first; its key is used.
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
