import type { SessionConfig } from '../config.ts'
import type { SessionPorts } from '../ports.ts'
import { type Wallet, walletList } from './wallet-list.ts'
import { readWalletOffers, type WalletOffers } from './wallet-offers.ts'

/** The wallets of a page: all that it may start, and those that its dialog offers. */
export interface WalletCatalog {
  readonly all: () => readonly Wallet[]
  /** The wallets that can work on this page with this relay. */
  readonly offered: (bridge: string) => readonly Wallet[]
  /** The server's name of its mobile wallet, once loaded. */
  readonly mobileName: () => string | undefined
  /** Loads the server's names and store links, unless they are loaded. Never rejects. */
  readonly load: () => Promise<void>
}

/** The wallets of a page with this configuration. */
export function walletCatalog(
  { server, wallets, ownWallets }: SessionConfig,
  ports: Pick<SessionPorts, 'dispatch' | 'fetch' | 'hasExtension' | 'href' | 'log'>,
): WalletCatalog {
  let offers: WalletOffers | undefined
  let all = walletList(wallets, ports)

  /**
   * Only pages of its own origin may frame the hosted wallet, and it answers only over its own relay. A page that configures a
   * wallet itself is responsible for it.
   */
  function canWork({ walletCheck, eventAction, generateUrl }: Wallet, bridge: string): boolean {
    if (walletCheck !== undefined) {
      return walletCheck() || offers !== undefined || ownWallets.includes('extension')
    }
    if (generateUrl !== undefined) return offers !== undefined || ownWallets.includes('mobile')
    if (eventAction === undefined || ownWallets.includes('hosted')) return true
    const { host, origin } = new URL(wallets.hosted.url, ports.href())
    return origin === new URL(ports.href()).origin && host === new URL(bridge).host
  }

  return {
    all: () => all,
    offered: (bridge) => all.filter((wallet) => canWork(wallet, bridge)),
    mobileName: () => offers?.mobileName,
    async load() {
      offers ??= await readWalletOffers(new URL(server, ports.href()).href, ports)
      if (offers === undefined) return
      const { stores } = ownWallets.includes('extension') ? wallets.extension : offers
      all = walletList({ ...wallets, extension: { ...wallets.extension, stores } }, ports, offers)
    },
  }
}
