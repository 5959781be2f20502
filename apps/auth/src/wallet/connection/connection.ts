import { WalletConnectService } from '@portico/wallet-connect/session'

/** The part of the wallet session that these screens use. */
export type Connection = Pick<
  WalletConnectService,
  'addListener' | 'disconnect' | 'init' | 'removeListener' | 'signHexMessage' | 'state' | 'wallets'
>

/** Creates the page's wallet session; it has no side effects until it is started. */
export function openConnection(origin: string): WalletConnectService {
  return new WalletConnectService({ autostart: false, server: origin })
}
