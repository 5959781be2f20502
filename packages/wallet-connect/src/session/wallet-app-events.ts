/** Events for a wallet that runs next to the page (protocol 13). */
export const WALLET_APP_EVENTS = {
  CONNECT: 'walletconnect_connect',
  SESSION_UPDATE: 'walletconnect_session_update',
  RESET_TIMEOUT: 'resetConnectionTimeout',
  DISCONNECT: 'walletconnect_disconnect',
  EVENT: 'walletconnect_event',
  INIT: 'walletconnect_init',
} as const

export type WalletAppEvent = (typeof WALLET_APP_EVENTS)[keyof typeof WALLET_APP_EVENTS]
