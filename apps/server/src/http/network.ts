import { isIPv6 } from 'node:net'

/**
 * The network a client is counted by: an IPv4 address as it is, an IPv6 address by its /64, because that is what one
 * household has to itself. IPv4 addresses in IPv6 clothes are undressed.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%', 1)
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(bare)) return bare
  const [head = '', tail] = bare.split('::')
  const groups = (part: string | undefined) => (part ? part.split(':') : [])
  const known = [groups(head), groups(tail)] as const
  const zeros = tail === undefined ? 0 : 8 - known[0].length - known[1].length
  const all = [...known[0], ...Array<string>(Math.max(zeros, 0)).fill('0'), ...known[1]]
  const prefix = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}
