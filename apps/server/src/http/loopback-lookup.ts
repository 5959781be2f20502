import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/**
 * Names below `localhost` always mean this machine (RFC 6761 6.3). Browsers know that, but many systems' resolvers do not, so
 * the server could not reach its own lenders' hosts in the demonstration.
 */
export const loopbackLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname.endsWith('.localhost') ? 'localhost' : hostname, options, callback)
}
