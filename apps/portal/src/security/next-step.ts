import type { SecurityOverview } from '@portico/contracts/account-security'
import type { Change } from './security.flow.ts'

/** With fewer codes than this, the user may run out without noticing. */
const FEW_RECOVERY_CODES = 3

/** The change that would improve an account's protection most. */
export interface SecurityStep {
  readonly title: string
  readonly text: string
  readonly change: Change
}

/** The recommended next step: first a passkey, then a second factor, then recovery codes; undefined if all are set up. */
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
      text: 'Without them, losing your phone locks you out.',
      change: { kind: 'recoveryCodes' },
    }
  }
  return undefined
}
