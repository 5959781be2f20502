import { readPayload } from '@portico/keys/read-jwt'
import type { Credentials } from './chosen-credentials.ts'

/** The claims of an identity token that pages use (§3). */
export interface TokenClaims {
  /** The individual's address. */
  readonly addr?: string
  /** The group's address. */
  readonly grp?: string
  /** The origin of the page that a wallet made the token for. Wallets of other makers do not say it. */
  readonly origin?: string
}

/**
 * Reads the claims of a token, with or without its stored prefix. The token is not verified: only the
 * server does that, so do not rely on claims read here. Text that is not a token has no claims.
 */
export function tokenClaims(token: string | undefined): TokenClaims {
  const { addr, grp, origin } = readPayload(token ?? '') ?? {}
  return {
    ...(typeof addr === 'string' && addr !== '' ? { addr } : {}),
    ...(typeof grp === 'string' && grp !== '' ? { grp } : {}),
    ...(typeof origin === 'string' && origin !== '' ? { origin } : {}),
  }
}

/** The account that a token selects; `undefined` if it has no address. */
export function selectedCredentials(token: string | undefined): Credentials | undefined {
  const { addr: walletAddress, grp: groupPolicyAddress } = tokenClaims(token)
  if (walletAddress === undefined) return undefined
  return { walletAddress, ...(groupPolicyAddress ? { groupPolicyAddress } : {}) }
}
