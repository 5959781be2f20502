import { MOBILE_APPS, type MobileApp } from '../../protocol/mobile-link.ts'
import { FIGURE_HOSTED_WALLET_URL_PROD, FIGURE_HOSTED_WALLET_URL_TEST } from '../urls.ts'

const CHROME_STORE =
  'https://chrome.google.com/webstore/detail/figure-wallet/mgbfflhghaohmaecmaggieniidindaoc'

/** How wallets beside the page are found and reached (protocol 13); an installation may replace any of it. */
export interface WalletAddresses {
  readonly extension: {
    /** Event on `document` that the extension's content script hears. */
    readonly event: string
    /** Name under which it shows itself on `window`. */
    readonly property: string
    /** Where to get it; the first is opened where it is missing. */
    readonly stores: { readonly chrome: string; readonly firefox: string }
  }
  readonly hosted: {
    /** Event on `document` that makes this page open the frame. */
    readonly event: string
    /** The wallet's page, absolute or relative to this page. */
    readonly url: string
    readonly testUrl: string
    /** Origins besides the wallet's own to which it may send the person to sign in. */
    readonly authOrigins: readonly string[]
  }
  readonly mobile: Readonly<Record<'figure_mobile' | 'figure_mobile_test', MobileApp>>
}

/** The names of the public library; the hosted wallet is this installation's own. */
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
