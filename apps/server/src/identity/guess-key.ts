import { sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'

/**
 * Under which name guesses and sends are counted: by address, known or not, so that nothing tells which it is. A
 * browser that has signed in to the address before is counted by itself, so that strangers cannot lock its owner out.
 */
export async function guessKey(
  stores: Pick<Stores, 'devices'>,
  vault: Vault,
  email: string,
  deviceCookie: string | undefined,
): Promise<string> {
  if (deviceCookie !== undefined) {
    const device = sha256(deviceCookie)
    const identityId = await stores.devices.identityKnownTo(device, email)
    if (identityId !== undefined) return `device ${identityId} ${device}`
  }
  return `address ${vault.mac('guess key', email)}`
}
