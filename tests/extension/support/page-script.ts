import { WALLET_APP_IDS, WALLET_LIST, WalletConnectService } from '@portico/wallet-connect/session'

const relay = document.querySelector<HTMLMetaElement>('meta[name=relay]')?.content ?? ''
const service = new WalletConnectService()

const results: unknown[] = []

/** What tests call in the page. */
const page = {
  hasExtension: () =>
    WALLET_LIST.find(({ id }) => id === WALLET_APP_IDS.FIGURE_EXTENSION)?.walletCheck?.(),
  connect: () => service.init({ walletAppId: WALLET_APP_IDS.FIGURE_EXTENSION, bridge: relay }),
  /** Starts to connect by a code, and returns it. */
  async showCode(): Promise<string> {
    void service.init({ walletAppId: WALLET_APP_IDS.FIGURE_MOBILE, bridge: relay })
    for (;;) {
      const { QRCodeUrl } = service.state.modal
      if (QRCodeUrl) return QRCodeUrl
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  },
  status: () => service.state.status,
  /** Signs in the background: tests decide in between. */
  startSigning(hex: string) {
    void service.signHexMessage(hex).then((result) => results.push(result))
  },
  /** The results of signing, in order. */
  results: () => results,
}

Object.assign(window, { page })
if (location.hash === '#connect') void page.connect()
