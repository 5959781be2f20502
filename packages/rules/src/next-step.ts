import type { SecurityOverview } from '@portico/contracts/account-security'
import type { AccountListItem } from '@portico/contracts/wallet'

/** What a signed-in user should do next, in order of importance. */
export type NextStep =
  | 'answer-reviewer'
  | 'set-password'
  | 'add-second-step'
  | 'get-wallet'
  | 'verify-wallet'
  | 'complete-passport'

/** How the user signs in. */
export type SignInSettings = Pick<
  SecurityOverview,
  'aliases' | 'emailFactorEnabled' | 'hasPassword' | 'passkeys' | 'providers' | 'totpEnabled'
>

/** Facts about the user; `undefined` if they could not be loaded. */
export interface NextStepFacts {
  readonly security: SignInSettings | undefined
  readonly accounts: readonly AccountListItem[] | undefined
  /** `returned` if a reviewer asked for more; `none` if no passport needs the user's attention. */
  readonly passport: 'returned' | 'incomplete' | 'none' | undefined
}

/** The first step that is due. `unknown` if nothing is due according to the known facts but some facts are missing. */
export function nextStep({
  security,
  accounts,
  passport,
}: NextStepFacts): NextStep | 'nothing-due' | 'unknown' {
  if (passport === 'returned') return 'answer-reviewer'
  // An account managed by a provider has no other way to log in.
  if (security !== undefined && !isManaged(security)) {
    if (!hasOwnCredential(security)) return 'set-password'
    if (!hasSecondStep(security)) return 'add-second-step'
  }
  if (accounts !== undefined) {
    const wallets = accounts.flatMap(({ authorizedWallets }) => authorizedWallets)
    if (wallets.length === 0) return 'get-wallet'
    if (!wallets.some(({ verified }) => verified)) return 'verify-wallet'
  }
  if (passport === 'incomplete') return 'complete-passport'
  const isKnown = security !== undefined && accounts !== undefined && passport !== undefined
  return isKnown ? 'nothing-due' : 'unknown'
}

/** Whether the user can log in only through an identity provider. */
export const isManaged = ({ providers }: Pick<SecurityOverview, 'providers'>): boolean =>
  providers.some(({ manages }) => manages)

/** A passkey replaces a password. */
const hasOwnCredential = ({ hasPassword, passkeys }: SignInSettings) =>
  hasPassword || passkeys.length > 0

/** Whether a stolen password alone is not enough to open the account. A passkey also counts as a second step (§4.5). */
export function hasSecondStep(settings: SignInSettings): boolean {
  const { aliases, emailFactorEnabled, passkeys, totpEnabled } = settings
  const hasPhone = aliases.some(({ type, verified }) => type === 'Phone' && verified)
  return totpEnabled || emailFactorEnabled || passkeys.length > 0 || hasPhone
}
