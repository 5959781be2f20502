import { emailAddress } from '@portico/contracts/email-address'
import type { OpenSession } from '../sessions/sessions.ts'
import { authenticationContext, ONE_FACTOR, TWO_FACTORS } from './authentication.ts'
import type { ClientFile } from './client-file.ts'

type Params = Readonly<Record<string, string | undefined>>

/** What a client's request requires from the session. */
interface Requirements {
  /**
   * The user must have registered with one of these organizations or logged in on its pages. A login at an identity provider
   * counts for the provider's organization alone.
   */
  readonly organizations: readonly string[]
  readonly loginHint: string | undefined
  readonly maxAgeMs: number | undefined
  readonly reauthentication: boolean
  readonly twoFactors: boolean
}

export function requirementsOf(
  params: Params,
  client: Pick<ClientFile, 'organization' | 'alsoOrganizations'>,
): Requirements {
  const contexts = params['acr_values']?.split(' ') ?? []
  const maxAge = params['max_age']
  return {
    organizations: [client.organization, ...client.alsoOrganizations],
    loginHint: params['login_hint'],
    maxAgeMs: maxAge === undefined ? undefined : Number(maxAge) * 1000,
    reauthentication: params['prompt']?.split(' ').includes('login') ?? false,
    // Any one of the values suffices.
    twoFactors: contexts.includes(TWO_FACTORS) && !contexts.includes(ONE_FACTOR),
  }
}

/** What the user must do before the client's request can be completed. */
export type NextStep = 'log-in' | 'confirm'

/**
 * Returns what the session lacks; undefined if nothing.
 *
 * @param provenSince - a proof since then satisfies every recent-login requirement, because the user was just asked for it
 */
export function nextStep(
  session: OpenSession | undefined,
  required: Requirements,
  { at, provenSince = Number.POSITIVE_INFINITY }: { at: number; provenSince?: number | undefined },
): NextStep | undefined {
  if (session === undefined) return 'log-in'
  const { organizations, loginHint, maxAgeMs, reauthentication, twoFactors } = required
  // The new password is part of the login.
  if (session.passwordExpired && session.hasPassword) return 'log-in'
  const isProvided = session.method === 'provider'
  const known = [session.loginOrganizationCode, ...(isProvided ? [] : [session.organizationCode])]
  if (!known.some((code) => organizations.includes(code))) return 'log-in'
  if (session.confirmedAt < provenSince) {
    const isTooOld = maxAgeMs !== undefined && at - session.confirmedAt > maxAgeMs
    if (reauthentication || isTooOld || isOtherUser(loginHint, session)) return 'log-in'
  }
  return twoFactors && authenticationContext(session) !== TWO_FACTORS ? 'confirm' : undefined
}

/** A hint that is not an e-mail address says nothing about the user. */
function isOtherUser(loginHint: string | undefined, { email }: OpenSession): boolean {
  return loginHint?.includes('@') === true && emailAddress(loginHint) !== email
}
