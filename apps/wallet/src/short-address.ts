const SHOWN_LENGTH = 5

/** §9 Address display: first 5 characters, '...', last 5. */
export function shortAddress(address: string): string {
  return address.length <= 2 * SHOWN_LENGTH
    ? address
    : `${address.slice(0, SHOWN_LENGTH)}...${address.slice(-SHOWN_LENGTH)}`
}
