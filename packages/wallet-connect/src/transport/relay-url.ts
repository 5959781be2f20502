/**
 * The address of a relay's websocket (protocol 3.1): http becomes ws, and what the public clients say about themselves
 * is added to the query, in their order; what the address already asks for stays.
 */
export function relayUrl(bridge: string, pageHost: string | undefined): string {
  const url = new URL(bridge.replace(/^http/, 'ws'))
  url.searchParams.set('env', pageHost === undefined ? 'node' : 'browser')
  if (pageHost !== undefined) url.searchParams.set('host', pageHost)
  url.searchParams.set('protocol', 'wc')
  url.searchParams.set('version', '1')
  return url.href
}
