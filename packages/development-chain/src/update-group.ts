/** Changes of groups: their members and their decision policy (x/group of the Cosmos SDK 0.50). */
import type {
  MsgLeaveGroup,
  MsgUpdateGroupMembers,
  MsgUpdateGroupPolicyDecisionPolicy,
} from 'cosmjs-types/cosmos/group/v1/tx'
import { type Block, type ChainEvent, groupEvent } from './block.ts'
import { ChainFailure } from './chain-failure.ts'
import { formatDecimal, parseDecimal } from './decimal.ts'
import { readDecisionPolicy } from './decision-policy.ts'
import { assertMetadata } from './group-metadata.ts'

/**
 * Adds, changes and (with weight 0) removes members. Open proposals continue: the votes count with the weights that
 * the members have when they are tallied, and not at all of those who left.
 *
 * @throws ChainFailure
 */
export async function updateGroupMembers(
  { chain, at }: Block,
  { admin, groupId, memberUpdates }: MsgUpdateGroupMembers,
): Promise<readonly ChainEvent[]> {
  const id = Number(groupId)
  if (id === 0) throw new ChainFailure('group-empty', 'group id')
  if (memberUpdates.length === 0) throw new ChainFailure('group-empty', 'member updates')
  const addresses = new Set<string>()
  for (const { address, weight } of memberUpdates) {
    if (addresses.has(address)) {
      throw new ChainFailure('group-duplicate', `members: address: ${address}`)
    }
    addresses.add(address)
    if (parseDecimal(weight) === undefined) {
      throw new ChainFailure('group-invalid', 'members: weight must be non negative')
    }
  }
  const group = await loadGroup(chain, id)
  if (group.admin !== admin) {
    throw new ChainFailure('unauthorized', `not group admin; got ${admin}, expected ${group.admin}`)
  }
  const members = new Map(
    (await chain.members(id)).map((member) => [member.address, member.weight]),
  )
  let total = parseDecimal(group.totalWeight) ?? 0n
  for (const { address, weight, metadata } of memberUpdates) {
    assertMetadata(metadata, 'members updated: group member metadata')
    const previous = members.get(address)
    const next = parseDecimal(weight) ?? 0n
    total += next - (parseDecimal(previous ?? '') ?? 0n)
    if (next > 0n) {
      await chain.upsertMember({ groupId: id, address, weight, metadata, addedAt: at })
    } else if (previous === undefined) {
      throw new ChainFailure('not-found', 'members updated: unknown member')
    } else {
      await chain.deleteMember(id, address)
    }
  }
  await chain.updateGroup(id, { totalWeight: formatDecimal(total), version: group.version + 1 })
  return [groupEvent('UpdateGroup', { group_id: `${id}` })]
}

/** @throws ChainFailure */
export async function leaveGroup(
  { chain }: Block,
  { address, groupId }: MsgLeaveGroup,
): Promise<readonly ChainEvent[]> {
  const id = Number(groupId)
  if (id === 0) throw new ChainFailure('group-empty', 'group-id')
  const group = await loadGroup(chain, id)
  const member = (await chain.members(id)).find((each) => each.address === address)
  if (member === undefined) {
    throw new ChainFailure('not-found', `${address} is not part of group ${id}`)
  }
  const total = (parseDecimal(group.totalWeight) ?? 0n) - (parseDecimal(member.weight) ?? 0n)
  await chain.deleteMember(id, address)
  await chain.updateGroup(id, { totalWeight: formatDecimal(total), version: group.version + 1 })
  return [groupEvent('LeaveGroup', { group_id: `${id}`, address })]
}

/**
 * Changes how a group decides, which aborts its open proposals.
 *
 * @throws ChainFailure
 */
export async function updateDecisionPolicy(
  { chain }: Block,
  { admin, groupPolicyAddress: address, decisionPolicy }: MsgUpdateGroupPolicyDecisionPolicy,
): Promise<readonly ChainEvent[]> {
  const stored = readDecisionPolicy(decisionPolicy)
  const policy = await loadPolicy(chain, address)
  if (policy.admin !== admin) throw new ChainFailure('unauthorized', 'not group policy admin')
  await chain.updatePolicy(address, { decisionPolicy: stored, version: policy.version + 1 })
  await chain.abortProposals(address)
  return [groupEvent('UpdateGroupPolicy', { address })]
}

/** @throws ChainFailure - `not-found` */
export async function loadPolicy(chain: Block['chain'], address: string) {
  const policy = await chain.policy(address)
  if (policy === undefined) throw new ChainFailure('not-found', `load group policy: ${address}`)
  return policy
}

/** @throws ChainFailure - `not-found` */
export async function loadGroup(chain: Block['chain'], id: number) {
  const group = Number.isSafeInteger(id) ? await chain.group(id) : undefined
  if (group === undefined) throw new ChainFailure('not-found', 'load group')
  return group
}
