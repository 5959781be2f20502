export type {
  BroadcastEventData,
  ConnectMethodEventData,
  ConnectMethodResult,
  DisconnectMethodEventData,
  DisconnectMethodResult,
  OperationResult,
  OtherAccount,
  RemovePendingMethodEventData,
  SendMessageMethodEventData,
  SendMessageMethodResult,
  SignHexMessageMethodEventData,
  SignHexMessageMethodResult,
  SignJWTMethodEventData,
  SignJWTMethodResult,
  SwitchToGroupMethodEventData,
} from './session/broadcast-events.ts'
export type { WalletConnectConfig } from './session/config.ts'
export {
  CONNECTION_EXPIRED,
  CONNECTION_TYPES,
  CONNECTOR_EVENTS,
} from './session/connection-text.ts'
export type { ConnectMethod, InitMethod, QrOptions } from './session/init-options.ts'
export type { WalletAddresses } from './session/launch/wallet-addresses.ts'
export {
  WALLET_LIST,
  type Wallet,
  type WalletEvent,
  type WalletType,
} from './session/launch/wallet-list.ts'
export type { ProvenanceMethod, SendMessageMethod } from './session/operations/send-message.ts'
export type { ModalData, PendingMethod } from './session/settings.ts'
export { LOCAL_STORAGE_NAMES } from './session/stored-session.ts'
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
  WALLETCONNECT_BRIDGE_URL,
  WALLETCONNECT_TEST_BRIDGE_URL,
} from './session/urls.ts'
export { WALLET_APP_EVENTS } from './session/wallet-app-events.ts'
export { WALLET_APP_IDS, type WalletId } from './session/wallet-app-ids.ts'
export { WalletConnectService } from './session/wallet-connect-service.ts'
export type { WalletConnectServiceStatus, WCSState } from './session/wcs-state.ts'
export { WINDOW_MESSAGES } from './session/window-messages.ts'
