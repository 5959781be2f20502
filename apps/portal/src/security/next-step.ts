import type { SecurityOverview } from '@portico/contracts/account-security'
import { isManaged } from '@portico/rules/next-step'
import type { SelectedChange } from './security.flow.ts'

/** If fewer codes than this are left, the user is advised to create new ones. */
const FEW_RECOVERY_CODES = 3

/** The change that would improve an account's protection most. */
export interface SecurityStep {
  readonly title: string
  readonly text: string
  readonly change: SelectedChange
}

/** The recommended next step: first a passkey, then a second factor, then recovery codes; undefined if all are set up, or a provider manages them. */
export function nextStep(
  overview: SecurityOverview,
  browser: { readonly passkeys: boolean },
): SecurityStep | undefined {
  const { aliases, totpEnabled, emailFactorEnabled, passkeys, recoveryCodesLeft } = overview
  if (isManaged(overview)) return undefined
  const hasPhone = aliases.some(({ type, verified }) => type === 'Phone' && verified)
  const hasDevice = totpEnabled || hasPhone
  if (passkeys.length === 0 && !hasDevice && browser.passkeys) {
    return {
      title: 'Add a passkey',
      text: 'Log in with your fingerprint, face, PIN or security key. There is no password to remember or to steal.',
      change: { kind: 'addPasskey' },
    }
  }
  if (passkeys.length === 0 && !hasDevice && !emailFactorEnabled) {
    return {
      title: 'Turn on a second step',
      text: 'With an authenticator app, no one can log in with your password alone.',
      change: { kind: 'addTotp' },
    }
  }
  if (hasDevice && recoveryCodesLeft < FEW_RECOVERY_CODES) {
    return {
      title: 'Get recovery codes',
      text: 'Without recovery codes, you cannot log in if you lose your phone.',
      change: { kind: 'recoveryCodes' },
    }
  }
  return undefined
}
