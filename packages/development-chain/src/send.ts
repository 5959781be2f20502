import type { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { type Block, type ChainEvent, openAccount, transfer } from './block.ts'
import { ChainFailure } from './chain-failure.ts'
import { type Coin, readCoins } from './coins.ts'

/** @throws ChainFailure */
export async function send(
  block: Block,
  { fromAddress: from, toAddress: to, amount }: MsgSend,
): Promise<readonly ChainEvent[]> {
  const coins = readPositiveCoins(amount)
  await openAccount(block, to)
  return transfer(block, { from, to, coins })
}

/**
 * Sends from one account to several.
 *
 * @throws ChainFailure
 */
export async function multiSend(
  block: Block,
  { inputs, outputs }: MsgMultiSend,
): Promise<readonly ChainEvent[]> {
  const [input] = inputs
  if (input === undefined) throw new ChainFailure('no-inputs')
  if (inputs.length > 1) throw new ChainFailure('several-senders')
  if (outputs.length === 0) throw new ChainFailure('no-outputs')
  const spent = readPositiveCoins(input.coins)
  const received = outputs.map(({ address, coins }) => ({
    to: address,
    coins: readPositiveCoins(coins),
  }))
  const sums = sumOf(received.flatMap(({ coins }) => coins))
  const isEqual =
    sums.size === spent.length && spent.every(({ denom, amount }) => sums.get(denom) === amount)
  if (!isEqual) throw new ChainFailure('sum-mismatch')
  const events: ChainEvent[] = []
  for (const { to, coins } of received) {
    await openAccount(block, to)
    events.push(...(await transfer(block, { from: input.address, to, coins })))
  }
  return events
}

function readPositiveCoins(amount: MsgSend['amount']): readonly Coin[] {
  const coins = readCoins(amount)
  if (coins.length === 0 || coins.some((coin) => coin.amount === 0n)) {
    throw new ChainFailure('invalid-coins', 'amounts must be positive')
  }
  return coins
}

function sumOf(coins: readonly Coin[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { denom, amount } of coins) sums.set(denom, (sums.get(denom) ?? 0n) + amount)
  return sums
}
