/**
 * Creating an organization: its account is a group on the chain, created by the wallet that controls it (§2.2, §4.8).
 */
import * as z from 'zod/mini'
import { call } from './call.ts'
import { MAX_ORGANIZATION_MEMBERS } from './limits.ts'
import { Uuid } from './text.ts'
import {
  Account,
  AccountName,
  CHAIN_REFUSALS,
  CHOICE_REFUSALS,
  ChainAddress,
  MemberName,
} from './wallet.ts'

const ORGANIZATION = '/service-wallet/secure/api/v1/account/organization'

/** A member besides the controlling wallet. Names are optional and, like everything here, public on the chain. */
export const OrganizationMember = z.strictObject({
  address: ChainAddress,
  name: MemberName,
})

export type OrganizationMember = z.output<typeof OrganizationMember>

/** Repeating the call with the same name, members and threshold returns the same message. */
export const beginOrganization = call({
  name: 'beginOrganization',
  summary:
    'Name an organization, and get the message that its controlling wallet must submit to the chain.',
  method: 'POST',
  path: ORGANIZATION,
  auth: 'session',
  body: z.strictObject({
    walletAddress: ChainAddress,
    name: AccountName,
    /** The members besides the controlling wallet. */
    members: z._default(
      z.array(OrganizationMember).check(z.maxLength(MAX_ORGANIZATION_MEMBERS - 1)),
      [],
    ),
    /** How many members must agree. */
    threshold: z._default(z.int().check(z.gte(1), z.lte(MAX_ORGANIZATION_MEMBERS)), 1),
  }),
  answer: z.object({
    organizationId: Uuid,
    /** A `google.protobuf.Any`, serialized, in standard base64 (protocol 9.3). */
    message: z.string(),
    /** The account, if an earlier attempt with this name already created the group on the chain. */
    account: z.optional(Account),
  }),
  refusals: [
    'account-name-required',
    'organization-members-invalid',
    'too-many-accounts',
    ...CHOICE_REFUSALS,
    ...CHAIN_REFUSALS,
  ],
})

/** Idempotent: returns the same account each time. */
export const completeOrganization = call({
  name: 'completeOrganization',
  summary: 'Create the account of an organization after its group is on the chain.',
  method: 'POST',
  path: `${ORGANIZATION}/complete`,
  auth: 'session',
  body: z.strictObject({ organizationId: Uuid }),
  answer: z.object({ account: Account }),
  refusals: ['not-found', 'organization-pending', ...CHOICE_REFUSALS, ...CHAIN_REFUSALS],
})

/** An organization that others added one of the user's wallets to, by its group on the chain. */
export const OrganizationInvitation = z.object({
  /** Its name was chosen by others. */
  account: Account,
  /** The user's wallet that is a member. */
  wallet: Account,
  invitedAt: z.number(),
  declined: z.boolean(),
  /** On the last waiting and the last declined one of a page, if more of its kind follow: the value of `after`. */
  next: z.optional(z.string()),
})

const InvitationsAfter = z.string().check(z.maxLength(500), z.regex(/^[\w.-]+$/))

export type OrganizationInvitation = z.output<typeof OrganizationInvitation>

export const readOrganizationInvitations = call({
  name: 'readOrganizationInvitations',
  summary:
    'List invitations to organizations: waiting ones, from people you are in an organization with and of your lender first, then declined ones.',
  method: 'GET',
  path: `${ORGANIZATION}/invitations`,
  auth: 'session',
  query: z.strictObject({ after: z.optional(InvitationsAfter) }),
  answer: z.array(OrganizationInvitation),
  refusals: ['invalid-request'],
})

/** A member gets the account of an organization by accepting its invitation. A declined one can be accepted later. */
export const acceptOrganization = call({
  name: 'acceptOrganization',
  summary: 'Accept an invitation to an organization, and get its account.',
  method: 'POST',
  path: `${ORGANIZATION}/accept`,
  auth: 'session',
  body: z.strictObject({ accountAddress: ChainAddress }),
  answer: z.object({ account: Account }),
  refusals: ['not-found', 'too-many-accounts', ...CHAIN_REFUSALS],
})

/** Nothing changes on the chain: the wallet stays a member of the group. */
export const declineOrganization = call({
  name: 'declineOrganization',
  summary: 'Decline an invitation to an organization, or hide the account of one.',
  method: 'POST',
  path: `${ORGANIZATION}/decline`,
  auth: 'session',
  body: z.strictObject({ accountAddress: ChainAddress }),
  refusals: ['not-found'],
})

export const ORGANIZATION_ACCOUNT_CALLS = [
  beginOrganization,
  completeOrganization,
  readOrganizationInvitations,
  acceptOrganization,
  declineOrganization,
] as const
