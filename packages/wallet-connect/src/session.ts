export type { ModalData, PendingMethod, WalletConnectConfig } from './session/config.ts'
export {
  type BroadcastEventData,
  CONNECTION_EXPIRED,
  CONNECTION_TYPES,
  CONNECTOR_EVENTS,
  type ConnectMethodEventData,
  type ConnectMethodResult,
  type DisconnectMethodEventData,
  type DisconnectMethodResult,
  type OperationResult,
  type OtherAccount,
  type RemovePendingMethodEventData,
  type SendMessageMethodEventData,
  type SendMessageMethodResult,
  type SignHexMessageMethodEventData,
  type SignHexMessageMethodResult,
  type SignJWTMethodEventData,
  type SignJWTMethodResult,
  type SwitchToGroupMethodEventData,
  WALLET_APP_EVENTS,
  WINDOW_MESSAGES,
} from './session/events.ts'
export type { ConnectMethod, InitMethod, QrOptions } from './session/init-options.ts'
export {
  APP_STORE_APPLE_FIGURE,
  APP_STORE_GOOGLE_PLAY_FIGURE,
  DYNAMIC_LINK_FIGURE_MOBILE_URL,
  DYNAMIC_LINK_SHORLINK_GENERATOR_URL,
  FIGURE_HOSTED_WALLET_URL_PROD,
  FIGURE_HOSTED_WALLET_URL_TEST,
  FIGURE_MOBILE_WALLET_APP_ID,
  FIGURE_MOBILE_WALLET_APP_ID_TEST,
  FIGURE_MOBILE_WALLET_CONNECT_URL,
  FIGURE_MOBILE_WALLET_PACKAGE_NAME,
  FIGURE_MOBILE_WALLET_PACKAGE_NAME_TEST,
  WALLET_APP_IDS,
  WALLETCONNECT_BRIDGE_URL,
  WALLETCONNECT_TEST_BRIDGE_URL,
  type WalletAddresses,
  type WalletId,
} from './session/launch/wallet-addresses.ts'
export {
  WALLET_LIST,
  type Wallet,
  type WalletEvent,
  type WalletType,
} from './session/launch/wallet-list.ts'
export type { ProvenanceMethod, SendMessageMethod } from './session/operations.ts'
export { LOCAL_STORAGE_NAMES } from './session/stored-session.ts'
export { WalletConnectService } from './session/wallet-connect-service.ts'
export type { WalletConnectServiceStatus, WCSState } from './session/wcs-state.ts'
