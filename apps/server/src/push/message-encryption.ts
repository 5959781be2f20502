/** Encrypts a push message for a browser (RFC 8291, `aes128gcm` of RFC 8188), so that the push service cannot read it. */
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { PushSubscription } from '@portico/contracts/push'

const RECORD_BYTES = 4096
const KEY_BYTES = 16
const NONCE_BYTES = 12
const SECRET_BYTES = 32
const SALT_BYTES = 16
/** Marks the last record of a message. */
const LAST_RECORD = Buffer.from([2])

/** @throws Error - if the browser's key is not a point of the curve */
export function encryptMessage(
  text: string,
  { keys }: Pick<PushSubscription, 'keys'>,
  /** Given only by tests, to reproduce the standard's example. */
  { salt = randomBytes(SALT_BYTES), privateKey }: { salt?: Buffer; privateKey?: Buffer } = {},
): Buffer {
  const [theirs, auth] = [
    Buffer.from(keys.p256dh, 'base64url'),
    Buffer.from(keys.auth, 'base64url'),
  ]
  const ecdh = createECDH('prime256v1')
  if (privateKey === undefined) ecdh.generateKeys()
  else ecdh.setPrivateKey(privateKey)
  const ours = ecdh.getPublicKey()
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const secret = derive(ecdh.computeSecret(theirs), auth, keyInfo, SECRET_BYTES)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(RECORD_BYTES)
  sizes.writeUInt8(ours.length, 4)
  return Buffer.concat([
    salt,
    sizes,
    ours,
    cipher.update(text, 'utf8'),
    cipher.update(LAST_RECORD),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))
