/**
 * An identity provider, independent of protocol. `begin` starts a login, the browser goes to the provider and back, and
 * `complete` verifies the response.
 */
import { hasInvisibleCharacters, plainLine } from '@portico/contracts/characters'
import { PorticoError } from '@portico/contracts/errors'
import { withoutInvisible } from '@portico/contracts/invisible-characters'
import type { ProviderPerson } from '@portico/rules/provider-admission'

/** Why a login at a provider failed. The message is for the log, never for the user. */
export type ProviderErrorCode =
  /** The provider cannot be reached, or its metadata is unusable. */
  | 'unavailable'
  /** The user or the provider declined. */
  | 'declined'
  /** The response is invalid, or does not belong to this login. */
  | 'invalid-answer'

export class ProviderError extends PorticoError<ProviderErrorCode> {}

/** A login before the redirect to the provider. */
interface ProviderRequest {
  /** Returned by the provider with its response. */
  readonly state: string
  /** Where the provider sends its response. */
  readonly returnUrl: string
  /** The e-mail address to prefill at the provider. */
  readonly loginHint: string | undefined
  /** Whether the provider must ask which account to use, even if the person is signed in there. */
  readonly choosesAccount: boolean
}

/** A person's names at the provider. */
export interface PersonNames {
  readonly givenName: string | undefined
  readonly familyName: string | undefined
}

/** A verified response. */
export interface ProviderAnswer {
  readonly person: ProviderPerson
  readonly names: PersonNames
  /** All claims about the person. */
  readonly claims: Readonly<Record<string, unknown>>
  /** What is needed to end the session at the provider. Opaque to other modules. */
  readonly sessionProof: string | undefined
}

const MAX_NAME_LENGTH = 320
/** OpenID Connect Core 2 allows 255 characters, SAML 256. */
const MAX_SUBJECT_LENGTH = 256

/** A name from a provider's claim or attribute; undefined if it is not text. */
export function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return (
    plainLine(withoutInvisible(value.replaceAll('\t', ' '))).slice(0, MAX_NAME_LENGTH) || undefined
  )
}

/** @throws ProviderError - `invalid-answer` if a database could not look up the subject or could confuse it with another */
export function assertSubject(subject: string): void {
  if (subject.length > MAX_SUBJECT_LENGTH || hasInvisibleCharacters(subject)) {
    throw new ProviderError('invalid-answer', 'The subject is too long or has invisible characters')
  }
}

/** Every method rejects with a `ProviderError`. */
export interface IdentityProvider {
  /** Returns where to send the browser, and the secret values that the response is verified against. */
  readonly begin: (
    request: ProviderRequest,
  ) => Promise<{ readonly redirect: string; readonly checks: string }>
  /** @param answer.search - the query string with which the browser returned */
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
