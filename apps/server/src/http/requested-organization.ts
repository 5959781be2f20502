import { Refusal } from '@portico/contracts/errors'
import type { Organizations } from '../organizations/organizations.ts'

/**
 * Finds the organization that a call names.
 *
 * @throws Refusal - `invalid-request` where there is none of that code
 */
export function requestedOrganization(organizations: Pick<Organizations, 'withCode'>) {
  return (code: string): Organizations['standard'] => {
    const named = organizations.withCode(code)
    if (named) return named
    throw new Refusal('invalid-request', { errors: ['organization: there is none of this code'] })
  }
}
