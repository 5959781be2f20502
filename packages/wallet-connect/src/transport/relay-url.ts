/**
 * The URL of a relay's WebSocket (protocol 3.1): http becomes ws, and the client parameters of the public clients
 * are added to the query, in their order. Existing query parameters are kept.
 */
export function relayUrl(bridge: string, pageHost: string | undefined): string {
  const url = new URL(bridge.replace(/^http/, 'ws'))
  url.searchParams.set('env', pageHost === undefined ? 'node' : 'browser')
  if (pageHost !== undefined) url.searchParams.set('host', pageHost)
  url.searchParams.set('protocol', 'wc')
  url.searchParams.set('version', '1')
  return url.href
}
