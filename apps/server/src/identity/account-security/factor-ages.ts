import { type ConfirmationPurpose, canConfirm, type FactorAge } from '@portico/rules/factor-age'
import type { ConfirmationProof } from '../../database/tables.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { Stores } from '../../stores.ts'
import type { IdentityRow } from '../identities.store.ts'

type PasskeyRow = Awaited<ReturnType<Stores['passkeys']['list']>>[number]
type TotpRow = NonNullable<Awaited<ReturnType<Stores['totp']['find']>>>

export const passwordAge = (identity: IdentityRow): FactorAge => ({
  addedAt: identity.passwordSetAt,
  addedIn: identity.passwordSetIn,
  provedBy: identity.passwordProvedBy,
})

export const passkeyAge = ({ createdAt, addedIn, provedBy }: PasskeyRow): FactorAge => ({
  addedAt: createdAt,
  addedIn,
  provedBy,
})

export const totpAge = ({ confirmedAt, addedIn, provedBy }: TotpRow): FactorAge => ({
  addedAt: confirmedAt,
  addedIn,
  provedBy,
})

/** The proofs that can now confirm a session, for account changes and for payments. */
export async function acceptedProofs(
  { identities, passkeys, totp }: Pick<Stores, 'identities' | 'passkeys' | 'totp'>,
  session: OpenSession,
  at: number,
): Promise<Record<ConfirmationPurpose, ConfirmationProof[]>> {
  const { identityId } = session
  const [identity, keys, application] = await Promise.all([
    identities.findById(identityId),
    passkeys.list(identityId),
    totp.find(identityId),
  ])
  const hasPassword = identity !== undefined && identity.passwordHash !== null
  const hasApplication = application !== undefined && application.secret !== null
  const ages: Record<ConfirmationProof, FactorAge[]> = {
    password: hasPassword ? [passwordAge(identity)] : [],
    passkey: keys.map(passkeyAge),
    totp: hasApplication ? [totpAge(application)] : [],
    passcode: [session.emailChange],
  }
  const accepted = (purpose: ConfirmationPurpose) =>
    PROOFS.filter((proof) => ages[proof].some((age) => canConfirm(age, { session, purpose, at })))
  return { change: accepted('change'), payment: accepted('payment') }
}

const PROOFS: readonly ConfirmationProof[] = ['password', 'passkey', 'totp', 'passcode']
