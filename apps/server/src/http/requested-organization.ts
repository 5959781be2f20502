import { Refusal } from '@portico/contracts/errors'
import type { Organizations } from '../brands/brands.ts'

/**
 * Returns a function that finds the organization with a requested code.
 *
 * @throws Refusal - `invalid-request` when there is no such organization
 */
export function requestedOrganization(organizations: Pick<Organizations, 'withCode'>) {
  return (code: string): Organizations['defaultOrganization'] => {
    const organization = organizations.withCode(code)
    if (organization) return organization
    throw new Refusal('invalid-request', {
      errors: ['organization: no organization has this code'],
    })
  }
}
