import type { MsgCreateGroupWithPolicy } from 'cosmjs-types/cosmos/group/v1/tx'
import {
  type DecisionPolicyWindows,
  PercentageDecisionPolicy,
  ThresholdDecisionPolicy,
} from 'cosmjs-types/cosmos/group/v1/types'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { BASE_DENOM, type Block, type ChainEvent, chainEvent, FAUCET_AMOUNT } from './block.ts'
import { ChainFailure } from './chain-failure.ts'
import { groupPolicyAddress } from './group-policy-address.ts'
import { readBytes } from './read-bytes.ts'

/** What a group may say about itself, in bytes. */
const METADATA_BYTES_MAXIMUM = 255
const WEIGHT = /^\d{1,12}(?:\.\d{1,6})?$/

/**
 * Makes a group and what it acts as. The new policy has the faucet's amount, so that the group can act at once.
 *
 * @throws ChainFailure - `group-metadata`, `group-invalid`
 */
export async function createGroup(
  block: Block,
  asked: MsgCreateGroupWithPolicy,
): Promise<readonly ChainEvent[]> {
  const { chain, at } = block
  assertGroup(asked)
  const decisionPolicy = readDecisionPolicy(asked.decisionPolicy)
  const id = await chain.next('groups')
  const address = await newPolicyAddress(block)
  const admin = asked.groupPolicyAsAdmin ? address : asked.admin
  const total = asked.members.reduce((sum, { weight }) => sum + Number(weight), 0)
  await chain.addGroup({
    group: { id, admin, metadata: asked.groupMetadata, total_weight: `${total}`, created_at: at },
    members: asked.members.map(({ address: of, weight, metadata }) => ({
      address: of,
      weight,
      metadata,
    })),
  })
  await chain.addPolicy({
    address,
    group_id: id,
    admin,
    metadata: asked.groupPolicyMetadata,
    decision_policy: JSON.stringify(decisionPolicy),
    created_at: at,
  })
  await chain.addAccount(address, await chain.next('accounts'))
  await chain.credit(address, BASE_DENOM, FAUCET_AMOUNT)
  return [
    chainEvent('cosmos.group.v1.EventCreateGroup', { group_id: JSON.stringify(`${id}`) }),
    chainEvent('cosmos.group.v1.EventCreateGroupPolicy', { address: JSON.stringify(address) }),
  ]
}

function assertGroup({ groupMetadata, groupPolicyMetadata, members }: MsgCreateGroupWithPolicy) {
  const texts = [groupMetadata, groupPolicyMetadata, ...members.map(({ metadata }) => metadata)]
  if (texts.some((text) => Buffer.byteLength(text) > METADATA_BYTES_MAXIMUM)) {
    throw new ChainFailure('group-metadata', 'metadata too long')
  }
  // One of the two engines takes no text with it.
  if (texts.some((text) => text.includes('\0'))) {
    throw new ChainFailure('group-invalid', 'metadata with a null character')
  }
  if (new Set(members.map(({ address }) => address)).size !== members.length) {
    throw new ChainFailure('group-invalid', 'duplicate address')
  }
  if (!members.every(({ weight }) => isPositive(weight))) {
    throw new ChainFailure('group-invalid', 'expected a positive decimal')
  }
}

/** Numbers whose address is taken already are left out. */
async function newPolicyAddress({ chain, prefix }: Block): Promise<string> {
  for (;;) {
    const derived = await groupPolicyAddress(await chain.next('policies'), prefix)
    const isFree = (await chain.account(derived)) === undefined
    if (isFree) return derived
  }
}

/** A decision policy as the chain's REST interface writes it. */
function readDecisionPolicy(policy: Any | undefined) {
  const { typeUrl, value } = policy ?? { typeUrl: '', value: new Uint8Array() }
  if (typeUrl === ThresholdDecisionPolicy.typeUrl) {
    const { threshold, windows } = readBytes(ThresholdDecisionPolicy, value)
    if (isPositive(threshold)) return { '@type': typeUrl, threshold, windows: windowsOf(windows) }
  }
  if (typeUrl === PercentageDecisionPolicy.typeUrl) {
    const { percentage, windows } = readBytes(PercentageDecisionPolicy, value)
    if (isPositive(percentage) && Number(percentage) <= 1) {
      return { '@type': typeUrl, percentage, windows: windowsOf(windows) }
    }
  }
  throw new ChainFailure('group-invalid', 'decision policy')
}

const isPositive = (decimal: string) => WEIGHT.test(decimal) && Number(decimal) > 0

const windowsOf = (windows: DecisionPolicyWindows | undefined) => ({
  voting_period: `${windows?.votingPeriod.seconds ?? 0n}s`,
  min_execution_period: `${windows?.minExecutionPeriod.seconds ?? 0n}s`,
})
