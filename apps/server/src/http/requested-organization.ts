import { Refusal } from '@portico/contracts/errors'
import type { Organizations } from '../organizations/organizations.ts'

/**
 * Returns a function that finds the organization with a requested code.
 *
 * @throws Refusal - `invalid-request` when no organization has the code
 */
export function requestedOrganization(organizations: Pick<Organizations, 'withCode'>) {
  return (code: string): Organizations['standard'] => {
    const organization = organizations.withCode(code)
    if (organization) return organization
    throw new Refusal('invalid-request', { errors: ['organization: there is none of this code'] })
  }
}
