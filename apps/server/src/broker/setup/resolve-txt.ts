import { Resolver } from 'node:dns/promises'

/** A name's TXT records; empty if there are none. Rejects if the name servers do not respond. */
export type ResolveTxt = (name: string) => Promise<readonly string[]>

/** The name does not exist, or has no such record. */
const ABSENT = ['ENOTFOUND', 'ENODATA']

/** @param servers - the addresses of name servers; by default the system's */
export function txtResolver(servers: readonly string[] | undefined): ResolveTxt {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return async (name) => {
    try {
      // A long record consists of several strings.
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      if (ABSENT.includes((error as NodeJS.ErrnoException).code ?? '')) return []
      throw error
    }
  }
}
