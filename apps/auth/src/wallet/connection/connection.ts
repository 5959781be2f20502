import {
  FIGURE_MOBILE_WALLET_APP_ID,
  FIGURE_MOBILE_WALLET_APP_ID_TEST,
  FIGURE_MOBILE_WALLET_PACKAGE_NAME,
  FIGURE_MOBILE_WALLET_PACKAGE_NAME_TEST,
  WalletConnectService,
} from '@portico/wallet-connect/session'

/** The part of the wallet session that these screens use. */
export type Connection = Pick<
  WalletConnectService,
  'addListener' | 'disconnect' | 'init' | 'removeListener' | 'signHexMessage' | 'state' | 'wallets'
>

/** Where our own mobile wallet opens (protocol 14); the page URLs in its links are never requested. */
const MOBILE_WALLET = '/mobile-wallet'

/** Creates the page's wallet session; it has no side effects until it is started. */
export function openConnection(origin: string): WalletConnectService {
  const ours = {
    linkOrigin: `${origin}${MOBILE_WALLET}`,
    connectPage: `${origin}/wallet/connect`,
    tapPage: `${origin}/wallet-connect`,
    openPage: `${origin}${MOBILE_WALLET}`,
  }
  return new WalletConnectService({
    autostart: false,
    wallets: {
      mobile: {
        figure_mobile: {
          ...ours,
          packageName: FIGURE_MOBILE_WALLET_PACKAGE_NAME,
          appStoreId: FIGURE_MOBILE_WALLET_APP_ID,
        },
        figure_mobile_test: {
          ...ours,
          packageName: FIGURE_MOBILE_WALLET_PACKAGE_NAME_TEST,
          appStoreId: FIGURE_MOBILE_WALLET_APP_ID_TEST,
        },
      },
    },
  })
}
