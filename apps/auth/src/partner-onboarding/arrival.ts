import { emailAddress } from '@portico/contracts/email-address'
import { Uuid } from '@portico/contracts/text'

/** Whom a partner sent: by e-mail address, by identity, or by both. At least one is there. */
export interface Borrower {
  readonly email: string | undefined
  readonly identityUuid: string | undefined
  readonly organization: string
}

/** What the address of the page says of the borrower, and of the login that is under way (§3). */
export interface Arrival {
  readonly borrower: Borrower
  readonly loginUuid: string | undefined
}

/** Parameters that lead through the onboarding and mean nothing to the pages after it. */
const OWN_PARAMETERS = ['identityUuid', 'loginUuid', 'step'] as const

/** Reads an arrival; nothing where the address names nobody, or names them in a way that cannot be meant. */
export function arrivalOf(query: URLSearchParams, organization: string): Arrival | undefined {
  const email = emailAddress(query.get('email') ?? '')
  const identityUuid = uuid(query.get('identityUuid'))
  if (email === undefined && identityUuid === undefined) return undefined
  return {
    borrower: { email, identityUuid, organization },
    loginUuid: uuid(query.get('loginUuid')),
  }
}

/** The query without what only the onboarding reads, for the pages that follow. */
export function queryAfter(query: URLSearchParams): URLSearchParams {
  const after = new URLSearchParams(query)
  for (const name of OWN_PARAMETERS) after.delete(name)
  return after
}

function uuid(text: string | null): string | undefined {
  const parsed = Uuid.safeParse(text)
  return parsed.success ? parsed.data : undefined
}
