import { Refusal } from '@portico/contracts/errors'
import type { Organizations } from '../organizations/organizations.ts'

/**
 * Finds the organisation that a call names.
 *
 * @throws Refusal - `invalid-request` where there is none of that code
 */
export function namedOrganization(organizations: Pick<Organizations, 'all'>) {
  const byCode = new Map(organizations.all.map((each) => [each.orgCode, each]))
  return (code: string): Organizations['all'][number] => {
    const named = byCode.get(code)
    if (named) return named
    throw new Refusal('invalid-request', { errors: ['organization: there is none of this code'] })
  }
}
