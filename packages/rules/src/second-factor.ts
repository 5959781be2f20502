import type { TwoFactorOptions } from './login-outcome.ts'

/** A way to take the second step. */
export type SecondFactor =
  | { readonly kind: 'email' | 'phone'; readonly alias: string; readonly value: string }
  | { readonly kind: 'totp' }
  | { readonly kind: 'passkey' }
  | { readonly kind: 'recoveryCode' }

/** The ways a login leaves open (§4.5). */
export interface SecondFactors {
  /** The aliases, which every sentence of §4.5 speaks of. */
  readonly methods: readonly SecondFactor[]
  /** Passkey and recovery code: offered beside the methods, and counted as methods only where there is no alias. */
  readonly further: readonly SecondFactor[]
  /** 'Forgot 2FA?' is shown only when no e-mail method exists. */
  readonly forgettable: boolean
}

/** Reads which second factors a person has; a passkey only where the browser has any. */
export function secondFactors(
  { aliases, emailFactorSupported, totpEnabled, ...options }: TwoFactorOptions,
  { passkeys }: { readonly passkeys: boolean },
): SecondFactors {
  const sent = aliases.flatMap(({ uuid, type, value }): SecondFactor[] => {
    if (type === 'Phone') return [{ kind: 'phone', alias: uuid, value }]
    return type === 'Email' && emailFactorSupported ? [{ kind: 'email', alias: uuid, value }] : []
  })
  const methods: SecondFactor[] = totpEnabled ? [...sent, { kind: 'totp' }] : sent
  const beside: SecondFactor[] = []
  if (options.passkeyEnabled === true && passkeys) beside.push({ kind: 'passkey' })
  if (options.recoveryCodesEnabled === true) beside.push({ kind: 'recoveryCode' })
  return {
    methods: methods.length > 0 ? methods : beside,
    further: methods.length > 0 ? beside : [],
    forgettable: !methods.some(({ kind }) => kind === 'email'),
  }
}
