import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { Environment } from './environment.ts'

/** Removes the user's data from this browser, so that the next user does not inherit it, and disconnects the wallet. */
export async function removeUserState({
  deviceStorage,
  jwt,
  reportError,
  storage,
  wallet,
}: Pick<
  Environment,
  'deviceStorage' | 'jwt' | 'reportError' | 'storage' | 'wallet'
>): Promise<void> {
  jwt.remove()
  deviceStorage.remove(STORAGE_KEYS.flowRequest)
  storage.remove(STORAGE_KEYS.ownerWallet)
  // A wallet that fails to disconnect must not keep the user signed in.
  await wallet.disconnect().catch(reportError)
  // Its frame may be in another tab, or not open at all.
  deviceStorage.remove(STORAGE_KEYS.hostedWallet)
}
