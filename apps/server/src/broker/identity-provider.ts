/**
 * An identity provider, whatever its protocol. A login begins here, the browser carries it to the provider and back, and
 * `complete` verifies the answer.
 */
import { PorticoError } from '@portico/contracts/errors'
import { hasInvisibleCharacters } from '@portico/contracts/text'
import type { ProviderPerson } from '@portico/rules/provider-admission'

/** Why a login at a provider failed. The message is for the log, never for the user. */
export type ProviderErrorCode =
  /** The provider cannot be reached, or what it publishes is unusable. */
  | 'unavailable'
  /** The user or the provider declined. */
  | 'declined'
  /** The answer is not valid, or not an answer to this login. */
  | 'invalid-answer'

export class ProviderError extends PorticoError<ProviderErrorCode> {}

/** A login before the browser leaves. */
interface ProviderRequest {
  /** Returned by the provider with its answer. */
  readonly state: string
  /** Where the provider sends the answer. */
  readonly returnUrl: string
  /** The address to fill in at the provider. */
  readonly loginHint: string | undefined
}

/** What the provider calls a person. */
export interface PersonNames {
  readonly givenName: string | undefined
  readonly familyName: string | undefined
}

/** A verified answer. */
export interface ProviderAnswer {
  readonly person: ProviderPerson
  readonly names: PersonNames
  /** Everything that the provider says about the person. */
  readonly claims: Readonly<Record<string, unknown>>
  /** What the provider needs to end its session, opaque to others. */
  readonly sessionProof: string | undefined
}

const MAX_NAME_LENGTH = 320
/** OpenID Connect Core 2 allows 255 characters, SAML 256. */
const MAX_SUBJECT_LENGTH = 256

/** A name, as a provider sends it in a claim or an attribute; undefined if it is no text. */
export function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return (
    value
      .replaceAll(/\p{Cc}/gu, '')
      .trim()
      .slice(0, MAX_NAME_LENGTH) || undefined
  )
}

/** @throws ProviderError - `invalid-answer` if a database could not look the subject up, or confuses it with another */
export function assertSubject(subject: string): void {
  if (subject.length > MAX_SUBJECT_LENGTH || hasInvisibleCharacters(subject)) {
    throw new ProviderError('invalid-answer', 'The subject is too long or has invisible characters')
  }
}

/** Every method rejects with a `ProviderError`. */
export interface IdentityProvider {
  /** Returns where to send the browser, and what the answer is checked against, which is secret. */
  readonly begin: (
    request: ProviderRequest,
  ) => Promise<{ readonly redirect: string; readonly checks: string }>
  /** @param answer.search - the query with which the browser came back */
  readonly complete: (answer: {
    readonly search: string
    readonly state: string
    readonly returnUrl: string
    readonly checks: string
  }) => Promise<ProviderAnswer>
  /** Where the browser ends its session at the provider; undefined if the provider has no such page. */
  readonly logoutUrl: (session: {
    readonly proof: string | undefined
    readonly returnUrl: string
  }) => Promise<string | undefined>
}
