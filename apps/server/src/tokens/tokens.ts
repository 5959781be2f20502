/**
 * The product's own tokens: ES256K JWTs whose `typ` and `aud` name their kind. A token of another kind, key or
 * algorithm is no token. The issuer is not compared: it changes with the address of the installation, our keys sign nothing
 * for anybody else, and sessions must outlive that change. What was verified once is remembered for a while, because verifying costs more than all else
 * in a read; expiry is looked at every time. The keys are rotated: see `signing-keys.ts`.
 */
import * as z from 'zod/mini'
import { CLOCK_SKEW_MS, type Clock } from '../clock.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
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
  /** Reads the keys that other nodes made, makes the next one when it is due, and removes those that are over. */
  readonly refreshKeys: () => Promise<void>
}

/** Tokens remembered as verified; a few megabytes at most. */
const REMEMBERED_MAXIMUM = 10_000

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const headerOf = (kind: TokenKind, kid: string) => encode({ alg: 'ES256K', typ: typ(kind), kid })
const typ = (kind: TokenKind) => `${kind}+jwt`
const aud = (kind: TokenKind) => `portico:${kind}`

/** Opens the tokens of an installation; makes its first signing key where there is none. */
export async function openTokens(deps: {
  readonly stores: Pick<AllStores, 'atomically' | 'signingKeys'>
  readonly vault: Vault
  readonly clock: Clock
  readonly issuer: string
  readonly randomId: () => string
}): Promise<Tokens> {
  const { clock, issuer, randomId } = deps
  const signingKeys = await openSigningKeys(deps)
  const remembered = {
    session: new Map<string, Claims>(),
    registration: new Map<string, Claims>(),
  } satisfies Record<TokenKind, unknown>

  function verified(kind: TokenKind, token: string): Claims | undefined {
    const [header = '', payload = '', signature = '', ...rest] = token.split('.')
    const isNamed = ({ id }: SigningKey) => header === headerOf(kind, id)
    const key = rest.length === 0 ? signingKeys.all().find(isNamed) : undefined
    if (key === undefined) return undefined
    const bytes = Buffer.from(signature, 'base64url')
    // Base64 has several spellings of the same bytes; only the one we issued is ours.
    if (bytes.toString('base64url') !== signature) return undefined
    if (!verifyEs256k(`${header}.${payload}`, bytes, key.publicKey)) return undefined
    const claims = Claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
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
      const ofKind = remembered[kind]
      const known = ofKind.get(token)
      const claims = known ?? verified(kind, token)
      const now = clock()
      if (claims === undefined || claims.exp * 1000 <= now) return undefined
      // Issued while a clock was wrong: it would last for as long as that was ahead.
      if (claims.iat * 1000 > now + CLOCK_SKEW_MS) return undefined
      if (known !== undefined) return known
      if (ofKind.size >= REMEMBERED_MAXIMUM) ofKind.clear()
      ofKind.set(token, claims)
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
