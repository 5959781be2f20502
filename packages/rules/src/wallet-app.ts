import type { WalletType } from '@portico/contracts/wallet'

/** How a wallet is connected. */
export type WalletKind = 'mobile' | 'extension' | 'hosted'

/** The wallet provider (§3): outside production the mobile and hosted wallets have the suffix `_test`. */
export function walletApp(walletKind: WalletKind, production: boolean) {
  switch (walletKind) {
    case 'extension':
      return 'figure_extension'
    case 'mobile':
      return production ? 'figure_mobile' : 'figure_mobile_test'
    case 'hosted':
      return production ? 'figure_hosted' : 'figure_hosted_test'
  }
}

/** Whether a browser gets its extensions from Firefox's add-on store. */
export const isFirefox = (userAgent: string) => userAgent.includes('Firefox/')

/** How a wallet type is connected by default (§2.7): FIGURE and OLDNET are hosted, all others scan a QR code. */
export function walletKindOf(type: WalletType | undefined): WalletKind {
  return type === 'FIGURE' || type === 'OLDNET' ? 'hosted' : 'mobile'
}
