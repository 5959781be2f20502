/**
 * The product's own tokens: ES256K JWTs that declare their kind in `typ` and `aud`. A token of another kind, key or
 * algorithm is invalid. The issuer is not checked: sessions must survive a change of the installation's address, and our
 * keys sign no other issuer's tokens. Verified tokens are cached, because verification costs more than everything else in a
 * read; expiry is checked every time. For key rotation see `signing-keys.ts`.
 */
import { JWT_LIFETIME_S, REGISTRATION_LIFETIME_MS } from '@portico/contracts/limits'
import { bytesOfBase64url } from '@portico/keys/bytes'
import { readPayload } from '@portico/keys/read-jwt'
import * as z from 'zod/mini'
import { CLOCK_SKEW_MS, type Clock } from '../clock.ts'
import type { Vault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'
import { signEs256k, verifyEs256k } from './es256k.ts'
import { openSigningKeys, type SigningKey } from './signing-keys.ts'

const Claims = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  sid: z.optional(z.string()),
  org: z.string(),
  addr: z.optional(z.string()),
  grp: z.optional(z.string()),
  /** The operator who views the subject's pages (RFC 8693, 4.1). */
  act: z.optional(z.object({ sub: z.string() })),
  iat: z.number(),
  exp: z.number(),
  jti: z.string(),
})

/** Times are in seconds. */
type Claims = z.output<typeof Claims>

/** A registration token continues one registration and grants no access. */
type TokenKind = 'session' | 'registration'

export interface Tokens {
  readonly issue: (
    kind: TokenKind,
    claims: Pick<Claims, 'sub' | 'org'> & {
      readonly sid?: string
      readonly addr?: string
      readonly grp?: string
      readonly act?: { readonly sub: string }
    },
    lifetimeS: number,
  ) => string
  /** The claims of a valid, unexpired token of that kind, otherwise undefined. Never throws. */
  readonly read: (kind: TokenKind, token: string) => Claims | undefined
  /** The public keys as a JSON Web Key Set. */
  readonly jwks: { readonly keys: readonly object[] }
  /** Reads keys that other nodes created, creates the next one when it is due, and deletes retired ones. */
  readonly refreshKeys: () => Promise<void>
}

/** The maximum number of cached verified tokens: a few megabytes. */
const MAX_VERIFIED_TOKENS = 10_000

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const headerOf = (kind: TokenKind, kid: string) => encode({ alg: 'ES256K', typ: typ(kind), kid })
const typ = (kind: TokenKind) => `${kind}+jwt`
const aud = (kind: TokenKind) => `portico:${kind}`

/** Opens the tokens and creates the first signing key if there is none. */
export async function openTokens(deps: {
  readonly stores: TransactionalStores<'openidKeys' | 'signingKeys' | 'singleUse'>
  readonly vault: Vault
  readonly clock: Clock
  readonly issuer: string
  readonly randomId: () => string
}): Promise<Tokens> {
  const { clock, issuer, randomId } = deps
  const signingKeys = await openSigningKeys(deps, {
    table: 'signingKeys',
    purpose: 'signing key',
    namedCurve: 'secp256k1',
    tokenLifetimeMs: Math.max(JWT_LIFETIME_S * 1000, REGISTRATION_LIFETIME_MS),
  })
  const verifiedTokens = {
    session: new Map<string, Claims>(),
    registration: new Map<string, Claims>(),
  } satisfies Record<TokenKind, unknown>

  function verify(kind: TokenKind, token: string): Claims | undefined {
    const [header = '', payload = '', signature = '', ...rest] = token.split('.')
    const isIssuer = ({ id }: SigningKey) => header === headerOf(kind, id)
    const key = rest.length === 0 ? signingKeys.all().find(isIssuer) : undefined
    if (key === undefined) return undefined
    const bytes = bytesOfBase64url(signature)
    if (bytes === undefined) return undefined
    if (!verifyEs256k(`${header}.${payload}`, Buffer.from(bytes), key.publicKey)) return undefined
    const claims = Claims.safeParse(readPayload(token))
    if (!claims.success || claims.data.aud !== aud(kind)) return undefined
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
      const { id, privateKey } = signingKeys.current()
      const signed = `${headerOf(kind, id)}.${encode(payload)}`
      return `${signed}.${signEs256k(signed, privateKey).toString('base64url')}`
    },
    read(kind, token) {
      if (token.length > 2048) return undefined
      const cache = verifiedTokens[kind]
      const known = cache.get(token)
      const claims = known ?? verify(kind, token)
      const now = clock()
      if (claims === undefined || claims.exp * 1000 <= now) return undefined
      // Issued by a clock that was ahead: the token would outlive its intended lifetime.
      if (claims.iat * 1000 > now + CLOCK_SKEW_MS) return undefined
      if (known !== undefined) return known
      if (cache.size >= MAX_VERIFIED_TOKENS) cache.clear()
      cache.set(token, claims)
      return claims
    },
    get jwks() {
      const keys = signingKeys.all().map(({ id: kid, publicKey }) => ({
        ...publicKey.export({ format: 'jwk' }),
        kid,
        alg: 'ES256K',
        use: 'sig',
      }))
      return { keys }
    },
    refreshKeys: signingKeys.refresh,
  }
}
