/**
 * Addresses under the names that pages import. Those of services (relay, short links, hosted wallet) name this
 * installation's own, relative to the page; those of the published mobile wallet are its own.
 */

/** The relay. */
export const WALLETCONNECT_BRIDGE_URL = '/service-wallet-connect-bridge/ws/external'
/** The relay outside production: one installation has one relay. */
export const WALLETCONNECT_TEST_BRIDGE_URL = '/service-wallet-connect-bridge/ws/external'
/** The short-link service (§7.4). */
export const DYNAMIC_LINK_SHORLINK_GENERATOR_URL = '/links'
/** The hosted wallet's page (§2.8). */
export const FIGURE_HOSTED_WALLET_URL_PROD = '/figure-wallet'
/** The hosted wallet's page outside production. */
export const FIGURE_HOSTED_WALLET_URL_TEST = '/figure-wallet'
/** Where links to the published mobile wallet begin. */
export const DYNAMIC_LINK_FIGURE_MOBILE_URL = 'https://figurewallet.page.link'
/** What such a link opens. */
export const FIGURE_MOBILE_WALLET_CONNECT_URL = 'https://figure.com/wallet-connect'
/** The published mobile wallet in Apple's store. */
export const FIGURE_MOBILE_WALLET_APP_ID = '6444263900'
/** Its variant outside production. */
export const FIGURE_MOBILE_WALLET_APP_ID_TEST = '6444293331'
/** The published mobile wallet's package. */
export const FIGURE_MOBILE_WALLET_PACKAGE_NAME = 'com.figure.mobile.wallet'
/** Its variant outside production. */
export const FIGURE_MOBILE_WALLET_PACKAGE_NAME_TEST = 'com.figure.mobile.wallet.dev'
/** The published mobile wallet's page in Google's store. */
export const APP_STORE_GOOGLE_PLAY_FIGURE =
  'https://play.google.com/store/apps/details?id=com.figure.mobile.wallet'
/** The published mobile wallet's page in Apple's store. */
export const APP_STORE_APPLE_FIGURE = 'https://apps.apple.com/us/app/figure-wallet/id6444263900'
