import { MsgCreateGroupWithPolicy } from 'cosmjs-types/cosmos/group/v1/tx'
import { ThresholdDecisionPolicy } from 'cosmjs-types/cosmos/group/v1/types'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { OrganizationDraft } from './organization-drafts.store.ts'

const TWO_DAYS_S = 172_800n

/**
 * The message that makes an organization's group: its controlling wallet is the only member and decides alone, and the
 * group administers itself. What it says about itself names the draft, by which the group is found again.
 */
export function groupMessage({ id, name, wallet_address }: OrganizationDraft): string {
  const decisionPolicy = ThresholdDecisionPolicy.fromPartial({
    threshold: '1',
    windows: { votingPeriod: { seconds: TWO_DAYS_S }, minExecutionPeriod: { seconds: 0n } },
  })
  const message = MsgCreateGroupWithPolicy.fromPartial({
    admin: wallet_address,
    members: [{ address: wallet_address, weight: '1' }],
    groupMetadata: JSON.stringify({ name, id }),
    groupPolicyAsAdmin: true,
    decisionPolicy: {
      typeUrl: ThresholdDecisionPolicy.typeUrl,
      value: ThresholdDecisionPolicy.encode(decisionPolicy).finish(),
    },
  })
  const packed = Any.encode({
    typeUrl: MsgCreateGroupWithPolicy.typeUrl,
    value: MsgCreateGroupWithPolicy.encode(message).finish(),
  }).finish()
  return Buffer.from(packed).toString('base64')
}
