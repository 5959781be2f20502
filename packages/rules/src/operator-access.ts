/**
 * Decides whether a session may be used as an operator's. It needs a proof that a phisher cannot collect and replay later: a
 * passkey or authenticator code, at login or in a later confirmation. It ends sooner than a customer's session.
 */
import { OPERATOR_IDLE_MS, STEP_UP_MS } from '@portico/contracts/limits'

/** A session's proofs and last use. */
export interface OperatorSession {
  readonly method: string
  readonly secondMethod: string | undefined
  readonly createdAt: number
  /** When and how the user last confirmed their identity; `confirmedBy` is absent after the login alone. */
  readonly confirmedAt: number
  readonly confirmedBy: string | undefined
  /** The last use by an operator call; null before the first one. */
  readonly operatorUsedAt: number | null
}

export type OperatorAccess = 'granted' | 'no-grant' | 'second-factor-missing' | 'idle'

const STRONG_PROOFS = ['passkey', 'totp']

const isStrong = (proof: string | undefined) => proof !== undefined && STRONG_PROOFS.includes(proof)

/** When the user last used a passkey or authenticator app in this session; undefined if never. */
export function strongProofAt(
  session: Omit<OperatorSession, 'operatorUsedAt'>,
): number | undefined {
  if (isStrong(session.confirmedBy)) return session.confirmedAt
  return isStrong(session.method) || isStrong(session.secondMethod) ? session.createdAt : undefined
}

export function operatorAccess(
  session: OperatorSession,
  { hasGrants, at }: { readonly hasGrants: boolean; readonly at: number },
): OperatorAccess {
  if (!hasGrants) return 'no-grant'
  const provenAt = strongProofAt(session)
  if (provenAt === undefined) return 'second-factor-missing'
  return at < idleAt(provenAt, session.operatorUsedAt) ? 'granted' : 'idle'
}

/** When the session's operator access expires unless it is used before. */
export function idleAt(provenAt: number, usedAt: number | null): number {
  return Math.max(provenAt, usedAt ?? 0) + OPERATOR_IDLE_MS
}

/** When sensitive calls will next need a confirmation. */
export function stepUpUntil(session: Omit<OperatorSession, 'operatorUsedAt'>): number | undefined {
  const provenAt = strongProofAt(session)
  return provenAt === undefined ? undefined : provenAt + STEP_UP_MS
}
