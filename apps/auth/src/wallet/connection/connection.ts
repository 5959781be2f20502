import {
  FIGURE_MOBILE_WALLET_APP_ID,
  FIGURE_MOBILE_WALLET_APP_ID_TEST,
  FIGURE_MOBILE_WALLET_PACKAGE_NAME,
  FIGURE_MOBILE_WALLET_PACKAGE_NAME_TEST,
  WalletConnectService,
} from '@portico/wallet-connect/session'

/** The wallet session of the page, as far as the screens of this folder use it. */
export type Connection = Pick<
  WalletConnectService,
  'addListener' | 'disconnect' | 'init' | 'removeListener' | 'signHexMessage' | 'state' | 'wallets'
>

/** Where our own mobile wallet opens (protocol 14); the pages its links name are never asked for. */
const MOBILE_WALLET = '/mobile-wallet'

/** Makes the page's session; it touches nothing before it is started. */
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
