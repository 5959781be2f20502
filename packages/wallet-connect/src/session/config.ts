import {
  DYNAMIC_LINK_SHORLINK_GENERATOR_URL,
  WALLET_ADDRESSES,
  WALLETCONNECT_BRIDGE_URL,
  type WalletAddresses,
  type WalletId,
  walletsOf,
} from './launch/wallet-addresses.ts'
import type { SessionPorts } from './ports.ts'

/** Options of an installation or a page. The public library has none of them, so all have defaults. */
export interface WalletConnectConfig {
  /**
   * The URL of the Portico installation: its relay, wallets and their names are used. Needed on a page of another origin.
   * Without it they are those of the page's own origin.
   */
  readonly server?: string
  /** The relay, absolute or relative to the page; defaults to the server's. */
  readonly bridge?: string
  /** The issuer of `signJWT` tokens; defaults to the page's host name. */
  readonly issuer?: string
  /** The issuers accepted in wallets' tokens; defaults to any. */
  readonly acceptedIssuers?: readonly string[]
  /** How long an operation waits for the wallet's response. */
  readonly requestTimeoutMs?: number
  /** The short-link service, by default the server's; empty to disable it. */
  readonly shortLinks?: string
  readonly wallets?: Partial<WalletAddresses>
  /** Whether the session is restored immediately. Components that React may mount twice call `start` instead. */
  readonly autostart?: boolean
  readonly ports?: Partial<SessionPorts>
}

/** The configuration with all defaults applied. */
export interface SessionConfig {
  /** The origin of the installation, or '/' for the page's own. */
  readonly server: string
  readonly bridge: string
  readonly issuer: string | undefined
  readonly acceptedIssuers: readonly string[] | undefined
  readonly requestTimeoutMs: number
  readonly shortLinks: string
  readonly wallets: WalletAddresses
  /** The wallets that the page configures itself. */
  readonly ownWallets: readonly string[]
}

/** Long enough for users who have to find their phone first. */
const REQUEST_TIMEOUT_MS = 5 * 60 * 1000

/** Applies the defaults. */
export function sessionConfig(config: WalletConnectConfig): SessionConfig {
  const origin = config.server === undefined ? '' : originOf(config.server)
  return {
    server: origin || '/',
    bridge: config.bridge ?? `${origin}${WALLETCONNECT_BRIDGE_URL}`,
    issuer: config.issuer,
    acceptedIssuers: config.acceptedIssuers,
    requestTimeoutMs: config.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    shortLinks: config.shortLinks ?? `${origin}${DYNAMIC_LINK_SHORLINK_GENERATOR_URL}`,
    wallets: {
      ...WALLET_ADDRESSES,
      ...(origin === '' ? {} : walletsOf(origin)),
      ...config.wallets,
    },
    ownWallets: Object.keys(config.wallets ?? {}),
  }
}

function originOf(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error(
      `"server" must be the URL of the installation, such as https://lender.example, not ${server}`,
    )
  }
  return url.origin
}

/** The absolute WebSocket URL of a relay. */
export function relayAddress(bridge: string, href: string): string {
  const { href: absolute } = new URL(bridge, href)
  return absolute.replace(/^http/, 'ws')
}

/** Whether the relay can be reached. */
export type RelayStatus = 'open' | 'unreachable'

/** The content of the QR code dialog. */
export interface ModalData {
  readonly dynamicUrl: string
  readonly isMobile: boolean
  readonly QRCodeImg: string
  readonly QRCodeUrl: string
  readonly showModal: boolean
}

/** An operation that waits for the wallet. */
export type PendingMethod =
  | 'sendMessage'
  | 'signJWT'
  | 'signHexMessage'
  | 'switchToGroup'
  | 'removePendingMethod'

/** Settings a page may change while disconnected; they are reset when a session ends. */
export interface Settings {
  readonly bridge: string
  readonly connectionTimeoutMs: number
  readonly iframeParentId: string
  readonly modal: ModalData
  readonly walletAppId: WalletId | undefined
}
