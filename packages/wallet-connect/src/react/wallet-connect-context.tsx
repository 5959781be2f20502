import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { WalletConnectService } from '../session/wallet-connect-service.ts'
import type { WCSState } from '../session/wcs-state.ts'

const ServiceContext = createContext<WalletConnectService | undefined>(undefined)

let shared: WalletConnectService | undefined

/** The default session, shared by providers without a `service`; it starts when a provider mounts. */
function sharedService(): WalletConnectService {
  shared ??= new WalletConnectService({ autostart: false })
  return shared
}

/**
 * Provides a wallet session to its children. With `connectionRedirect` the page navigates there whenever no wallet is
 * connected (§2.8); a URL that does not parse or is not http(s) is ignored.
 */
export function WalletConnectContextProvider({
  children,
  service = sharedService(),
  connectionRedirect,
  logsEnabled = false,
}: {
  readonly children?: ReactNode
  readonly service?: WalletConnectService
  readonly connectionRedirect?: string
  readonly logsEnabled?: boolean
}) {
  useEffect(() => service.start(), [service])
  useEffect(() => service.setLogging(logsEnabled), [service, logsEnabled])
  useEffect(() => {
    if (connectionRedirect === undefined) return
    const leave = () => {
      const target = redirectFrom(location.href, connectionRedirect)
      if (service.state.status === 'disconnected' && target !== undefined) location.assign(target)
    }
    leave()
    return service.subscribe(leave)
  }, [service, connectionRedirect])
  return <ServiceContext.Provider value={service}>{children}</ServiceContext.Provider>
}

/** The session and its entire state; the component rerenders on every change. */
export function useWalletConnect(): {
  readonly walletConnectService: WalletConnectService
  readonly walletConnectState: WCSState
} {
  const walletConnectService = useService('useWalletConnect')
  return { walletConnectService, walletConnectState: useStateOf(walletConnectService, entireState) }
}

/**
 * A selected part of the session's state; the component rerenders only when that part changes.
 *
 * @param select - selects from the state; it must not create a new object on each call
 * @example const address = useWalletState(({ address }) => address)
 */
export function useWalletState<Part>(select: (state: WCSState) => Part): Part {
  return useStateOf(useService('useWalletState'), select)
}

/** Like `useWalletState`, for an explicit service. */
export function useStateOf<Part>(
  service: WalletConnectService,
  select: (state: WCSState) => Part,
): Part {
  return useSyncExternalStore(
    service.subscribe,
    () => select(service.state),
    () => select(service.initialState),
  )
}

/** The redirect to follow from a page, if any (§5: the wallet redirect URL must parse as a URL). */
export function redirectFrom(here: string, target: string): string | undefined {
  if (!URL.canParse(target)) return undefined
  const { href, protocol } = new URL(target)
  return href !== here && ['http:', 'https:'].includes(protocol) ? href : undefined
}

function entireState(state: WCSState): WCSState {
  return state
}

/** §8: using a hook outside the provider is a programming error, reported in the public library's words. */
function useService(hook: string): WalletConnectService {
  const service = useContext(ServiceContext)
  if (service === undefined) {
    throw new Error(`${hook} must be used within a WalletConnectContextProvider`)
  }
  return service
}

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
