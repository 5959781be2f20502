import { admit } from './admit.ts'
import type { Block, ChainEvent } from './block.ts'
import type { AtomicChainStore } from './chain.store.ts'
import { ChainFailure, MessageFailure, ProposalFailure } from './chain-failure.ts'
import { type DecodedTransaction, readTransaction } from './read-transaction.ts'

/** The result of a transaction in a block. */
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

/** The environment of the development chain. */
export interface ChainEnvironment {
  readonly store: AtomicChainStore
  readonly clock: () => number
  readonly prefix: string
  readonly chainId: string
}

/** Thrown to roll back the database transaction of a simulation. */
class SimulationRollback extends Error {}

/**
 * Puts a transaction into its own block, within one database transaction. If a message fails, the block is created
 * again without the messages, because the fee and sequence still count.
 *
 * @throws ChainFailure - when the transaction is not accepted
 */
export async function deliver(
  chain: ChainEnvironment,
  bytes: Uint8Array,
): Promise<{ hash: string; result: TransactionResult }> {
  const transaction = readTransaction(bytes)
  const execute = createExecutor(chain, transaction, false)
  const { hash } = transaction
  return {
    hash,
    result: await execute(async (block, result) => {
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
 * Executes a transaction, rolls it back and returns the result.
 *
 * @throws ChainFailure, MessageFailure
 */
export async function simulate(
  chain: ChainEnvironment,
  bytes: Uint8Array,
): Promise<TransactionResult> {
  const transaction = readTransaction(bytes)
  let simulated: TransactionResult | undefined
  const execute = createExecutor(chain, transaction, true)
  await execute(async (_, result) => {
    simulated = result
    throw new SimulationRollback()
  }).catch((error: unknown) => {
    if (!(error instanceof SimulationRollback)) throw error
  })
  if (simulated === undefined) throw new Error('The simulation ended without a result')
  return simulated
}

function createExecutor(
  environment: ChainEnvironment,
  transaction: DecodedTransaction,
  isSimulation: boolean,
) {
  const { store, clock, prefix, chainId } = environment
  return async (
    finish: (block: Block, result: TransactionResult) => Promise<void>,
  ): Promise<TransactionResult> => {
    const proposals = new Map<number, string>()
    let failed: MessageFailure | undefined
    for (;;) {
      try {
        return await store.atomically(async (chain) => {
          const height = await chain.next('height')
          const at = clock()
          const proposalLog = (index: number) => proposals.get(index)
          const block: Block = { chain, prefix, height, at, proposalLog }
          const events = [...(await admit(block, transaction, { chainId, isSimulation }))]
          if (failed === undefined) events.push(...(await run(block, transaction, isSimulation)))
          const result = createResult({ transaction, height, at, events, failed })
          await finish(block, result)
          return result
        })
      } catch (error) {
        if (error instanceof ProposalFailure) proposals.set(error.index, error.message)
        else if (error instanceof MessageFailure && !isSimulation) failed = error
        else throw error
      }
    }
  }
}

async function run(
  block: Block,
  { messages, gas, gasLimit }: DecodedTransaction,
  isSimulation: boolean,
): Promise<readonly ChainEvent[]> {
  if (!isSimulation && gas > gasLimit) {
    const detail = `out of gas in location: messages; gasWanted: ${gasLimit}, gasUsed: ${gas}`
    throw new MessageFailure(new ChainFailure('out-of-gas', detail))
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

function createResult(outcome: {
  readonly transaction: DecodedTransaction
  readonly height: number
  readonly at: number
  readonly events: readonly ChainEvent[]
  readonly failed: MessageFailure | undefined
}): TransactionResult {
  const { transaction, height, at, events, failed } = outcome
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
