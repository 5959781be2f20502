import { WALLET_APP_IDS, WalletConnectService } from '@portico/wallet-connect/session'

declare global {
  interface Window {
    wallet: WalletConnectService
    connectHosted: (wishes?: Parameters<WalletConnectService['init']>[0]) => Promise<unknown>
  }
}

window.wallet = new WalletConnectService()
window.connectHosted = (wishes = {}) =>
  window.wallet.init({ ...wishes, walletAppId: WALLET_APP_IDS.FIGURE_HOSTED })
