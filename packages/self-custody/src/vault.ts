/**
 * The encrypted vault of a wallet on the user's device. A random data key encrypts the content; the passphrase and, if there
 * is one, a passkey each wrap that key. Everything is one string, so every change is a single write. The additional data of
 * each encryption contains its purpose, the version, the vault and its own parameters, so no part can be replaced by
 * another.
 */
import { Refusal } from '@portico/contracts/errors'
import { parseJson } from '@portico/contracts/parse-json'
import { Uuid } from '@portico/contracts/text'
import { base64Of, bytesOfBase64, utf8TextOf } from '@portico/keys/bytes'
import * as z from 'zod/mini'
import {
  base64Bytes,
  KEY_BYTES,
  PassphraseDerivation,
  type PassphraseKey,
  SALT_BYTES,
} from './passphrase-key.ts'

/** Raised whenever earlier versions could not read the vault or its content, so that they ask for an update. */
const VERSION = 1

const NONCE_BYTES = 12

type Bytes = Uint8Array<ArrayBuffer>

const Base64 = z.base64().check(z.minLength(1))

const Sealed = z.strictObject({ nonce: base64Bytes(NONCE_BYTES), ciphertext: Base64 })
type Sealed = z.output<typeof Sealed>

const PasskeyDerivation = z.strictObject({
  algorithm: z.literal('prf-hkdf-sha256'),
  credentialId: Base64,
  /** The salt for the passkey, and the salt of the derivation from its output. */
  prfSalt: base64Bytes(SALT_BYTES),
  hkdfSalt: base64Bytes(SALT_BYTES),
})
type PasskeyDerivation = z.output<typeof PasskeyDerivation>

const wrapping = <Derivation extends z.ZodMiniType>(derivation: Derivation) =>
  z.strictObject({ derivation, dataKey: Sealed })

const StoredVault = z.strictObject({
  version: z.literal(VERSION),
  id: Uuid,
  passphrase: wrapping(PassphraseDerivation),
  passkey: z.nullable(wrapping(PasskeyDerivation)),
  content: Sealed,
})

export type StoredVault = z.output<typeof StoredVault>

/** The part that every later version of a vault has. */
const LaterVault = z.object({ version: z.number().check(z.int(), z.gt(VERSION)) })

/** The data key of a vault, as a key that cannot be exported. */
export interface VaultKey {
  readonly vaultId: string
  readonly cipher: CryptoKey
}

/** A passkey's PRF output, with what is needed to derive it again. */
export interface PasskeySecret {
  readonly credentialId: Uint8Array
  readonly prfSalt: Uint8Array
  readonly prfOutput: Uint8Array
}

/** @throws Refusal - `vault-damaged`, `vault-from-newer-version` */
export function readVault(text: string): StoredVault {
  const json = parseJson(text)
  const parsed = StoredVault.safeParse(json)
  if (parsed.success) return parsed.data
  const code = LaterVault.safeParse(json).success ? 'vault-from-newer-version' : 'vault-damaged'
  throw new Refusal(code, { cause: parsed.error })
}

/** Encrypts a new vault. The caller overwrites the data key when it is no longer needed. */
export async function createVault(
  content: string,
  passphraseKey: PassphraseKey,
): Promise<{ readonly vault: StoredVault; readonly dataKey: Bytes }> {
  const dataKey = randomBytes(KEY_BYTES)
  const id = crypto.randomUUID()
  const key = await importVaultKey(id, dataKey)
  return {
    vault: {
      version: VERSION,
      id,
      passphrase: await wrapWithPassphrase(id, dataKey, passphraseKey),
      passkey: null,
      content: await sealContent(key, content),
    },
    dataKey,
  }
}

export async function importVaultKey(vaultId: string, dataKey: Uint8Array): Promise<VaultKey> {
  return { vaultId, cipher: await aesKey(new Uint8Array(dataKey)) }
}

/** Encrypts the content of a vault with a fresh nonce. */
export function sealContent({ vaultId, cipher }: VaultKey, content: string): Promise<Sealed> {
  return seal(cipher, new TextEncoder().encode(content), additionalData(vaultId, 'content'))
}

