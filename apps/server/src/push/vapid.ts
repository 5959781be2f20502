/**
 * Identifies this installation to push services (VAPID, RFC 8292) with one key pair for all nodes. Browsers bind their
 * subscriptions to its public key, so it is created once and never replaced.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Vault } from '../secrets/vault.ts'
import type { vapidKeysStore } from './vapid-keys.store.ts'

const PURPOSE = 'push key'
const TOKEN_LIFETIME_S = 12 * 60 * 60

export interface Vapid {
  /** The public key as an uncompressed point in base64url. */
  readonly publicKey: string
  /** The authorization header for a push service. */
  readonly authorization: (endpoint: URL) => string
}

export async function openVapid(deps: {
  readonly store: ReturnType<typeof vapidKeysStore>
  readonly vault: Vault
  readonly clock: Clock
  /** The operator's contact for push services: an https or mailto URL. */
  readonly contact: string
}): Promise<Vapid> {
  const { store, vault, clock, contact } = deps
  const wrapped = await store.insertUnlessPresent(() => vault.wrap(PURPOSE, newKey()), clock())
  const privateKey = createPrivateKey(vault.unwrap(PURPOSE, wrapped))
  const publicKey = pointOf(privateKey)
  return {
    publicKey,
    authorization({ origin }) {
      const claims = {
        aud: origin,
        exp: Math.floor(clock() / 1000) + TOKEN_LIFETIME_S,
        sub: contact,
      }
      const text = [{ typ: 'JWT', alg: 'ES256' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      const signature = sign('sha256', Buffer.from(text), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      }).toString('base64url')
      return `vapid t=${text}.${signature}, k=${publicKey}`
    },
  }
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function pointOf(privateKey: KeyObject): string {
  const { x = '', y = '' } = privateKey.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([4]),
    Buffer.from(x, 'base64url'),
    Buffer.from(y, 'base64url'),
  ]).toString('base64url')
}
