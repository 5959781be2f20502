/**
 * The envelope that hides a message from the relay (protocol 4): AES-256-CBC for the text, HMAC-SHA256 over ciphertext
 * and iv, in this order, both with the one key of the connection URI. WebCrypto only, so a page needs a secure context.
 * What does not open is dropped without a word: whoever sent it does not know the key.
 */
import { bytesOfHex, hexOf } from '@portico/keys/bytes'
import { fieldsOf } from './fields.ts'

/** The key of a connection, ready for use; its bytes cannot be read out of it. */
export interface EnvelopeKey {
  readonly cipher: CryptoKey
  readonly seal: CryptoKey
}

const IV_BYTES = 16
const BLOCK_BYTES = 16
const HMAC_BYTES = 32

/** Prepares the 32 bytes of a connection URI. */
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

/** Encrypts a text into the payload of a frame. The iv is chance and differs each time; tests hand in a known one. */
export async function seal(
  key: EnvelopeKey,
  text: string,
  iv: Uint8Array<ArrayBuffer> = crypto.getRandomValues(new Uint8Array(IV_BYTES)),
): Promise<string> {
  const plain = new TextEncoder().encode(text)
  const data = new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key.cipher, plain),
  )
  const hmac = await crypto.subtle.sign('HMAC', key.seal, joined(data, iv))
  return JSON.stringify({ data: hexOf(data), hmac: hexOf(new Uint8Array(hmac)), iv: hexOf(iv) })
}

/** Decrypts a payload; `undefined` for everything that this key did not seal. WebCrypto compares in constant time. */
export async function open(key: EnvelopeKey, payload: string): Promise<string | undefined> {
  const fields = fieldsOf(payload)
  const data = bytesIn(fields['data'])
  const hmac = bytesIn(fields['hmac'])
  const iv = bytesIn(fields['iv'])
  if (data === undefined || data.length === 0 || data.length % BLOCK_BYTES > 0) return undefined
  if (hmac?.length !== HMAC_BYTES || iv?.length !== IV_BYTES) return undefined
  if (!(await crypto.subtle.verify('HMAC', key.seal, hmac, joined(data, iv)))) return undefined
  try {
    const plain = await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key.cipher, data)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain)
  } catch {
    // Sealed with the right key, but padded or spelled wrongly: as unreadable as any other garbage.
    return undefined
  }
}

/** In either case: peers may send upper case. */
function bytesIn(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  const bytes = typeof value === 'string' ? bytesOfHex(value) : undefined
  return bytes && new Uint8Array(bytes)
}

function joined(data: Uint8Array, iv: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(data.length + iv.length)
  both.set(data)
  both.set(iv, data.length)
  return both
}
