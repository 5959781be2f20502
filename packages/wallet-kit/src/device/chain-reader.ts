import { openChain } from '@portico/chain-client/chain'
import { requestTestFunds } from '@portico/chain-client/faucet'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { readBalance } from '@portico/chain-client/transfers'
import { formatCoins } from '@portico/wallet-connect/format-coins'
import { groupReader } from './groups/group-reader.ts'

const BASE_DENOM = 'nhash'

/** Reads what a device wallet shows from the chain at a URL. */
export function chainReader(url: string) {
  const node = httpChainNode(url)
  return {
    async balances(addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const amounts = await Promise.all(
        addresses.map((address) => readBalance(node, address, BASE_DENOM)),
      )
      return new Map(
        addresses.map((address, index) => [
          address,
          formatCoins([{ denom: BASE_DENOM, amount: `${amounts[index]}` }]),
        ]),
      )
    },
    groups: groupReader(openChain(node), Date.now),
    requestFunds: (address: string) => requestTestFunds(node, address),
  }
}
