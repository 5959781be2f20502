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

/** The maximum size of metadata in bytes. */
const METADATA_BYTES_MAXIMUM = 255
const WEIGHT = /^\d{1,12}(?:\.\d{1,6})?$/

/**
 * Creates a group and its policy account, with the faucet amount so that the group can act immediately.
 *
 * @throws ChainFailure - `group-metadata`, `group-invalid`
 */
export async function createGroup(
  block: Block,
  message: MsgCreateGroupWithPolicy,
): Promise<readonly ChainEvent[]> {
  const { chain, at } = block
  assertGroup(message)
  const decisionPolicy = readDecisionPolicy(message.decisionPolicy)
  const id = await chain.next('groups')
  const address = await newPolicyAddress(block)
  const admin = message.groupPolicyAsAdmin ? address : message.admin
  const total = message.members.reduce((sum, { weight }) => sum + Number(weight), 0)
  await chain.addGroup({
    group: { id, admin, metadata: message.groupMetadata, totalWeight: `${total}`, createdAt: at },
    members: message.members.map(({ address: of, weight, metadata }) => ({
      address: of,
      weight,
      metadata,
    })),
  })
  await chain.addPolicy({
    address,
    groupId: id,
    admin,
    metadata: message.groupPolicyMetadata,
    decisionPolicy: JSON.stringify(decisionPolicy),
    createdAt: at,
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
  // PostgreSQL does not accept text with a null character.
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

/** Skips numbers whose address already exists. */
async function newPolicyAddress({ chain, prefix }: Block): Promise<string> {
  for (;;) {
    const derived = await groupPolicyAddress(await chain.next('policies'), prefix)
    const isFree = (await chain.account(derived)) === undefined
    if (isFree) return derived
  }
}

/** Converts a decision policy to the format of the REST interface. */
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
