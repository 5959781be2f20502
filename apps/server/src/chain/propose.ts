import { Exec, type MsgSubmitProposal } from 'cosmjs-types/cosmos/group/v1/tx'
import * as z from 'zod/mini'
import { type Block, type ChainEvent, chainEvent, type Message } from './block.ts'
import { ChainFailure, ProposalFailure } from './chain-failure.ts'

const DecisionPolicy = z.object({
  threshold: z.optional(z.string()),
  percentage: z.optional(z.string()),
})

/**
 * What a group does by a proposal of its members, carried out at once where their weight decides. Nobody votes later on
 * this chain, so one that they cannot decide alone is refused. As on any chain, a proposal that cannot be carried out
 * fails by itself: its transaction stands, and its events tell.
 *
 * @throws ChainFailure - `not-found`, `unauthorized`, `not-supported`
 */
export async function propose(
  block: Block,
  given: {
    readonly asked: MsgSubmitProposal
    readonly messages: readonly Message[]
    readonly index: number
  },
): Promise<readonly ChainEvent[]> {
  const { chain } = block
  const { asked, messages, index } = given
  const { groupPolicyAddress: address, proposers } = asked
  const policy = await chain.policy(address)
  if (policy === undefined) throw new ChainFailure('not-found', `load group policy: ${address}`)
  const members = await chain.members(policy.group_id)
  const weights = new Map(members.map((member) => [member.address, Number(member.weight)]))
  for (const proposer of proposers) {
    if (!weights.has(proposer)) throw new ChainFailure('unauthorized', `not in group: ${proposer}`)
  }
  if (messages.some(({ signers }) => signers.some((signer) => signer !== address))) {
    throw new ChainFailure('unauthorized', 'msg does not have group policy authorization')
  }
  const weight = [...new Set(proposers)].reduce((sum, each) => sum + (weights.get(each) ?? 0), 0)
  const total = members.reduce((sum, member) => sum + Number(member.weight), 0)
  if (asked.exec !== Exec.EXEC_TRY || !decides(policy.decision_policy, weight, total)) {
    throw new ChainFailure('not-supported', 'a proposal that waits for votes')
  }

  const proposalId = JSON.stringify(`${await chain.next('proposals')}`)
  const submitted = chainEvent('cosmos.group.v1.EventSubmitProposal', { proposal_id: proposalId })
  const executed = (result: 'SUCCESS' | 'FAILURE', logs: string) =>
    chainEvent('cosmos.group.v1.EventExec', {
      proposal_id: proposalId,
      result: JSON.stringify(`PROPOSAL_EXECUTOR_RESULT_${result}`),
      logs: JSON.stringify(logs),
    })
  const log = block.proposalLog(index)
  if (log !== undefined) {
    const failed = `proposal execution failed on proposal ${proposalId}, because of error ${log}`
    return [submitted, executed('FAILURE', failed)]
  }
  const events: ChainEvent[] = []
  for (const message of messages) events.push(...(await carryOut(block, message, index)))
  return [submitted, ...events, executed('SUCCESS', '')]
}

/** The whole block is made anew after a failure here, because all of a proposal happens or nothing of it. */
async function carryOut(block: Block, message: Message, index: number) {
  try {
    return await message.run(block, index)
  } catch (error) {
    throw error instanceof ChainFailure ? new ProposalFailure(index, error) : error
  }
}

function decides(stored: string, weight: number, total: number): boolean {
  const { threshold, percentage } = DecisionPolicy.parse(JSON.parse(stored))
  if (threshold !== undefined) return weight >= Math.min(Number(threshold), total)
  return total > 0 && weight / total >= Number(percentage)
}
