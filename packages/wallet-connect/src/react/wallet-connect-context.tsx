import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from 'react'
import { WalletConnectService } from '../session/wallet-connect-service.ts'
import type { WCSState } from '../session/wcs-state.ts'

const ServiceContext = createContext<WalletConnectService | undefined>(undefined)

let shared: WalletConnectService | undefined

/** The one session of a page that does not bring its own; it begins when a provider is mounted. */
function sharedService(): WalletConnectService {
  shared ??= new WalletConnectService({ autostart: false })
  return shared
}

/**
 * Gives a wallet session to the components inside. With `connectionRedirect` the page goes there whenever nobody is
 * connected (§2.8); an address that does not parse, or is not of the web, is not followed.
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
  return <ServiceContext value={service}>{children}</ServiceContext>
}

/** The session and its whole state; the component renders again whenever any of it changes. */
export function useWalletConnect(): {
  readonly walletConnectService: WalletConnectService
  readonly walletConnectState: WCSState
} {
  const walletConnectService = useService('useWalletConnect')
  return { walletConnectService, walletConnectState: useStateOf(walletConnectService, whole) }
}

/**
 * Part of the session's state; the component renders again only when that part changes.
 *
 * @param select - picks something out of the state; it must not build something new at each call
 * @example const address = useWalletState(({ address }) => address)
 */
export function useWalletState<Part>(select: (state: WCSState) => Part): Part {
  return useStateOf(useService('useWalletState'), select)
}

/** The same for a service that is at hand. */
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

/** Where to go from a page, if anywhere (§5: the wallet redirect URL must parse as a URL). */
export function redirectFrom(here: string, target: string): string | undefined {
  if (!URL.canParse(target)) return undefined
  const { href, protocol } = new URL(target)
  return href !== here && ['http:', 'https:'].includes(protocol) ? href : undefined
}

function whole(state: WCSState): WCSState {
  return state
}

/** §8: without its provider a hook is a mistake of the page's author, who is told so in the public library's words. */
function useService(hook: string): WalletConnectService {
  const service = use(ServiceContext)
  if (service === undefined) {
    throw new Error(`${hook} must be used within a WalletConnectContextProvider`)
  }
  return service
}
