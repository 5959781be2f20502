import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Only global unicast IPv6 is public. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is on the public internet, so that requests to it cannot reach internal services (SSRF). */
export function isPublicAddress(text: string): boolean {
  // `ipaddr.js` also parses notations such as `2130706433`, and fails on some zones.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_IPV6))
}
