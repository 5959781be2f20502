import { WALLET_APP_EVENTS } from '../wallet-app-events.ts'
import type { WalletConnectService } from '../wallet-connect-service.ts'
import type { Wallet } from './wallet-list.ts'

/**
 * Opens the wallet that a person picked in the dialogue. One that is not there yet leads to where it can be got; the
 * attempt goes on, and the code stays good. Gives the link to follow where the wallet is an application on this phone.
 */
export function pickWallet(
  service: Pick<WalletConnectService, 'setWalletAppId' | 'state' | 'updateModal'>,
  { id, eventAction, generateUrl, walletCheck, walletUrl }: Wallet,
  { href, openWindow }: { readonly href: string; readonly openWindow: (url: string) => void },
): string | undefined {
  const { connectionTimeout: duration, modal } = service.state
  // Encoded, as the wallets beside a page expect it of a dialogue (protocol 13).
  const uri = encodeURIComponent(modal.QRCodeUrl)
  service.setWalletAppId(id)
  if (walletCheck?.() === false) {
    if (walletUrl !== undefined) openWindow(walletUrl)
    return undefined
  }
  eventAction?.({ event: WALLET_APP_EVENTS.INIT, uri, duration, redirectUrl: href })
  const dynamicUrl = generateUrl?.(uri)
  if (dynamicUrl !== undefined) service.updateModal({ dynamicUrl })
  return dynamicUrl
}
