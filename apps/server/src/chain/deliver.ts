import type { AllStores } from '../stores.ts'
import { admit } from './admit.ts'
import type { Block, ChainEvent } from './block.ts'
import { ChainFailure, MessageFailure, ProposalFailure } from './chain-failure.ts'
import { type ReadTransaction, readTransaction } from './read-transaction.ts'

/** What became of a transaction that stands in a block. */
export interface TransactionResult {
  readonly height: number
  readonly code: number
  readonly codespace: string
  readonly rawLog: string
  readonly gasWanted: number
  readonly gasUsed: number
  readonly events: readonly ChainEvent[]
  /** In epoch milliseconds. */
  readonly at: number
}

/** Where and when transactions are delivered. */
export interface Chainlike {
  readonly stores: AllStores
  readonly clock: () => number
  readonly prefix: string
  readonly chainId: string
}

/** Leaves a trial's transaction, so that nothing of it stays. */
class TrialOver extends Error {}

/**
 * Takes a transaction into a block of its own, all of it in one database transaction. Where a message fails, the block is
 * made again without the messages, because the fee is owed and the sequence used all the same.
 *
 * @throws ChainFailure - where it is not taken at all
 */
export async function deliver(
  chain: Chainlike,
  bytes: Uint8Array,
): Promise<{ hash: string; result: TransactionResult }> {
  const transaction = readTransaction(bytes)
  const attempt = attempts(chain, transaction, false)
  const { hash } = transaction
  return {
    hash,
    result: await attempt(async (block, result) => {
      await block.chain.addTransaction({
        hash,
        height: result.height,
        bytes: Buffer.from(bytes).toString('base64'),
        result: JSON.stringify(result),
      })
    }),
  }
}

/**
 * Tries a transaction out and leaves nothing of it; gives the gas it uses.
 *
 * @throws ChainFailure, MessageFailure
 */
export async function simulate(chain: Chainlike, bytes: Uint8Array): Promise<TransactionResult> {
  const transaction = readTransaction(bytes)
  let tried: TransactionResult | undefined
  const attempt = attempts(chain, transaction, true)
  await attempt(async (_, result) => {
    tried = result
    throw new TrialOver()
  }).catch((error: unknown) => {
    if (!(error instanceof TrialOver)) throw error
  })
  if (tried === undefined) throw new Error('A trial ended without a result')
  return tried
}

function attempts(chainlike: Chainlike, transaction: ReadTransaction, trial: boolean) {
  const { stores, clock, prefix, chainId } = chainlike
  return async (
    finish: (block: Block, result: TransactionResult) => Promise<void>,
  ): Promise<TransactionResult> => {
    const proposals = new Map<number, string>()
    let failed: MessageFailure | undefined
    for (;;) {
      try {
        return await stores.atomically(async ({ chain }) => {
          const height = await chain.next('height')
          const at = clock()
          const proposalLog = (index: number) => proposals.get(index)
          const block: Block = { chain, prefix, height, at, proposalLog }
          const events = [...(await admit(block, transaction, { chainId, trial }))]
          if (failed === undefined) events.push(...(await run(block, transaction, trial)))
          const result = resultOf({ transaction, height, at, events, failed })
          await finish(block, result)
          return result
        })
      } catch (error) {
        if (error instanceof ProposalFailure) proposals.set(error.index, error.message)
        else if (error instanceof MessageFailure && !trial) failed = error
        else throw error
      }
    }
  }
}

async function run(
  block: Block,
  { messages, gas, gasLimit }: ReadTransaction,
  trial: boolean,
): Promise<readonly ChainEvent[]> {
  if (!trial && gas > gasLimit) {
    const what = `out of gas in location: messages; gasWanted: ${gasLimit}, gasUsed: ${gas}`
    throw new MessageFailure(new ChainFailure('out-of-gas', what))
  }
  const events: ChainEvent[] = []
  for (const [index, message] of messages.entries()) {
    try {
      events.push(...(await message.run(block, index)))
    } catch (error) {
      throw error instanceof ChainFailure ? new MessageFailure(error, index) : error
    }
  }
  return events
}

function resultOf(given: {
  readonly transaction: ReadTransaction
  readonly height: number
  readonly at: number
  readonly events: readonly ChainEvent[]
  readonly failed: MessageFailure | undefined
}): TransactionResult {
  const { transaction, height, at, events, failed } = given
  return {
    height,
    code: failed?.failure.code ?? 0,
    codespace: failed?.failure.codespace ?? '',
    rawLog: failed?.message ?? '',
    gasWanted: transaction.gasLimit,
    gasUsed: transaction.gas,
    events,
    at,
  }
}
