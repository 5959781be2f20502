/** Why the wallet was opened. */
export type Arrival =
  /** Directly, to manage the accounts. */
  | { readonly kind: 'visit' }
  /** A page requests a connection. The code may still be URI-encoded. */
  | { readonly kind: 'connect'; readonly code: string }
  /** A connected page sent a request. */
  | { readonly kind: 'request' }
  /** A page has ended its connection. */
  | { readonly kind: 'disconnect' }
  /**
   * With a connection code, but not in a frame of one of our pages. An attacker could mail such a link, and the origin of the
   * request would be unknown, so the code is ignored.
   */
  | { readonly kind: 'unsolicited' }

/** Parses the query that the wallet was opened with (protocol 13); `wc` is encoded once or twice. */
export function arrivalOf(query: string, framed: boolean): Arrival {
  const parameters = new URLSearchParams(query)
  const [wc, event] = [parameters.get('wc'), parameters.get('event')]
  if (wc !== null) {
    return framed ? { kind: 'connect', code: wc } : { kind: 'unsolicited' }
  }
  if (!framed || event === null) return { kind: 'visit' }
  return event === 'walletconnect_disconnect' ? { kind: 'disconnect' } : { kind: 'request' }
}
