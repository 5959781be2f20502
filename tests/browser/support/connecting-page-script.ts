import { WALLET_APP_IDS, WalletConnectService } from '@portico/wallet-connect/session'

declare global {
  interface Window {
    wallet: WalletConnectService
    connectHosted: (options?: Parameters<WalletConnectService['init']>[0]) => Promise<unknown>
  }
}

window.wallet = new WalletConnectService()
window.connectHosted = (options = {}) =>
  window.wallet.init({ ...options, walletAppId: WALLET_APP_IDS.FIGURE_HOSTED })
