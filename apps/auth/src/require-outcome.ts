import type { LoginResponse } from '@portico/contracts/identity'
import { type LoginOutcome, loginOutcome } from '@portico/rules/login-outcome'

/** The outcome of a login or of a redeemed code. A response without one violates the contract. */
export function requireOutcome(response: LoginResponse): LoginOutcome {
  const outcome = loginOutcome(response)
  if (outcome === undefined) throw new Error('The login response contains no outcome')
  return outcome
}
