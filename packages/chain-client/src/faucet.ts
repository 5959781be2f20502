import { Refusal } from '@portico/contracts/errors'
import type { ChainNode } from './chain.ts'

/**
 * Pays test funds to an address. Only the development chain has a faucet.
 *
 * @throws Refusal - `faucet-limit`, `chain-not-available`, `chain-timeout`
 */
export async function requestTestFunds(node: ChainNode, address: string): Promise<void> {
  const { status } = await node('/faucet', { address })
  if (status === 429) throw new Refusal('faucet-limit')
  if (status !== 200) throw new Refusal('chain-not-available')
}
