import { MsgCreateGroupWithPolicy } from 'cosmjs-types/cosmos/group/v1/tx'
import { ThresholdDecisionPolicy } from 'cosmjs-types/cosmos/group/v1/types'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { OrganizationDraft } from './organization-drafts.store.ts'

const TWO_DAYS_S = 172_800n

/**
 * The message that creates an organization's group. The controlling wallet is its only member and decides alone; the
 * group administers itself. `findGroup` finds it by the draft's id in its metadata.
 */
export function groupMessage({ id, name, walletAddress }: OrganizationDraft): string {
  const decisionPolicy = ThresholdDecisionPolicy.fromPartial({
    threshold: '1',
    windows: { votingPeriod: { seconds: TWO_DAYS_S }, minExecutionPeriod: { seconds: 0n } },
  })
  const message = MsgCreateGroupWithPolicy.fromPartial({
    admin: walletAddress,
    members: [{ address: walletAddress, weight: '1' }],
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
