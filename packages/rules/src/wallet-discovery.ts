import type { WalletKind } from './wallet-app.ts'

/** What a page can detect about the user's wallets. */
export interface WalletDiscovery {
  /** Whether the extension is installed in this browser. */
  readonly extensionInstalled: boolean
  /** How the user last connected a wallet in this browser. */
  readonly lastUsed: WalletKind | undefined
  /** Whether this device is a phone, which cannot run the extension. */
  readonly onPhone: boolean
}

const WALLET_KINDS: readonly WalletKind[] = ['mobile', 'extension', 'hosted']

/** The ways to connect a wallet, best first: the last used one, then an installed extension. */
export function orderedWalletKinds(discovery: WalletDiscovery): readonly WalletKind[] {
  return WALLET_KINDS.toSorted((one, other) => rank(one, discovery) - rank(other, discovery))
}

function rank(kind: WalletKind, { extensionInstalled, lastUsed }: WalletDiscovery): number {
  if (kind === lastUsed && (kind !== 'extension' || extensionInstalled)) return 0
  return kind === 'extension' && extensionInstalled ? 1 : 2
}

/** Which devices can reach a page's host: only this computer, only phones on the same network, or all. */
export function phoneReach(hostname: string): 'none' | 'same-network' | 'all' {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  if (/^(?:localhost|.+\.localhost|127(?:\.\d+){3}|::1|0\.0\.0\.0)$/.test(host)) return 'none'
  const isPrivate =
    /^(?:10\.\d|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][0-9a-f]{2}:|fe80:)/
  return isPrivate.test(host) || host.endsWith('.local') ? 'same-network' : 'all'
}
