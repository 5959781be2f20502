import type { ChainStore } from './chain.store.ts'
import { ChainFailure } from './chain-failure.ts'
import { type Coin, coinsText } from './coins.ts'

/** What a message may look at and change while its block is made. */
export interface Block {
  readonly chain: ChainStore
  /** How addresses of this network begin. */
  readonly prefix: string
  readonly height: number
  /** In epoch milliseconds. */
  readonly at: number
  /** What a proposal of an earlier attempt at this transaction failed with, by the message that made it. */
  readonly proposalLog: (index: number) => string | undefined
}

/** Something that happened, as a node tells it. */
export interface ChainEvent {
  readonly type: string
  readonly attributes: readonly {
    readonly key: string
    readonly value: string
    readonly index: true
  }[]
}

/** A message that was read, and can be carried out. */
export interface Message {
  /** Whose signatures it needs. */
  readonly signers: readonly string[]
  readonly gas: number
  /** @throws ChainFailure, ProposalFailure */
  readonly run: (block: Block, index: number) => Promise<readonly ChainEvent[]>
}

/** What the chain counts fees in, and what its faucet gives. */
export const BASE_DENOM = 'nhash'

/** What whoever is new on this chain is given: 1,000 hash. */
export const FAUCET_AMOUNT = 1_000_000_000_000

/** Makes an event; the values of events of modules are JSON. */
export function chainEvent(type: string, attributes: Readonly<Record<string, string>>): ChainEvent {
  return {
    type,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })),
  }
}

/** The account of an address; one that is new gets a number and the faucet's amount. */
export async function openAccount({ chain }: Pick<Block, 'chain'>, address: string) {
  const known = await chain.account(address)
  if (known !== undefined) return known
  const number = await chain.next('accounts')
  // Somebody else may have opened it before it was our turn to count.
  const meanwhile = await chain.account(address)
  if (meanwhile !== undefined) return meanwhile
  await chain.addAccount(address, number)
  await chain.credit(address, BASE_DENOM, FAUCET_AMOUNT)
  return { address, number, sequence: 0, public_key: null }
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
    const isHeld = amount <= BigInt(Number.MAX_SAFE_INTEGER)
    if (!isHeld || !(await chain.debit(from, denom, Number(amount)))) {
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