/** @throws Refusal - `vault-damaged` */
export async function openContent(
  { vaultId, cipher }: VaultKey,
  { content }: StoredVault,
): Promise<string> {
  const opened = await open(cipher, content, additionalData(vaultId, 'content'))
  const text = opened && utf8TextOf(opened)
  if (text === undefined) throw new Refusal('vault-damaged')
  return text
}

/** Wraps the data key with the key from a passphrase. */
export async function wrapWithPassphrase(
  vaultId: string,
  dataKey: Bytes,
  { derivation, key }: PassphraseKey,
): Promise<StoredVault['passphrase']> {
  const cipher = await aesKeyOnce(bytesIn(key))
  const context = additionalData(vaultId, 'data key by passphrase', derivation)
  return { derivation, dataKey: await seal(cipher, dataKey, context) }
}

/** The data key, or undefined if the key is from a wrong passphrase. */
export async function unwrapWithPassphrase(
  { id, passphrase: { derivation, dataKey } }: StoredVault,
  { key }: PassphraseKey,
): Promise<Bytes | undefined> {
  const cipher = await aesKeyOnce(bytesIn(key))
  return open(cipher, dataKey, additionalData(id, 'data key by passphrase', derivation))
}

/** Wraps the data key with a key from a passkey's PRF output. */
export async function wrapWithPasskey(
  vaultId: string,
  dataKey: Bytes,
  { credentialId, prfSalt, prfOutput }: PasskeySecret,
): Promise<NonNullable<StoredVault['passkey']>> {
  const derivation = {
    algorithm: 'prf-hkdf-sha256' as const,
    credentialId: base64Of(credentialId),
    prfSalt: base64Of(prfSalt),
    hkdfSalt: base64Of(randomBytes(SALT_BYTES)),
  }
  const key = await keyFromPasskey(prfOutput, derivation, vaultId)
  const context = additionalData(vaultId, 'data key by passkey', derivation)
  return { derivation, dataKey: await seal(key, dataKey, context) }
}

/** The data key, or undefined if the PRF output is not that of the enrollment. */
export async function unwrapWithPasskey(
  vaultId: string,
  { derivation, dataKey }: NonNullable<StoredVault['passkey']>,
  prfOutput: Uint8Array,
): Promise<Bytes | undefined> {
  const key = await keyFromPasskey(prfOutput, derivation, vaultId)
  return open(key, dataKey, additionalData(vaultId, 'data key by passkey', derivation))
}

async function keyFromPasskey(
  prfOutput: Uint8Array,
  { hkdfSalt }: PasskeyDerivation,
  vaultId: string,
): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey('raw', new Uint8Array(prfOutput), 'HKDF', false, [
    'deriveKey',
  ])
  const info = additionalData(vaultId, 'wrapping key from passkey')
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: bytesIn(hkdfSalt), info },
    secret,
    { name: 'AES-GCM', length: 8 * KEY_BYTES },
    false,
    ['encrypt', 'decrypt'],
  )
}

async function seal(key: CryptoKey, plain: Bytes, context: Bytes): Promise<Sealed> {
  const nonce = randomBytes(NONCE_BYTES)
  const algorithm = { name: 'AES-GCM', iv: nonce, additionalData: context }
  const ciphertext = await crypto.subtle.encrypt(algorithm, key, plain)
  return { nonce: base64Of(nonce), ciphertext: base64Of(new Uint8Array(ciphertext)) }
}

async function open(key: CryptoKey, sealed: Sealed, context: Bytes): Promise<Bytes | undefined> {
  const algorithm = { name: 'AES-GCM', iv: bytesIn(sealed.nonce), additionalData: context }
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, bytesIn(sealed.ciphertext)))
  } catch {
    // The wrong key, or tampered data.
    return undefined
  }
}

const aesKey = (raw: Bytes) =>
  crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])

/** Imports a key and overwrites its bytes. */
async function aesKeyOnce(raw: Bytes): Promise<CryptoKey> {
  const key = await aesKey(raw)
  raw.fill(0)
  return key
}

const additionalData = (vaultId: string, purpose: string, parameters: object = {}) =>
  new TextEncoder().encode(
    JSON.stringify([
      'portico vault',
      VERSION,
      vaultId,
      purpose,
      ...Object.entries(parameters).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ]),
  )

const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length))

/** The schema has checked the format. */
const bytesIn = (base64: string): Bytes => new Uint8Array(bytesOfBase64(base64) ?? [])
