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
