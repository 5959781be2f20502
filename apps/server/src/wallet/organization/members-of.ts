import { OrganizationMember } from '@portico/contracts/organization-account'
import * as z from 'zod/mini'
import type { OrganizationDraft } from './organization-drafts.store.ts'

/** All members of a draft, its controlling wallet first. */
export function membersOf({
  walletAddress,
  members,
}: Pick<OrganizationDraft, 'members' | 'walletAddress'>): OrganizationMember[] {
  const others = z.array(OrganizationMember).parse(JSON.parse(members))
  return [{ address: walletAddress, name: '' }, ...others]
}
