/**
 * Encrypts a file in parts with its own key (AES-256-GCM), so that the whole file is never in memory. Each part is bound to
 * its file, name, offset and the size of the whole file: parts that are swapped, reordered, omitted or taken from another
 * file do not decrypt.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The associated data that a part is bound to. */
export interface PartIdentity {
  readonly fileId: string
  readonly part: string
  readonly offset: number
  /** The size of the whole file. */
  readonly bytes: number
}

/** A new key, in base64. */
export const newFileKey = (): string => randomBytes(KEY_BYTES).toString('base64')

/** The nonce, the tag and the encrypted bytes. */
export function encryptPart(key: string, identity: PartIdentity, bytes: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, Buffer.from(key, 'base64'), nonce)
  cipher.setAAD(identityText(identity))
  const encrypted = [cipher.update(bytes), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted])
}

/** @throws Error - when the part was tampered with or is not the expected one */
export function decryptPart(key: string, identity: PartIdentity, stored: Uint8Array): Uint8Array {
  const nonce = stored.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(ALGORITHM, Buffer.from(key, 'base64'), nonce, {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(identityText(identity))
  decipher.setAuthTag(stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const decrypted = decipher.update(stored.subarray(NONCE_BYTES + TAG_BYTES))
  decipher.final()
  return decrypted
}

const identityText = ({ fileId, part, offset, bytes }: PartIdentity) =>
  Buffer.from(`${fileId} ${part} ${offset} ${bytes}`)
