/**
 * The envelope that encrypts messages so that the relay cannot read them (protocol 4): AES-256-CBC, then HMAC-SHA256 over ciphertext
 * and iv, in this order, both with the key of the connection URI. WebCrypto only, so a page needs a secure context.
 * Payloads that do not verify are dropped silently: their sender does not have the key.
 */
import { bytesOfHex, hexOf, utf8TextOf } from '@portico/keys/bytes'
import { fieldsOf } from './fields.ts'

/** The key of a connection, imported as non-extractable WebCrypto keys. */
export interface EnvelopeKey {
  readonly cipher: CryptoKey
  readonly seal: CryptoKey
}

const IV_BYTES = 16
const BLOCK_BYTES = 16
const HMAC_BYTES = 32

/** Imports the 32-byte key of a connection URI. */
export async function envelopeKey(bytes: Uint8Array): Promise<EnvelopeKey> {
  const raw = new Uint8Array(bytes)
  const [cipher, seal] = await Promise.all([
    crypto.subtle.importKey('raw', raw, 'AES-CBC', false, ['encrypt', 'decrypt']),
    crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
      'verify',
    ]),
  ])
  return { cipher, seal }
}

/** Encrypts a text into the payload of a frame. The iv is random; tests pass a fixed one. */
export async function seal(
  key: EnvelopeKey,
  text: string,
  iv: Uint8Array<ArrayBuffer> = crypto.getRandomValues(new Uint8Array(IV_BYTES)),
): Promise<string> {
  const plain = new TextEncoder().encode(text)
  const data = new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key.cipher, plain),
  )
  const hmac = await crypto.subtle.sign('HMAC', key.seal, concatenated(data, iv))
  return JSON.stringify({ data: hexOf(data), hmac: hexOf(new Uint8Array(hmac)), iv: hexOf(iv) })
}

/** Decrypts a payload; `undefined` if this key did not seal it. WebCrypto compares the HMAC in constant time. */
export async function open(key: EnvelopeKey, payload: string): Promise<string | undefined> {
  const fields = fieldsOf(payload)
  const data = bytesIn(fields['data'])
  const hmac = bytesIn(fields['hmac'])
  const iv = bytesIn(fields['iv'])
  if (data === undefined || data.length === 0 || data.length % BLOCK_BYTES > 0) return undefined
  if (hmac?.length !== HMAC_BYTES || iv?.length !== IV_BYTES) return undefined
  if (!(await crypto.subtle.verify('HMAC', key.seal, hmac, concatenated(data, iv))))
    return undefined
  try {
    const plain = await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key.cipher, data)
    return utf8TextOf(new Uint8Array(plain))
  } catch {
    // Sealed with the right key, but with bad padding: treated like any other unreadable payload.
    return undefined
  }
}

/** Accepts upper-case hex too: some peers send it. */
function bytesIn(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  const bytes = typeof value === 'string' ? bytesOfHex(value) : undefined
  return bytes && new Uint8Array(bytes)
}

function concatenated(data: Uint8Array, iv: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(data.length + iv.length)
  both.set(data)
  both.set(iv, data.length)
  return both
}
