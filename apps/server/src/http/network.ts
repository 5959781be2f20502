import { isIPv4, isIPv6 } from 'node:net'

/**
 * The network by which a client is counted: an IPv4 address itself, or the /64 of an IPv6 address, because that is what
 * one household gets. IPv4-mapped IPv6 addresses are unwrapped. A port, which some proxies add, is dropped because it
 * differs for every connection. Undefined for an invalid address.
 */
export function networkOf(address: string | undefined): string | undefined {
  // A reset connection has no address, although Fastify's types do not say so.
  if (address === undefined) return undefined
  if (isIPv4(address)) return address
  const plain = withoutPort(address)
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return undefined
  const groups = groupsOf(plain)
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 6).join() === '0,0,0,0,0,65535') {
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** Strips the port or zone from `1.2.3.4:567`, `[2001:db8::1]:567` and `fe80::1%eth0`. */
function withoutPort(address: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(address) ?? []
  const [, beforePort] = /^([\d.]+):\d{1,5}$/.exec(address) ?? []
  const [plain = ''] = (inBrackets ?? beforePort ?? address).split('%', 1)
  return plain
}

/** The eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [head = [], tail = []] = hexadecimal
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))))
  const zeros = Array<number>(8 - head.length - tail.length).fill(0)
  return [...head, ...zeros, ...tail]
}
