import { MOBILE_APPS, type MobileApp } from '../../protocol/mobile-link.ts'
import { FIGURE_HOSTED_WALLET_URL_PROD, FIGURE_HOSTED_WALLET_URL_TEST } from '../urls.ts'

const CHROME_STORE =
  'https://chrome.google.com/webstore/detail/figure-wallet/mgbfflhghaohmaecmaggieniidindaoc'

/** How wallets next to the page are detected and reached (protocol 13); an installation may override any of it. */
export interface WalletAddresses {
  readonly extension: {
    /** Event on `document` that the extension's content script listens for. */
    readonly event: string
    /** The property of `window` by which the extension is detected. */
    readonly property: string
    /** Download pages; the first one opens if the extension is not installed. */
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
