import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { type WalletKind, walletApp } from '@portico/rules/wallet-app'
import type { WalletDiscovery } from '@portico/rules/wallet-discovery'
import * as z from 'zod/mini'
import { useEnvironment } from '../../environment.ts'
import { useConnection, useConnectionState } from '../connection/connection-context.tsx'

const StoredKind = z.enum(['mobile', 'extension', 'hosted'] satisfies WalletKind[])

/** The wallets that this browser offers, and the one that connected last. */
export function useWalletDiscovery(): WalletDiscovery {
  const { deviceStorage, production } = useEnvironment()
  const { wallets } = useConnection()
  const { isMobile: onPhone } = useConnectionState().modal
  const extension = wallets.find(({ id }) => id === walletApp('extension', production))
  return {
    extensionInstalled: extension?.walletCheck?.() === true,
    lastUsed: StoredKind.safeParse(deviceStorage.read(STORAGE_KEYS.lastWallet)).data,
    onPhone,
  }
}
