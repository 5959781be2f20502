import type { Visitor } from '../http/visitor.ts'
import type { AttemptKey } from '../limits/attempts.store.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'

/**
 * The counters for attempts and sends. They depend on the address, whether or not it has an account, so that limits do
 * not reveal which addresses exist. A browser that has logged in to the address before, or that opened the link mailed
 * to a locked-out owner, has a counter of its own, so that others cannot lock its owner out. Everything else is also
 * counted per network.
 */
export async function attemptKey(
  stores: Pick<Stores, 'devices' | 'lockoutLinks'>,
  vault: Vault,
  { email, visitor, at }: { email: string; visitor: Visitor; at: number },
): Promise<AttemptKey> {
  const { deviceCookie, network } = visitor
  if (deviceCookie !== undefined) {
    const device = sha256(deviceCookie)
    const identityId = await stores.devices.identityKnownTo(device, email)
    if (identityId !== undefined) return { name: `device ${identityId} ${device}` }
    const link = await stores.lockoutLinks.findOpenedIn(device, email, at)
    if (link !== undefined) return { name: `link ${link}` }
  }
  const name = `address ${vault.mac('guess key', email)}`
  return { name, network: `network ${network} ${name}` }
}
