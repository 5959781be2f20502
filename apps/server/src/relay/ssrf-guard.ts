import { BlockList, isIP } from 'node:net'

/** Networks that are not part of the public internet (IANA special-purpose registries). */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** Only global unicast IPv6 is public, except reserved ranges and those that map to IPv4. */
const GLOBAL_IPV6 = ['2000::', 3] as const
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const special = new BlockList()
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6')
const globalUnicast = new BlockList()
globalUnicast.addSubnet(...GLOBAL_IPV6, 'ipv6')

/** Whether an address belongs to the public internet, so that a request to it cannot reach internal services (SSRF). */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4')
  return (
    isIP(address) === 6 && globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
  )
}
