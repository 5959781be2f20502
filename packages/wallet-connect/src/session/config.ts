import type { WalletAddresses } from './launch/wallet-addresses.ts'
import { WALLET_ADDRESSES } from './launch/wallet-addresses.ts'
import type { SessionPorts } from './ports.ts'
import { DYNAMIC_LINK_SHORLINK_GENERATOR_URL, WALLETCONNECT_BRIDGE_URL } from './urls.ts'

/** What an installation or a page may decide for itself; the public library knows none of it, so all has defaults. */
export interface WalletConnectConfig {
  /** The relay, absolute or relative to the page. */
  readonly bridge?: string
  /** Who the tokens of `signJWT` are issued by; without it the page's host name. */
  readonly issuer?: string
  /** Whose tokens are accepted from wallets; without it whoever's. */
  readonly acceptedIssuers?: readonly string[]
  /** How long an operation waits for the wallet. */
  readonly requestTimeoutMs?: number
  /** Where short links are made; empty for none. */
  readonly shortLinks?: string
  readonly wallets?: Partial<WalletAddresses>
  /** Whether the session is restored at once; a component that may be mounted twice begins it by `start`. */
  readonly autostart?: boolean
  readonly ports?: Partial<SessionPorts>
}

/** The same with every default filled in. */
export interface SessionConfig {
  readonly bridge: string
  readonly issuer: string | undefined
  readonly acceptedIssuers: readonly string[] | undefined
  readonly requestTimeoutMs: number
  readonly shortLinks: string
  readonly wallets: WalletAddresses
}

/** A person may well look for their phone first. */
const REQUEST_TIMEOUT_MS = 5 * 60 * 1000

/** Fills in what a page does not decide. */
export function sessionConfig(config: WalletConnectConfig): SessionConfig {
  return {
    bridge: config.bridge ?? WALLETCONNECT_BRIDGE_URL,
    issuer: config.issuer,
    acceptedIssuers: config.acceptedIssuers,
    requestTimeoutMs: config.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    shortLinks: config.shortLinks ?? DYNAMIC_LINK_SHORLINK_GENERATOR_URL,
    wallets: { ...WALLET_ADDRESSES, ...config.wallets },
  }
}

/** A relay's address as both sides use it: absolute, and always that of a socket. */
export function relayAddress(bridge: string, href: string): string {
  const { href: absolute } = new URL(bridge, href)
  return absolute.replace(/^http/, 'ws')
}
