import { admit } from './admit.ts'
import type { Block, ChainEvent } from './block.ts'
import type { AtomicChainStore } from './chain.store.ts'
import { ChainFailure, MessageFailure, ProposalFailure } from './chain-failure.ts'
import { tallyEndedProposals } from './proposals.ts'
import { type DecodedTransaction, readTransaction } from './read-transaction.ts'
import { transferParties } from './transaction-search.ts'

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
      const { height } = result
      await block.chain.addTransfers(
        transferParties(result.events).map((party) => ({ hash, height, ...party })),
      )
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

/** The maximum number of failing proposals in a transaction, because each failure recreates the block. */
const MAX_FAILED_EXECUTIONS = 20

function createExecutor(
  environment: ChainEnvironment,
  transaction: DecodedTransaction,
  isSimulation: boolean,
) {
  const { store, clock, prefix, chainId } = environment
  return async (
    finish: (block: Block, result: TransactionResult) => Promise<void>,
  ): Promise<TransactionResult> => {
    /** Errors of proposals in earlier attempts, by execution. */
    const logs = new Map<number, string>()
    let attempts = 0
    let failed: MessageFailure | undefined
    for (;;) {
      try {
        return await store.atomically(async (chain) => {
          const height = await chain.next('height')
          const at = clock()
          let executions = 0
          let gasUsed = 0
          const block: Block = {
            chain,
            prefix,
            height,
            at,
            hash: transaction.hash,
            level: 0,
            beginExecution() {
              const execution = executions
              executions += 1
              return { execution, log: logs.get(execution) }
            },
            consumeGas(amount) {
              gasUsed += amount
              if (!isSimulation && gasUsed > transaction.gasLimit)
                throw outOfGas(transaction, gasUsed)
            },
          }
          const events = [...(await admit(block, transaction, { chainId, isSimulation }))]
          if (failed === undefined) events.push(...(await run(block, transaction)))
          await tallyEndedProposals(block)
          gasUsed = Math.max(gasUsed, transaction.gas)
          const result = createResult({ transaction, height, at, events, failed, gasUsed })
          await finish(block, result)
          return result
        })
      } catch (error) {
        attempts += 1
        if (error instanceof ProposalFailure && attempts <= MAX_FAILED_EXECUTIONS) {
          // Later executions may differ without this one.
          for (const execution of logs.keys())
            if (execution > error.execution) logs.delete(execution)
          logs.set(error.execution, error.message)
        } else if (error instanceof ProposalFailure) {
          failed = tooManyFailures(isSimulation)
        } else if (error instanceof MessageFailure && !isSimulation) failed = error
        else throw error
      }
    }
  }
}

function tooManyFailures(isSimulation: boolean): MessageFailure {
  const detail = `more than ${MAX_FAILED_EXECUTIONS} failed proposals`
  const failure = new MessageFailure(new ChainFailure('invalid-request', detail))
  if (isSimulation) throw failure
  return failure
}

function outOfGas({ gasLimit }: DecodedTransaction, gasUsed: number): MessageFailure {
  const detail = `out of gas in location: messages; gasWanted: ${gasLimit}, gasUsed: ${gasUsed}`
  return new MessageFailure(new ChainFailure('out-of-gas', detail))
}

async function run(
  block: Block,
  { messages, gas }: DecodedTransaction,
): Promise<readonly ChainEvent[]> {
  block.consumeGas(gas)
  const events: ChainEvent[] = []
  for (const [index, message] of messages.entries()) {
    try {
      events.push(...(await message.run(block)).map((event) => withIndex(event, index)))
    } catch (error) {
      throw error instanceof ChainFailure ? new MessageFailure(error, index) : error
    }
  }
  return events
}

/** Message events include the message's index; fee events do not. */
function withIndex(event: ChainEvent, index: number): ChainEvent {
  const { attributes } = event
  return {
    ...event,
    attributes: [...attributes, { key: 'msg_index', value: `${index}`, index: true }],
  }
}

function createResult(outcome: {
  readonly transaction: DecodedTransaction
  readonly height: number
  readonly at: number
  readonly events: readonly ChainEvent[]
  readonly failed: MessageFailure | undefined
  readonly gasUsed: number
}): TransactionResult {
  const { transaction, height, at, events, failed, gasUsed } = outcome
  return {
    height,
    code: failed?.failure.code ?? 0,
    codespace: failed?.failure.codespace ?? '',
    rawLog: failed?.message ?? '',
    gasWanted: transaction.gasLimit,
    gasUsed,
    events,
    at,
  }
}
