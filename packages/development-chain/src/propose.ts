import { Exec, type MsgSubmitProposal } from 'cosmjs-types/cosmos/group/v1/tx'
import * as z from 'zod/mini'
import { type Block, type ChainEvent, chainEvent, type Message } from './block.ts'
import { ChainFailure, ProposalFailure } from './chain-failure.ts'

const DecisionPolicy = z.object({
  threshold: z.optional(z.string()),
  percentage: z.optional(z.string()),
})

/**
 * Executes a proposal of group members if their weight decides. This chain has no later votes, so other proposals are
 * refused. As on a real chain, a failed proposal does not fail its transaction; the events report the failure.
 *
 * @throws ChainFailure - `not-found`, `unauthorized`, `not-supported`
 */
export async function propose(
  block: Block,
  submission: {
    readonly proposal: MsgSubmitProposal
    readonly messages: readonly Message[]
    readonly index: number
  },
): Promise<readonly ChainEvent[]> {
  const { chain } = block
  const { proposal, messages, index } = submission
  const { groupPolicyAddress: address, proposers } = proposal
  const policy = await chain.policy(address)
  if (policy === undefined) throw new ChainFailure('not-found', `load group policy: ${address}`)
  const members = await chain.members(policy.groupId)
  const weights = new Map(members.map((member) => [member.address, Number(member.weight)]))
  for (const proposer of proposers) {
    if (!weights.has(proposer)) throw new ChainFailure('unauthorized', `not in group: ${proposer}`)
  }
  if (messages.some(({ signers }) => signers.some((signer) => signer !== address))) {
    throw new ChainFailure('unauthorized', 'msg does not have group policy authorization')
  }
  const weight = [...new Set(proposers)].reduce((sum, each) => sum + (weights.get(each) ?? 0), 0)
  const total = members.reduce((sum, member) => sum + Number(member.weight), 0)
  if (proposal.exec !== Exec.EXEC_TRY || !decides(policy.decisionPolicy, weight, total)) {
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
  for (const message of messages) events.push(...(await runProposalMessage(block, message, index)))
  return [submitted, ...events, executed('SUCCESS', '')]
}

/** After a failure the whole block is created again, because a proposal is atomic. */
async function runProposalMessage(block: Block, message: Message, index: number) {
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
