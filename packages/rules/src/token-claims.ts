import type { Credentials } from './chosen-credentials.ts'

/** The claims of an identity token that pages read (§3). */
export interface TokenClaims {
  /** The individual's address. */
  readonly addr?: string
  /** The group's address. */
  readonly grp?: string
}

/**
 * Reads the claims of a token, stored with its prefix or not. It proves nothing: whoever relies on a claim asks the
 * server, which verifies. A text that is no token has no claims.
 */
export function tokenClaims(token: string | undefined): TokenClaims {
  const [, payload = ''] = (token ?? '').split('.')
  const { addr, grp } = fieldsOf(payload)
  return {
    ...(typeof addr === 'string' && addr !== '' ? { addr } : {}),
    ...(typeof grp === 'string' && grp !== '' ? { grp } : {}),
  }
}

/** Whom a token lets somebody act as; nobody where it names no address. */
export function selectedBy(token: string | undefined): Credentials | undefined {
  const { addr: walletAddress, grp: groupPolicyAddress } = tokenClaims(token)
  if (walletAddress === undefined) return undefined
  return { walletAddress, ...(groupPolicyAddress ? { groupPolicyAddress } : {}) }
}

function fieldsOf(payload: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof fields === 'object' && fields !== null ? { ...fields } : {}
  } catch {
    // No base64, or no JSON: another page's value, or a damaged one.
    return {}
  }
}
