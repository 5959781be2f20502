import type { WalletId } from './wallet-app-ids.ts'

/** The content of the QR code dialog. */
export interface ModalData {
  readonly dynamicUrl: string
  readonly isMobile: boolean
  readonly QRCodeImg: string
  readonly QRCodeUrl: string
  readonly showModal: boolean
}

/** An operation that waits for the wallet. */
export type PendingMethod =
  | 'sendMessage'
  | 'signJWT'
  | 'signHexMessage'
  | 'switchToGroup'
  | 'removePendingMethod'

/** Settings a page may change while disconnected; they are reset when a session ends. */
export interface Settings {
  readonly bridge: string
  readonly connectionTimeoutMs: number
  readonly iframeParentId: string
  readonly modal: ModalData
  readonly walletAppId: WalletId | undefined
}
