import proxyAddr from '@fastify/proxy-addr'

/** Whether an address is that of a proxy whose word counts; `distance` is how many proxies stand before it. */
export type IsTrusted = (address: string, distance: number) => boolean

/** Addresses whose answer is remembered: proxies are few, and whoever else connects must not fill our memory. */
const REMEMBERED_MAXIMUM = 1000

/** Tells trusted proxies from anybody else. What was found out once is remembered: reading an address takes long. */
export function trustedProxies(addresses: readonly string[]): IsTrusted {
  const isTrusted = proxyAddr.compile([...addresses])
  const known = new Map<string, boolean>()
  return (address, distance) => {
    const before = known.get(address)
    if (before !== undefined) return before
    const found = isTrusted(address, distance)
    if (known.size >= REMEMBERED_MAXIMUM) known.clear()
    known.set(address, found)
    return found
  }
}
