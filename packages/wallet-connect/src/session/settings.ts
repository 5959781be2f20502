import type { WalletId } from './wallet-app-ids.ts'

/** What a dialogue with the QR code shows. */
export interface ModalData {
  readonly dynamicUrl: string
  readonly isMobile: boolean
  readonly QRCodeImg: string
  readonly QRCodeUrl: string
  readonly showModal: boolean
}

/** The operation that is waiting for the wallet; of several, the one asked last. */
export type PendingMethod =
  | 'sendMessage'
  | 'signJWT'
  | 'signHexMessage'
  | 'switchToGroup'
  | 'removePendingMethod'

/** What a page may set while nobody is connected; a session that ends puts all of it back. */
export interface Settings {
  readonly bridge: string
  readonly connectionTimeoutMs: number
  readonly iframeParentId: string
  readonly modal: ModalData
  readonly walletAppId: WalletId | undefined
}
