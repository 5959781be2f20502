import type { ConfirmationProof, SecondMethod } from '../database/tables.ts'
import type { OpenSession } from '../sessions/sessions.ts'

/** The authentication context classes that a client can request with `acr_values`. */
export const ONE_FACTOR = 'one-factor'
export const TWO_FACTORS = 'two-factor'

type Proofs = Pick<OpenSession, 'method' | 'secondMethod' | 'confirmedBy'>

/** The method references of RFC 8176; `fed` is commonly used for a login at another provider. */
const REFERENCES: Readonly<
  Record<Exclude<Proofs['method'], 'operator'> | SecondMethod | ConfirmationProof, string>
> = {
  password: 'pwd',
  passcode: 'otp',
  passkey: 'pop',
  provider: 'fed',
  email: 'otp',
  phone: 'sms',
  totp: 'otp',
  question: 'kba',
  'recovery-code': 'otp',
}

/** How the user authenticated, as the claim `amr`. */
export function authenticationMethods(session: Proofs): readonly string[] {
  const { method, secondMethod, confirmedBy } = session
  const proofs = [method, secondMethod, confirmedBy].filter((proof) => proof !== undefined)
  // In an operator's viewing session, the person has not authenticated.
  const references = proofs.flatMap((proof) => (proof === 'operator' ? [] : [REFERENCES[proof]]))
  const isMultiple = authenticationContext(session) === TWO_FACTORS
  return [...new Set(isMultiple ? [...references, 'mfa'] : references)]
}

/**
 * The claim `acr`. A passkey counts as two factors, because ours verify the user. So does a login later confirmed with a
 * different proof.
 */
export function authenticationContext({ method, secondMethod, confirmedBy }: Proofs): string {
  const isConfirmed = confirmedBy !== undefined && confirmedBy !== method
  return secondMethod !== undefined || method === 'passkey' || isConfirmed
    ? TWO_FACTORS
    : ONE_FACTOR
}
