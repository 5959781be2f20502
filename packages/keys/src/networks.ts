/** The two networks of the chain: how addresses begin, its id, and where a wallet's first key is derived (SLIP-44). */
export const NETWORKS = {
  mainnet: { prefix: 'pb', chainId: 'pio-mainnet-1', coinType: 505, path: "m/44'/505'/0'/0/0" },
  // The last index is hardened here and only here; every public wallet derives it so.
  testnet: { prefix: 'tp', chainId: 'pio-testnet-1', coinType: 1, path: "m/44'/1'/0'/0/0'" },
} as const

/** A network by its name. */
export type NetworkName = keyof typeof NETWORKS
