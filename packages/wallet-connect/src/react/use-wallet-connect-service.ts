import { useEffect, useState } from 'react'
import { WalletConnectService } from '../session/wallet-connect-service.ts'
import type { WCSState } from '../session/wcs-state.ts'
import { useStateOf } from './wallet-connect-context.tsx'

/**
 * A session owned by the component, without a provider. It starts on mount and stops on unmount, so
 * that React's double mount in development leaves one connection and one set of listeners.
 */
export function useWalletConnectService(): {
  readonly walletConnectService: WalletConnectService
  readonly walletConnectState: WCSState
} {
  const [walletConnectService] = useState(() => new WalletConnectService({ autostart: false }))
  useEffect(() => {
    walletConnectService.start()
    return () => {
      walletConnectService.removeListener('all')
      walletConnectService.stop()
    }
  }, [walletConnectService])
  const walletConnectState = useStateOf(walletConnectService, (state) => state)
  return { walletConnectService, walletConnectState }
}
