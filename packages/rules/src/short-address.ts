const VISIBLE_CHARACTERS = 5

/** The short form of an address in lists (§9): its first 5 characters, '...', its last 5. */
export function shortAddress(address: string): string {
  return address.length <= 2 * VISIBLE_CHARACTERS
    ? address
    : `${address.slice(0, VISIBLE_CHARACTERS)}...${address.slice(-VISIBLE_CHARACTERS)}`
}
