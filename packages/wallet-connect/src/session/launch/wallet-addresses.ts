import { MOBILE_APPS, type MobileApp } from '../../protocol/mobile-link.ts'

/**
 * URLs under the names of the public library. Services (relay, short links, hosted wallet) are this installation's own,
 * relative to the page; the mobile wallet's are those of the published app.
 */

export const WALLETCONNECT_BRIDGE_URL = '/service-wallet-connect-bridge/ws/external'
/** The same relay: an installation has only one. */
export const WALLETCONNECT_TEST_BRIDGE_URL = '/service-wallet-connect-bridge/ws/external'
/** The short-link service (§7.4). */
export const DYNAMIC_LINK_SHORLINK_GENERATOR_URL = '/links'
/** The hosted wallet's page (§2.8). */
export const FIGURE_HOSTED_WALLET_URL_PROD = '/figure-wallet'
/** The same page: an installation has only one. */
export const FIGURE_HOSTED_WALLET_URL_TEST = '/figure-wallet'
/** The origin of links to the published mobile wallet. */
export const DYNAMIC_LINK_FIGURE_MOBILE_URL = 'https://figurewallet.page.link'
/** The page that such a link opens. */
export const FIGURE_MOBILE_WALLET_CONNECT_URL = 'https://figure.com/wallet-connect'
/** The published mobile wallet's id in Apple's App Store. */
export const FIGURE_MOBILE_WALLET_APP_ID = '6444263900'
/** The non-production variant. */
export const FIGURE_MOBILE_WALLET_APP_ID_TEST = '6444293331'
/** The published mobile wallet's Android package. */
export const FIGURE_MOBILE_WALLET_PACKAGE_NAME = 'com.figure.mobile.wallet'
/** The non-production variant. */
export const FIGURE_MOBILE_WALLET_PACKAGE_NAME_TEST = 'com.figure.mobile.wallet.dev'
/** The published mobile wallet in Google Play. */
export const APP_STORE_GOOGLE_PLAY_FIGURE =
  'https://play.google.com/store/apps/details?id=com.figure.mobile.wallet'
/** The published mobile wallet in Apple's App Store. */
export const APP_STORE_APPLE_FIGURE = 'https://apps.apple.com/us/app/figure-wallet/id6444263900'

/** The wallet providers (§3); the `_test` ones are used outside production. */
export const WALLET_APP_IDS = {
  FIGURE_EXTENSION: 'figure_extension',
  FIGURE_MOBILE: 'figure_mobile',
  FIGURE_MOBILE_TEST: 'figure_mobile_test',
  FIGURE_HOSTED: 'figure_hosted',
  FIGURE_HOSTED_TEST: 'figure_hosted_test',
} as const

export type WalletId = (typeof WALLET_APP_IDS)[keyof typeof WALLET_APP_IDS]

const KNOWN: ReadonlySet<unknown> = new Set(Object.values(WALLET_APP_IDS))

/** Whether a value is a wallet provider's id; storage and untyped callers may contain anything. */
export function isWalletId(value: unknown): value is WalletId {
  return KNOWN.has(value)
}

const CHROME_STORE =
  'https://chrome.google.com/webstore/detail/figure-wallet/mgbfflhghaohmaecmaggieniidindaoc'

/** How wallets next to the page are detected and reached (protocol 13); an installation may override any of it. */
export interface WalletAddresses {
  readonly extension: {
    /** Event on `document` that the extension's content script listens for. */
    readonly event: string
    /** The property of `window` by which the extension is detected. */
    readonly property: string
    /** Download pages; the one for this browser opens if the extension is not installed. */
    readonly stores: { readonly chrome: string; readonly firefox: string }
  }
  readonly hosted: {
    /** Event on `document` that opens the frame. */
    readonly event: string
    /** The wallet's page, absolute or relative to this page. */
    readonly url: string
    readonly testUrl: string
    /** Further origins to which the wallet may send the user to sign in. */
    readonly authOrigins: readonly string[]
  }
  readonly mobile: Readonly<Record<'figure_mobile' | 'figure_mobile_test', MobileApp>>
}

/** Where a server's mobile wallet opens (protocol 14); the page URLs in its links are never requested. */
const MOBILE_WALLET = '/mobile-wallet'

/** The wallets of a server. */
export function walletsOf(origin: string): Pick<WalletAddresses, 'hosted' | 'mobile'> {
  const links = {
    linkOrigin: `${origin}${MOBILE_WALLET}`,
    connectPage: `${origin}/wallet/connect`,
    tapPage: `${origin}/wallet-connect`,
    openPage: `${origin}${MOBILE_WALLET}`,
  }
  return {
    hosted: {
      ...WALLET_ADDRESSES.hosted,
      url: `${origin}${FIGURE_HOSTED_WALLET_URL_PROD}`,
      testUrl: `${origin}${FIGURE_HOSTED_WALLET_URL_TEST}`,
    },
    mobile: {
      figure_mobile: { ...MOBILE_APPS.figure_mobile, ...links },
      figure_mobile_test: { ...MOBILE_APPS.figure_mobile_test, ...links },
    },
  }
}

/** The public library's defaults, except that the hosted wallet is this installation's. */
export const WALLET_ADDRESSES: WalletAddresses = {
  extension: {
    event: 'figureWalletExtensionSendMessage',
    property: 'figureWalletExtension',
    stores: {
      chrome: CHROME_STORE,
      firefox: 'https://addons.mozilla.org/en-US/firefox/addon/figure-wallet/',
    },
  },
  hosted: {
    event: 'figureWalletHostedSendMessage',
    url: FIGURE_HOSTED_WALLET_URL_PROD,
    testUrl: FIGURE_HOSTED_WALLET_URL_TEST,
    authOrigins: [],
  },
  mobile: MOBILE_APPS,
}
