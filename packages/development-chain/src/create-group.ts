import type { MsgCreateGroupWithPolicy } from 'cosmjs-types/cosmos/group/v1/tx'
import { BASE_DENOM, type Block, type ChainEvent, FAUCET_AMOUNT, groupEvent } from './block.ts'
import { ChainFailure } from './chain-failure.ts'
import { formatDecimal, parseDecimal } from './decimal.ts'
import { readDecisionPolicy } from './decision-policy.ts'
import { assertMetadata } from './group-metadata.ts'
import { groupPolicyAddress } from './group-policy-address.ts'

/**
 * Creates a group and its policy account, with the faucet amount so that the group can act immediately.
 *
 * @throws ChainFailure - `group-limit`, `group-invalid`, `group-duplicate`
 */
export async function createGroup(
  block: Block,
  message: MsgCreateGroupWithPolicy,
): Promise<readonly ChainEvent[]> {
  const { chain, at } = block
  const { members, groupMetadata, groupPolicyMetadata, groupPolicyAsAdmin } = message
  assertMetadata(groupMetadata, 'group metadata')
  assertMetadata(groupPolicyMetadata, 'group policy metadata')
  const decisionPolicy = readDecisionPolicy(message.decisionPolicy)
  const total = assertMembers(members)
  const id = await chain.next('groups')
  const address = await newPolicyAddress(block)
  const admin = groupPolicyAsAdmin ? address : message.admin
  // The module creates both, then changes their administrator.
  const version = groupPolicyAsAdmin ? 2 : 1
  await chain.addGroup({
    group: {
      id,
      admin,
      metadata: groupMetadata,
      totalWeight: formatDecimal(total),
      createdAt: at,
      version,
    },
    members: members.map(({ address: of, weight, metadata }) => ({
      address: of,
      weight,
      metadata,
    })),
  })
  await chain.addPolicy({
    address,
    groupId: id,
    admin,
    metadata: groupPolicyMetadata,
    decisionPolicy,
    createdAt: at,
    version,
  })
  await chain.addAccount(address, await chain.next('accounts'))
  await chain.credit(address, BASE_DENOM, FAUCET_AMOUNT)
  return [
    groupEvent('CreateGroup', { group_id: `${id}` }),
    groupEvent('CreateGroupPolicy', { address }),
  ]
}

/** Checks the members of a new group and returns their total weight. */
function assertMembers(members: MsgCreateGroupWithPolicy['members']): bigint {
  let total = 0n
  const addresses = new Set<string>()
  for (const { address, weight, metadata } of members) {
    if (addresses.has(address)) throw new ChainFailure('group-duplicate', `address: ${address}`)
    addresses.add(address)
    assertMetadata(metadata, 'member metadata')
    const parsed = parseDecimal(weight) ?? 0n
    if (parsed === 0n) {
      throw new ChainFailure('group-invalid', `expected a positive decimal, got ${weight}`)
    }
    total += parsed
  }
  return total
}

/** Skips numbers that lead to an existing address. */
async function newPolicyAddress({ chain, prefix }: Block): Promise<string> {
  for (;;) {
    const derived = await groupPolicyAddress(await chain.next('policies'), prefix)
    const isFree = (await chain.account(derived)) === undefined
    if (isFree) return derived
  }
}
