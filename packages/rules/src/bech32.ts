/** Whether two addresses are the same, or both absent. Bech32 is case-insensitive (BIP-173). */
export function isSameAddress(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}

/** The human-readable part of an address, which names the network: everything before the last `1` (BIP-173). */
export function addressPrefix(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('1'))).toLowerCase()
}
