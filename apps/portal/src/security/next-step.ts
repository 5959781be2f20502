import type { SecurityOverview } from '@portico/contracts/account-security'
import type { Change } from './security.flow.ts'

/** Below this the codes may run out before the user notices. */
const FEW_RECOVERY_CODES = 3

/** What would protect an account most now. */
export interface SecurityStep {
  readonly title: string
  readonly text: string
  readonly change: Change
}

/** The best next step for an account: a way in that cannot be stolen, then a second step, then a way back; or nothing. */
export function nextStep(
  overview: SecurityOverview,
  browser: { readonly passkeys: boolean },
): SecurityStep | undefined {
  const { aliases, totpEnabled, emailFactorEnabled, passkeys, recoveryCodesLeft } = overview
  const hasPhone = aliases.some(({ type, verified }) => type === 'Phone' && verified)
  const hasDevice = totpEnabled || hasPhone
  if (passkeys.length === 0 && !hasDevice && browser.passkeys) {
    return {
      title: 'Add a passkey',
      text: 'Sign in with your fingerprint, face, PIN or security key. Nothing to remember, nothing to steal.',
      change: { kind: 'addPasskey' },
    }
  }
  if (passkeys.length === 0 && !hasDevice && !emailFactorEnabled) {
    return {
      title: 'Turn on a second step',
      text: 'With an authenticator app, a stolen password alone opens nothing.',
      change: { kind: 'addTotp' },
    }
  }
  if (hasDevice && recoveryCodesLeft < FEW_RECOVERY_CODES) {
    return {
      title: 'Get recovery codes',
      text: 'Without them you are locked out on the day you lose your phone.',
      change: { kind: 'recoveryCodes' },
    }
  }
  return undefined
}
