import type { DeviceKeyKeeper } from '@portico/wallet-kit/device-wallet'
import { openVaultKeeper, type VaultKeeperDeps } from './vault-keeper.ts'
import { windowKeeper } from './window-keeper.ts'

/** The key keeper of a wallet that has its vault in the page itself. */
export const openDeviceKeyKeeper = (deps: VaultKeeperDeps): DeviceKeyKeeper =>
  windowKeeper(openVaultKeeper(deps))
