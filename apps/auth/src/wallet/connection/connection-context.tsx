import type { WalletConnectService, WCSState } from '@portico/wallet-connect/session'
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { useEnvironment } from '../../environment.ts'
import { openConnection } from './connection.ts'

const ConnectionContext = createContext<WalletConnectService | undefined>(undefined)

/** Provides the page's wallet session, restored from storage if one is stored (§4.1). */
export function ConnectionProvider({ children }: { children: ReactNode }) {
  const { location } = useEnvironment()
  const [connection] = useState(() => openConnection(location().origin))
  useEffect(() => {
    connection.start()
    return connection.stop
  }, [connection])
  return <ConnectionContext value={connection}>{children}</ConnectionContext>
}

export function useConnection(): WalletConnectService {
  const connection = use(ConnectionContext)
  if (connection === undefined) {
    throw new Error(
      'ConnectionProvider not found. Wrap the wallet screens in <ConnectionProvider>.',
    )
  }
  return connection
}

/** The current state of the page's wallet session. */
export function useConnectionState(): WCSState {
  const connection = useConnection()
  return useSyncExternalStore(
    connection.subscribe,
    () => connection.state,
    () => connection.initialState,
  )
}
