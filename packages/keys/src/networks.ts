/** The two networks of the chain: address prefix, chain id, coin type (SLIP-44) and path of a wallet's first key. */
export const NETWORKS = {
  mainnet: { prefix: 'pb', chainId: 'pio-mainnet-1', coinType: 505, path: "m/44'/505'/0'/0/0" },
  // The last index is hardened only on testnet, as in all public wallets.
  testnet: { prefix: 'tp', chainId: 'pio-testnet-1', coinType: 1, path: "m/44'/1'/0'/0/0'" },
} as const

export type NetworkName = keyof typeof NETWORKS

/** The path of a wallet's n-th account: the network's path with its last index replaced, hardened or not as there. */
export function accountPath({ path }: { readonly path: string }, index: number): string {
  return path.replace(/\d+('?)$/, `${index}$1`)
}
