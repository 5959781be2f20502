/** Creating an organization: its account is a group on the chain, made by the wallet that controls it (§2.2, §4.8). */
import * as z from 'zod/mini'
import { call } from './call.ts'
import { Uuid } from './text.ts'
import { Account, AccountName, CHOICE_REFUSALS, ChainAddress } from './wallet.ts'

const ORGANIZATION = '/service-wallet/secure/api/v1/account/organization'

/** Names an organization and gives what its wallet has to bring to the chain; the same again for the same name. */
export const beginOrganization = call({
  name: 'beginOrganization',
  summary:
    'Name an organization, and get the message that its controlling wallet has to bring to the chain.',
  method: 'POST',
  path: ORGANIZATION,
  auth: 'session',
  body: z.strictObject({ walletAddress: ChainAddress, name: AccountName }),
  answer: z.object({
    organizationId: Uuid,
    /** A `google.protobuf.Any`, serialized, in standard base64 (protocol 9.3). */
    message: z.string(),
    /** The account, where an earlier attempt with this name has brought the group to the chain already. */
    account: z.optional(Account),
  }),
  refusals: [
    'account-name-required',
    'too-many-accounts',
    ...CHOICE_REFUSALS,
    'chain-not-available',
    'transaction-refused',
  ],
})

/** Makes the account of an organization whose group is on the chain; the same account, however often it is asked. */
export const completeOrganization = call({
  name: 'completeOrganization',
  summary: 'Make the account of an organization whose group is on the chain.',
  method: 'POST',
  path: `${ORGANIZATION}/complete`,
  auth: 'session',
  body: z.strictObject({ organizationId: Uuid }),
  answer: z.object({ account: Account }),
  refusals: [
    'not-found',
    'organization-pending',
    ...CHOICE_REFUSALS,
    'chain-not-available',
    'transaction-refused',
  ],
})

/** The calls that create an organization, in the order of the documentation. */
export const ORGANIZATION_ACCOUNT_CALLS = [beginOrganization, completeOrganization] as const
