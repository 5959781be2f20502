/**
 * The product's own tokens: ES256K JWTs whose `typ` and `aud` name their kind. A token of another kind, issuer, key or
 * algorithm is no token. What was verified once is remembered for a while, because verifying costs more than all else
 * in a read; expiry is looked at every time.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import { signEs256k, verifyEs256k } from './es256k.ts'

const Claims = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  sid: z.optional(z.string()),
  org: z.string(),
  addr: z.optional(z.string()),
  grp: z.optional(z.string()),
  iat: z.number(),
  exp: z.number(),
  jti: z.string(),
})

/** What a token says. Times are in seconds. */
type Claims = z.output<typeof Claims>

/** What a token may be for. A registration token continues one registration and opens nothing. */
type TokenKind = 'session' | 'registration'

/** Issues and reads tokens. */
export interface Tokens {
  readonly issue: (
    kind: TokenKind,
    claims: Pick<Claims, 'sub' | 'org'> & {
      readonly sid?: string
      readonly addr?: string
      readonly grp?: string
    },
    lifetimeS: number,
  ) => string
  /** The claims of a valid, unexpired token of that kind; nothing for anything else. Never throws. */
  readonly read: (kind: TokenKind, token: string) => Claims | undefined
  /** The public keys as a JSON Web Key Set. */
  readonly jwks: { readonly keys: readonly object[] }
}

/** Tokens remembered as verified; a few megabytes at most. */
const REMEMBERED_MAXIMUM = 10_000

type KeyStores = Pick<AllStores, 'atomically' | 'signingKeys'>

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const typ = (kind: TokenKind) => `${kind}+jwt`
const aud = (kind: TokenKind) => `portico:${kind}`

/** Opens the tokens of an installation; makes its signing key the first time. */
export async function openTokens(needs: {
  readonly stores: KeyStores
  readonly vault: Vault
  readonly clock: Clock
  readonly issuer: string
  readonly randomId: () => string
}): Promise<Tokens> {
  const { clock, issuer, randomId } = needs
  const { id: kid, key } = await signingKey(needs)
  const publicKey = createPublicKey(key)
  const remembered = {
    session: new Map<string, Claims>(),
    registration: new Map<string, Claims>(),
  } satisfies Record<TokenKind, unknown>

  function verified(kind: TokenKind, token: string): Claims | undefined {
    const [header = '', payload = '', signature = '', ...rest] = token.split('.')
    if (rest.length > 0 || header !== encode({ alg: 'ES256K', typ: typ(kind), kid })) {
      return undefined
    }
    const bytes = Buffer.from(signature, 'base64url')
    // Base64 has several spellings of the same bytes; only the one we issued is ours.
    if (bytes.toString('base64url') !== signature) return undefined
    if (!verifyEs256k(`${header}.${payload}`, bytes, publicKey)) return undefined
    const claims = Claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    if (!claims.success || claims.data.aud !== aud(kind) || claims.data.iss !== issuer) {
      return undefined
    }
    return claims.data
  }

  return {
    issue(kind, claims, lifetimeS) {
      const iat = Math.floor(clock() / 1000)
      const payload = {
        iss: issuer,
        aud: aud(kind),
        ...claims,
        iat,
        exp: iat + lifetimeS,
        jti: randomId(),
      }
      const signed = `${encode({ alg: 'ES256K', typ: typ(kind), kid })}.${encode(payload)}`
      return `${signed}.${signEs256k(signed, key).toString('base64url')}`
    },
    read(kind, token) {
      if (token.length > 2048) return undefined
      const ofKind = remembered[kind]
      const known = ofKind.get(token)
      const claims = known ?? verified(kind, token)
      if (claims === undefined || claims.exp * 1000 <= clock()) return undefined
      if (known !== undefined) return known
      if (ofKind.size >= REMEMBERED_MAXIMUM) ofKind.clear()
      ofKind.set(token, claims)
      return claims
    },
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256K', use: 'sig' }] },
  }
}

async function signingKey({
  stores,
  vault,
  clock,
}: {
  stores: KeyStores
  vault: Vault
  clock: Clock
}): Promise<{ id: string; key: KeyObject }> {
  const known = (await stores.signingKeys.first()) ?? (await made())
  const pem = vault.unwrap('signing key', known.wrapped)
  return { id: known.id, key: createPrivateKey(pem) }

  async function made(): Promise<{ id: string; wrapped: string }> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
    const id = sha256(publicKey.export({ type: 'spki', format: 'pem' }).toString()).slice(0, 16)
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const wrapped = vault.wrap('signing key', pem)
    // Nodes that start together agree on one key: whoever comes second waits for the first one's commit and reads it.
    await stores.atomically(async (together) => {
      const first = await together.singleUse.use('first signing key', Number.MAX_SAFE_INTEGER)
      if (first) await together.signingKeys.add({ id, wrapped, at: clock() })
    })
    const agreed = await stores.signingKeys.first()
    if (agreed === undefined) throw new Error('The signing key that was just made is not there')
    return agreed
  }
}
