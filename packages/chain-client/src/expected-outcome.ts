/**
 * What a transaction would do now, from a simulation of its final bytes. The simulation that estimates the fee has no fee yet, and other
 * transactions may change balances until the approval. A chain takes the fee of a transaction that fails.
 */
import { Refusal } from '@portico/contracts/errors'
import { proposalErrorCode } from '@portico/rules/chain-error'
import { MsgSubmitProposal, MsgVote } from 'cosmjs-types/cosmos/group/v1/tx'
import { SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Chain } from './chain.ts'
import { explainedRefusal, refusalOfLog } from './refusal-of-log.ts'
import { signedTransaction, withSequence } from './transaction.ts'

/** `votes-only`: its votes count, but the proposal that they accept cannot be carried out now. */
export type ExpectedOutcome = 'carried-out' | 'votes-only'

interface UnsignedTransaction {
  readonly signBytes: Uint8Array
  /** The signer's address. */
  readonly address: string
}

/**
 * Simulates a transaction, and again with the account's next sequence if another transaction used its own.
 *
 * @throws Refusal - why the chain would not carry it out, such as `insufficient-funds` or `group-funds-insufficient`
 */
export async function expectedOutcome(
  chain: Chain,
  { signBytes, address }: UnsignedTransaction,
): Promise<ExpectedOutcome> {
  const simulate = async (bytes: Uint8Array) => {
    try {
      return await chain.failedProposals(signedTransaction(bytes, new Uint8Array(64)))
    } catch (error) {
      throw explainedRefusal(error)
    }
  }
  const failed = await simulate(signBytes).catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'sequence-mismatch') throw error
    return simulate(withSequence(signBytes, (await chain.account(address)).sequence))
  })
  if (failed.length === 0) return 'carried-out'
  const { messages } = TxBody.decode(SignDoc.decode(signBytes).bodyBytes)
  if (messages.every(({ typeUrl }) => typeUrl === MsgVote.typeUrl)) return 'votes-only'
  const voted = votedProposals(messages)
  const refused = failed.find(({ id }) => !voted.includes(id))
  if (refused === undefined) return 'votes-only'
  const code = proposalErrorCode(refused.log)
  throw code === undefined ? refusalOfLog(refused.log) : new Refusal(code, { cause: refused.log })
}

/** Errors that do not say whether the chain would carry out a transaction. */
const INCONCLUSIVE: readonly string[] = [
  'chain-faulty',
  'chain-not-available',
  'chain-timeout',
  'sequence-mismatch',
]

/**
 * Refuses an approved transaction that would fail by now, before it is signed and costs its fee. A chain that cannot simulate it is no
 * reason to refuse: it checks the transaction again.
 *
 * @throws Refusal - why the chain would not carry it out
 */
export async function assertStillPossible(
  chain: Chain,
  transaction: UnsignedTransaction,
): Promise<void> {
  try {
    await expectedOutcome(chain, transaction)
  } catch (error) {
    if (!(error instanceof Refusal) || !INCONCLUSIVE.includes(error.code)) throw error
  }
}

/** The proposals that a transaction votes on, also for a group that is a member of another one. */
function votedProposals(messages: readonly Any[]): readonly string[] {
  return messages.flatMap(({ typeUrl, value }) => {
    if (typeUrl === MsgVote.typeUrl) return [`${MsgVote.decode(value).proposalId}`]
    return typeUrl === MsgSubmitProposal.typeUrl
      ? votedProposals(MsgSubmitProposal.decode(value).messages)
      : []
  })
}
