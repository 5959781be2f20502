/** What the wallet was opened for. */
export type Arrival =
  /** By itself, to look at the accounts. */
  | { readonly kind: 'visit' }
  /** A page wants to connect. The code may still be encoded. */
  | { readonly kind: 'connect'; readonly code: string }
  /** A connected page wants something. */
  | { readonly kind: 'request' }
  /** A page has ended its connection. */
  | { readonly kind: 'goodbye' }
  /**
   * With a connection, but not in a frame of a page of ours. Anybody can put such a link into a mail, and nobody could
   * say who asks: it is not followed.
   */
  | { readonly kind: 'unasked' }

/** Reads the address that the wallet was opened with (protocol 13); `wc` is encoded once or twice. */
export function arrivalOf(query: string, framed: boolean): Arrival {
  const parameters = new URLSearchParams(query)
  const [wc, event] = [parameters.get('wc'), parameters.get('event')]
  if (wc !== null) {
    return framed ? { kind: 'connect', code: wc } : { kind: 'unasked' }
  }
  if (!framed || event === null) return { kind: 'visit' }
  return event === 'walletconnect_disconnect' ? { kind: 'goodbye' } : { kind: 'request' }
}
