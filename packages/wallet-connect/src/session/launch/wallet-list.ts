import { isFirefox } from '@portico/rules/wallet-app'
import { clickableLink } from '../../protocol/mobile-link.ts'
import { browserPorts } from '../browser-ports.ts'
import { WALLET_APP_EVENTS, type WalletAppEvent } from '../events.ts'
import type { SessionPorts } from '../ports.ts'
import {
  WALLET_ADDRESSES,
  WALLET_APP_IDS,
  type WalletAddresses,
  type WalletId,
} from './wallet-addresses.ts'

/** Where a wallet runs. */
export type WalletType = 'mobile' | 'extension' | 'hosted'

/** An event sent to a wallet next to the page (protocol 13). */
export interface WalletEvent {
  readonly address?: string
  readonly data?: unknown
  readonly duration?: number
  readonly event?: WalletAppEvent
  readonly iframeParentId?: string
  readonly redirectUrl?: string
  readonly referral?: string
  readonly uri?: string
  readonly walletId?: WalletId
}

/** A wallet that pages can offer. */
export interface Wallet {
  /** Only for use outside production. */
  readonly dev?: boolean
  readonly id: WalletId
  readonly title: string
  readonly type: WalletType | readonly WalletType[]
  /** Sends the wallet an event; absent for wallets on other devices. */
  readonly eventAction?: (event: WalletEvent) => void
  /** The link that opens the wallet on this device, from the URI-encoded text of the QR code. */
  readonly generateUrl?: (QRCodeUrl: string) => string
  /** Whether the wallet is installed. */
  readonly walletCheck?: () => boolean
  /** The wallet's download page. */
  readonly walletUrl?: string
  readonly walletUrls?: Readonly<Record<string, string>>
}

/** Events that need no approval and therefore do not open the frame. */
const FRAMELESS_EVENTS: readonly WalletAppEvent[] = [
  WALLET_APP_EVENTS.CONNECT,
  WALLET_APP_EVENTS.SESSION_UPDATE,
  WALLET_APP_EVENTS.RESET_TIMEOUT,
]

/** The names of the wallets. */
export interface WalletNames {
  readonly extensionName: string
  readonly mobileName: string
  readonly accountName: string
}

/** Names for every installation, until the server's are loaded. */
const GENERAL_NAMES: WalletNames = {
  extensionName: 'Browser extension',
  mobileName: 'Mobile wallet',
  accountName: 'Hosted wallet',
}

/** The names of the public library. */
const PUBLIC_NAMES: WalletNames = {
  extensionName: 'Figure Extension',
  mobileName: 'Figure Mobile',
  accountName: 'Figure Account',
}

/** The wallet providers of §3 at these addresses. */
export function walletList(
  { extension, hosted, mobile }: WalletAddresses,
  ports: Pick<SessionPorts, 'dispatch' | 'hasExtension'>,
  { extensionName, mobileName, accountName }: WalletNames = GENERAL_NAMES,
): readonly Wallet[] {
  const framed = (id: WalletId) => (event: WalletEvent) => {
    if (event.event === undefined || FRAMELESS_EVENTS.includes(event.event)) return
    ports.dispatch(hosted.event, { ...event, walletId: id })
  }
  const userAgent = typeof navigator === 'undefined' ? '' : navigator.userAgent
  return [
    {
      id: WALLET_APP_IDS.FIGURE_EXTENSION,
      title: extensionName,
      type: 'extension',
      eventAction: (event) => ports.dispatch(extension.event, event),
      walletCheck: () => ports.hasExtension(extension.property),
      walletUrl: isFirefox(userAgent) ? extension.stores.firefox : extension.stores.chrome,
      walletUrls: extension.stores,
    },
    {
      id: WALLET_APP_IDS.FIGURE_MOBILE,
      title: mobileName,
      type: 'mobile',
      generateUrl: (url) => clickableLink(url, mobile.figure_mobile),
    },
    {
      dev: true,
      id: WALLET_APP_IDS.FIGURE_MOBILE_TEST,
      title: `${mobileName} (Test)`,
      type: 'mobile',
      generateUrl: (url) => clickableLink(url, mobile.figure_mobile_test),
    },
    {
      id: WALLET_APP_IDS.FIGURE_HOSTED,
      title: accountName,
      type: ['hosted', 'mobile'],
      eventAction: framed(WALLET_APP_IDS.FIGURE_HOSTED),
    },
    {
      dev: true,
      id: WALLET_APP_IDS.FIGURE_HOSTED_TEST,
      title: `${accountName} (Test)`,
      type: ['hosted', 'mobile'],
      eventAction: framed(WALLET_APP_IDS.FIGURE_HOSTED_TEST),
    },
  ]
}

/** The wallets of the public library, with its names. A service's `wallets` have those of its server. */
export const WALLET_LIST: readonly Wallet[] = walletList(
  WALLET_ADDRESSES,
  browserPorts(),
  PUBLIC_NAMES,
)
