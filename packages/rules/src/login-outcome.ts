import type { LoginResponse } from '@portico/contracts/identity'

/** The outcome of the first factor (§4.4). */
export type LoginOutcome =
  | { readonly kind: 'locked' }
  | { readonly kind: 'redirected'; readonly to: string }
  | { readonly kind: 'twoFactor'; readonly options: TwoFactorOptions }
  | { readonly kind: 'signedIn'; readonly jwt: string }

/** The second factors that the user may choose from. */
export type TwoFactorOptions = NonNullable<LoginResponse['twoFactorOptions']>

/** Maps a login response to its outcome; `undefined` if it has none, which violates the contract. */
export function loginOutcome(response: LoginResponse): LoginOutcome | undefined {
  if (response.isAccountManuallyLocked) return { kind: 'locked' }
  if (response.redirectUrl !== undefined) return { kind: 'redirected', to: response.redirectUrl }
  if (response.twoFactorOptions) return { kind: 'twoFactor', options: response.twoFactorOptions }
  return response.jwt === undefined ? undefined : { kind: 'signedIn', jwt: response.jwt }
}
