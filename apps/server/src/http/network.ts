import { isIPv4, isIPv6 } from 'node:net'

/**
 * The network a client is counted by: an IPv4 address as it is, an IPv6 address by its /64, because that is what one
 * household has to itself. IPv4 addresses in IPv6 clothes are undressed, and a port that some proxies add is dropped:
 * each connection has another one. Gives nothing for what is no address.
 */
export function networkOf(address: string | undefined): string | undefined {
  // A connection that was reset has no address any more, whatever Fastify's types say of it.
  if (address === undefined) return undefined
  if (isIPv4(address)) return address
  const bare = withoutPort(address)
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return undefined
  const groups = groupsOf(bare)
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 6).join() === '0,0,0,0,0,65535') {
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** `1.2.3.4:567`, `[2001:db8::1]:567` and `fe80::1%eth0` without what follows the address. */
function withoutPort(address: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(address) ?? []
  const [, beforePort] = /^([\d.]+):\d{1,5}$/.exec(address) ?? []
  const [bare = ''] = (inBrackets ?? beforePort ?? address).split('%', 1)
  return bare
}

/** The eight groups of an IPv6 address. */
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
