import type { Visitor } from '../http/visitor.ts'
import type { AttemptKey } from '../limits/attempts.store.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'

/**
 * What guesses and sends are counted under: by address, known or not, so that nothing tells which it is. A browser that
 * has signed in to the address before, or that opened the link mailed to a locked-out owner, is counted by itself, so
 * that strangers cannot lock its owner out; all others are counted by their network as well.
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
