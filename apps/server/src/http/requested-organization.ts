import { Refusal } from '@portico/contracts/errors'
import type { Organizations } from '../brands/brands.ts'
import type { Visitor } from './visitor.ts'

/**
 * Returns a function that finds the organization with a requested code.
 *
 * @throws Refusal - `invalid-request` when the visitor's host serves no such organization
 */
export function requestedOrganization(organizations: Pick<Organizations, 'withCode'>) {
  return (code: string, visitor: Pick<Visitor, 'serves'>): Organizations['defaultOrganization'] => {
    const organization = organizations.withCode(code)
    if (organization !== undefined && visitor.serves(code)) return organization
    throw new Refusal('invalid-request', {
      errors: ['organization: this host serves no organization with this code'],
    })
  }
}
