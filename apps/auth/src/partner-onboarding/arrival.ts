import { emailAddress } from '@portico/contracts/email-address'
import { Uuid } from '@portico/contracts/text'
import { emailParameter } from '@portico/rules/email-parameter'

/** A borrower referred by a partner, identified by email address, identity UUID or both; at least one is set. */
export interface Borrower {
  readonly email: string | undefined
  readonly identityUuid: string | undefined
  readonly organization: string
}

/** The borrower and the pending login named in the page's URL (§3). */
export interface Arrival {
  readonly borrower: Borrower
  readonly loginUuid: string | undefined
}

/** Query parameters used only by the onboarding itself. */
const OWN_PARAMETERS = ['identityUuid', 'loginUuid', 'step'] as const

/** Parses the query; undefined if it contains no valid email address or identity UUID. */
export function arrivalOf(query: URLSearchParams, organization: string): Arrival | undefined {
  const email = emailAddress(emailParameter(query))
  const identityUuid = uuid(query.get('identityUuid'))
  if (email === undefined && identityUuid === undefined) return undefined
  return {
    borrower: { email, identityUuid, organization },
    loginUuid: uuid(query.get('loginUuid')),
  }
}

/** The query without onboarding-only parameters, for the pages that follow. */
export function queryAfter(query: URLSearchParams): URLSearchParams {
  const after = new URLSearchParams(query)
  for (const name of OWN_PARAMETERS) after.delete(name)
  return after
}

function uuid(text: string | null): string | undefined {
  const parsed = Uuid.safeParse(text)
  return parsed.success ? parsed.data : undefined
}
