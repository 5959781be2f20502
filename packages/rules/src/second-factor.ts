import type { TwoFactorOptions } from './login-outcome.ts'

/** A second factor. */
export type SecondFactor =
  | { readonly kind: 'email' | 'phone'; readonly alias: string; readonly value: string }
  | { readonly kind: 'totp' }
  | { readonly kind: 'passkey' }
  | { readonly kind: 'recoveryCode' }

/** The second factors of a login (§4.5). */
export interface SecondFactors {
  /** The methods in the sense of §4.5: aliases and authenticator app. */
  readonly methods: readonly SecondFactor[]
  /** Passkey and recovery code: offered in addition, and counted as methods only if there are no others. */
  readonly additional: readonly SecondFactor[]
  /** 'Forgot 2FA?' is shown only when no e-mail method exists. */
  readonly offersRecovery: boolean
}

/** Derives the available second factors; passkeys require browser support. */
export function secondFactors(
  { aliases, emailFactorSupported, totpEnabled, ...options }: TwoFactorOptions,
  { passkeys }: { readonly passkeys: boolean },
): SecondFactors {
  const aliasMethods = aliases.flatMap(({ uuid, type, value }): SecondFactor[] => {
    if (type === 'Phone') return [{ kind: 'phone', alias: uuid, value }]
    return type === 'Email' && emailFactorSupported ? [{ kind: 'email', alias: uuid, value }] : []
  })
  const methods: SecondFactor[] = totpEnabled ? [...aliasMethods, { kind: 'totp' }] : aliasMethods
  const additional: SecondFactor[] = []
  if (options.passkeyEnabled === true && passkeys) additional.push({ kind: 'passkey' })
  if (options.recoveryCodesEnabled === true) additional.push({ kind: 'recoveryCode' })
  return {
    methods: methods.length > 0 ? methods : additional,
    additional: methods.length > 0 ? additional : [],
    offersRecovery: !methods.some(({ kind }) => kind === 'email'),
  }
}
