const SHOWN = 5

/** An address as lists show it (§9): its first 5 characters, '...', its last 5. */
export function shortAddress(address: string): string {
  return address.length <= 2 * SHOWN
    ? address
    : `${address.slice(0, SHOWN)}...${address.slice(-SHOWN)}`
}
