import { thresholdPolicy } from '@portico/chain-client/group-messages'
import { packMessage } from '@portico/chain-client/messages'
import { MsgCreateGroupWithPolicy } from 'cosmjs-types/cosmos/group/v1/tx'
import { membersOf, type OrganizationDraft } from './organization-drafts.store.ts'

/**
 * The message that creates an organization's group. Its members have one vote each, and the group administers itself.
 * `findGroup` finds it by the draft's id in its metadata.
 */
export function groupMessage(draft: OrganizationDraft): string {
  const { id, name, walletAddress, threshold } = draft
  return packMessage(
    MsgCreateGroupWithPolicy,
    MsgCreateGroupWithPolicy.fromPartial({
      admin: walletAddress,
      members: membersOf(draft).map((member) => ({
        address: member.address,
        weight: '1',
        metadata: member.name === '' ? '' : JSON.stringify({ name: member.name }),
      })),
      groupMetadata: JSON.stringify({ name, id }),
      groupPolicyAsAdmin: true,
      decisionPolicy: thresholdPolicy(threshold),
    }),
  )
}
