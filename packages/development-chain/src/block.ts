import type { ChainStore } from './chain.store.ts'
import { ChainFailure } from './chain-failure.ts'
import { type Coin, coinsText } from './coins.ts'

/** The state that a message may read and change while its block is created. */
export interface Block {
  readonly chain: ChainStore
  /** The address prefix of this network. */
  readonly prefix: string
  readonly height: number
  /** In epoch milliseconds. */
  readonly at: number
  /** The hash of the transaction. */
  readonly hash: string
  /** The nesting depth of proposals that execute each other. */
  readonly level: number
  /** Numbers proposal executions. `log` is set if this one failed in an earlier attempt to create the block. */
  readonly beginExecution: () => { readonly execution: number; readonly log: string | undefined }
  /** @throws MessageFailure - out of gas */
  readonly consumeGas: (amount: number) => void
}

/** An event in a node's format. */
export interface ChainEvent {
  readonly type: string
  readonly attributes: readonly {
    readonly key: string
    readonly value: string
    readonly index: true
  }[]
}

/** A decoded, executable message. */
export interface Message {
  /** The addresses that must sign. */
  readonly signers: readonly string[]
  readonly gas: number
  /** @throws ChainFailure, ProposalFailure */
  readonly run: (block: Block) => Promise<readonly ChainEvent[]>
}

/** The denomination of fees and of the faucet. */
export const BASE_DENOM = 'nhash'

/** The initial balance of a new account: 1,000 hash. */
export const FAUCET_AMOUNT = 1_000_000_000_000

/** Creates an event. Values of module events are JSON. */
export function chainEvent(type: string, attributes: Readonly<Record<string, string>>): ChainEvent {
  return {
    type,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })),
  }
}

/** Creates an event of the group module. */
export const groupEvent = (name: string, attributes: Readonly<Record<string, unknown>>) =>
  chainEvent(
    `cosmos.group.v1.Event${name}`,
    Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, JSON.stringify(value)]),
    ),
  )

/** Finds or creates the account of an address. A new one gets a number and the faucet amount. */
export async function openAccount({ chain }: Pick<Block, 'chain'>, address: string) {
  const existing = await chain.account(address)
  if (existing !== undefined) return existing
  const number = await chain.next('accounts')
  // Another transaction may have created it before `next` acquired the lock.
  const created = await chain.account(address)
  if (created !== undefined) return created
  await chain.addAccount(address, number)
  await chain.credit(address, BASE_DENOM, FAUCET_AMOUNT)
  return { address, number, sequence: 0, publicKey: null }
}

/**
 * Moves amounts from one address to another.
 *
 * @throws ChainFailure - `insufficient-funds`
 */
export async function transfer(
  block: Pick<Block, 'chain'>,
  { from, to, coins }: { from: string; to: string; coins: readonly Coin[] },
): Promise<readonly ChainEvent[]> {
  const { chain } = block
  for (const { denom, amount } of coins) {
    const isRepresentable = amount <= BigInt(Number.MAX_SAFE_INTEGER)
    if (!isRepresentable || !(await chain.debit(from, denom, Number(amount)))) {
      const has = await chain.balance(from, denom)
      throw new ChainFailure(
        'insufficient-funds',
        `spendable balance ${has}${denom} is smaller than ${amount}${denom}`,
      )
    }
    if (!(await chain.credit(to, denom, Number(amount)))) {
      throw new ChainFailure('invalid-coins', `${to} cannot hold ${amount}${denom} more`)
    }
  }
  const amount = coinsText(coins)
  return [
    chainEvent('coin_spent', { spender: from, amount }),
    chainEvent('coin_received', { receiver: to, amount }),
    chainEvent('transfer', { recipient: to, sender: from, amount }),
  ]
}
