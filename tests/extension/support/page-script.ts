import { WALLET_APP_IDS, WALLET_LIST, WalletConnectService } from '@portico/wallet-connect/session'

const relay = document.querySelector<HTMLMetaElement>('meta[name=relay]')?.content ?? ''
const service = new WalletConnectService({ bridge: relay })

const hasExtension = () =>
  WALLET_LIST.find(({ id }) => id === WALLET_APP_IDS.FIGURE_EXTENSION)?.walletCheck?.()

/** This is the page's first script. */
const hadExtensionAtStart = hasExtension()

const results: unknown[] = []

/** The outcomes of the requests of `ask`, by their custom id. */
const outcomes: Record<string, unknown> = {}

interface Asked {
  readonly customId: string
  /** The message to sign, in hex, or the memo of a transaction. */
  readonly content: string
  /** A base64 `Any` to send; without it, the content is signed. */
  readonly message?: string
}

/** What tests call in the page. */
const page = {
  hasExtension,
  hadExtensionAtStart: () => hadExtensionAtStart,
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
  /** Sends a packed message in the background. */
  startSending(options: Parameters<WalletConnectService['sendMessage']>[0]) {
    void service.sendMessage(options).then((result) => results.push(result))
  },
  /** The results of signing and sending, in order. */
  results: () => results,
  /** Sends requests in the background, all in one turn. */
  ask(requests: readonly Asked[]) {
    for (const { customId, content, message } of requests) {
      const result =
        message === undefined
          ? service.signHexMessage(content, { customId })
          : service.sendMessage({ message, memo: content, customId })
      void result.then((outcome) => {
        outcomes[customId] = outcome
      })
    }
  },
  outcomes: () => outcomes,
  withdraw: (customId: string) => void service.removePendingMethod(customId),
  disconnect: () => void service.disconnect(),
  restart: () => window.postMessage({ type: 'reinitConnection' }, location.origin),
  address: () => service.state.address,
}

Object.assign(window, { page })
if (location.hash === '#connect') void page.connect()
