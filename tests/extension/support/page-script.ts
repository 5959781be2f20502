import { WALLET_APP_IDS, WALLET_LIST, WalletConnectService } from '@portico/wallet-connect/session'

const relay = document.querySelector<HTMLMetaElement>('meta[name=relay]')?.content ?? ''
const service = new WalletConnectService()

/** What tests call in the page. */
const page = {
  service,
  /** The results of signing, in order. */
  results: [] as unknown[],
  hasExtension: () =>
    WALLET_LIST.find(({ id }) => id === WALLET_APP_IDS.FIGURE_EXTENSION)?.walletCheck?.(),
  connect: () => service.init({ walletAppId: WALLET_APP_IDS.FIGURE_EXTENSION, bridge: relay }),
  async sign(hex: string) {
    page.results.push(await service.signHexMessage(hex))
  },
}

Object.assign(window, { page })
