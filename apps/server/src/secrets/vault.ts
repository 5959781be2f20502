/**
 * The vault: everything secret at rest is wrapped here (AES-256-GCM under the master key), and keyed hashes are made
 * here. Each wrapped text names its key, so that keys rotate: the first wraps, all unwrap. It never gives a key away.
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

/** Wraps, unwraps and makes keyed hashes; `purpose` separates uses, so that no value serves for another. */
export interface Vault {
  readonly wrap: (purpose: string, text: string) => string
  readonly unwrap: (purpose: string, wrapped: string) => string
  readonly mac: (purpose: string, text: string) => string
  /** The name of the key that wraps; a text it wrapped begins with it and a dot. */
  readonly keyId: string
}

/** A generated master key in the data folder. */
const KEY_FILE = 'master.key'
const KEY_BYTES = 32
/** A shorter tag is easier to forge, and Node would take it. */
const TAG_BYTES = 16

/**
 * Makes the vault of an installation.
 *
 * @throws ConfigError - where its master key cannot be used, or is not beside the database that it belongs to
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
      `${path} is missing, and nothing in the database beside it can be read without it. Put the ${KEY_FILE} of this database there, or set the MASTER_KEY of that time`,
    ])
  }
  return vault(
    generatedMasterKeys(dataDir),
    () =>
      `${path} is not the key of this database. Put the ${KEY_FILE} of this database there, or set the MASTER_KEY of that time`,
  )
}

/**
 * Makes the vault from master keys in base64, the current one first.
 *
 * @param lacking - what to say where a text was wrapped by a key that is not among them
 */
export function vault(
  masterKeys: readonly string[],
  lacking = (id: string) => `MASTER_KEY lacks the key ${id}, which stored secrets are wrapped by`,
): Vault {
  const keys = new Map(
    masterKeys.map((key) => [sha256(key).slice(0, 8), Buffer.from(key, 'base64')]),
  )
  const [[currentId, current] = []] = keys
  if (currentId === undefined || current === undefined)
    throw new ConfigError(['MASTER_KEY is empty'])
  // As key objects: from plain bytes one would be made for each use, which costs more than the use.
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
      if (!master) throw new ConfigError([lacking(id)])
      const bytes = (part: string) => Buffer.from(part, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', derive(id, master, purpose), bytes(iv), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes(tag))
      return Buffer.concat([decipher.update(bytes(sealed)), decipher.final()]).toString('utf8')
    },
    mac: (purpose, text) =>
      createHmac('sha256', derive(currentId, current, `mac ${purpose}`))
        .update(text)
        .digest('base64url'),
  }
}

/** The master keys of an installation that configured none: made once, kept in its data folder, readable by it alone. */
export function generatedMasterKeys(dataDir: string): readonly string[] {
  const path = join(dataDir, KEY_FILE)
  const key = keyIn(path)
  if (Buffer.from(key, 'base64').length === KEY_BYTES) return [key]
  throw new ConfigError([
    `${path} does not hold ${KEY_BYTES} bytes in base64. Put the file back as it was: without it, what is stored cannot be read`,
  ])
}

/** @throws ConfigError - where the folder or the file cannot be used */
function keyIn(path: string): string {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    if (!existsSync(path)) makeKeyFile(path)
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw unusableDataDir((error as Error).message)
  }
}

/** Written whole beside its place and then put there: a process killed in between leaves no half of a key. */
function makeKeyFile(path: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, randomBytes(KEY_BYTES).toString('base64'), { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    // Another process may have been first; its key is as good.
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
