import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Only global unicast IPv6 is public. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Services of clouds for their own machines, at addresses that look public: Azure's metadata, IBM Cloud's services. */
const CLOUD_SERVICES = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((network) =>
  ipaddr.IPv4.parseCIDR(network),
)

/** Whether an address is on the public internet, so that requests to it cannot reach internal services (SSRF). */
export function isPublicAddress(text: string): boolean {
  // `ipaddr.js` also parses notations such as `2130706433`, and fails on some zones.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4
    ? !CLOUD_SERVICES.some((network) => address.match(network))
    : address.match(GLOBAL_IPV6)
}
