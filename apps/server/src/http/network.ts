import { isIPv4, isIPv6 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/**
 * The network that a client is counted by: an IPv4 address, or the /64 of an IPv6 address, because that is what one
 * household gets. IPv4-mapped IPv6 addresses are unwrapped. A port, which some proxies add, is dropped because it differs
 * for every connection. Undefined for an invalid address.
 */
export function networkOf(address: string | undefined): string | undefined {
  // A reset connection has no address, although Fastify's types do not say so.
  if (address === undefined) return undefined
  if (isIPv4(address)) return address
  const plain = withoutPort(address)
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return undefined
  const ipv6 = ipaddr.IPv6.parse(plain)
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address().toString()
  const prefix = ipv6.parts.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** The /48 of an IPv6 network, because that is what one customer can get; an IPv4 address is unchanged. */
export function siteOf(network: string): string {
  return network.replace(/^((?:[\da-f]+:){3})[\da-f]+::\/64$/, '$1:/48')
}

/** Strips the port or zone from `1.2.3.4:567`, `[2001:db8::1]:567` and `fe80::1%eth0`. */
function withoutPort(address: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(address) ?? []
  const [, beforePort] = /^([\d.]+):\d{1,5}$/.exec(address) ?? []
  const [plain = ''] = (inBrackets ?? beforePort ?? address).split('%', 1)
  return plain
}

/** Whether an address belongs to a trusted proxy; `distance` is the number of proxies in front of it. */
export type IsTrusted = (address: string, distance: number) => boolean

/** Returns a check for trusted proxies. */
export function trustedProxies(addresses: readonly string[]): IsTrusted {
  return proxyAddr.compile([...addresses])
}
