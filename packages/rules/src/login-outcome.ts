import type { LoginResponse } from '@portico/contracts/identity'

/** What a first factor led to (§4.4). */
export type LoginOutcome =
  | { readonly kind: 'locked' }
  | { readonly kind: 'redirected'; readonly to: string }
  | { readonly kind: 'twoFactor'; readonly options: TwoFactorOptions }
  | { readonly kind: 'signedIn'; readonly jwt: string }

/** The second factors a person may choose from. */
export type TwoFactorOptions = NonNullable<LoginResponse['twoFactorOptions']>

/** Reads a login response; gives nothing where it names no outcome at all, which breaks the contract. */
export function loginOutcome(response: LoginResponse): LoginOutcome | undefined {
  if (response.isAccountManuallyLocked) return { kind: 'locked' }
  if (response.redirectUrl !== undefined) return { kind: 'redirected', to: response.redirectUrl }
  if (response.twoFactorOptions) return { kind: 'twoFactor', options: response.twoFactorOptions }
  return response.jwt === undefined ? undefined : { kind: 'signedIn', jwt: response.jwt }
}
