import proxyAddr from '@fastify/proxy-addr'

/** Whether an address belongs to a trusted proxy; `distance` is the number of proxies in front of it. */
export type IsTrusted = (address: string, distance: number) => boolean

/** The maximum number of cached results. Proxies are few, and other clients must not fill the memory. */
const CACHED_MAXIMUM = 1000

/** Returns a check for trusted proxies. Results are cached because parsing an address is slow. */
export function trustedProxies(addresses: readonly string[]): IsTrusted {
  const isTrusted = proxyAddr.compile([...addresses])
  const cache = new Map<string, boolean>()
  return (address, distance) => {
    const cached = cache.get(address)
    if (cached !== undefined) return cached
    const result = isTrusted(address, distance)
    if (cache.size >= CACHED_MAXIMUM) cache.clear()
    cache.set(address, result)
    return result
  }
}
