import { WALLET_APP_EVENTS } from '../events.ts'
import type { WalletConnectService } from '../wallet-connect-service.ts'
import type { Wallet } from './wallet-list.ts'

/**
 * Opens the wallet that the user picked in the dialog. If it is not installed, its download page opens instead; the
 * attempt continues and the code stays valid. Returns the link to follow if the wallet is an app on this phone.
 */
export function pickWallet(
  service: Pick<WalletConnectService, 'setWalletAppId' | 'state' | 'updateModal'>,
  { id, eventAction, generateUrl, type, walletCheck, walletUrl }: Wallet,
  { href, openWindow }: { readonly href: string; readonly openWindow: (url: string) => void },
): string | undefined {
  const { connectionTimeout: duration, iframeParentId, modal } = service.state
  // Wallets next to the page expect the URI of a dialog to be encoded (protocol 13).
  const uri = encodeURIComponent(modal.QRCodeUrl)
  service.setWalletAppId(id)
  if (walletCheck?.() === false) {
    if (walletUrl !== undefined) openWindow(walletUrl)
    return undefined
  }
  // The dialog is above everything and makes the rest of the page inert: the frame would be behind it.
  if (isFramed(type)) service.updateModal({ showModal: false, walletAppId: id })
  eventAction?.({
    event: WALLET_APP_EVENTS.INIT,
    uri,
    duration,
    redirectUrl: href,
    ...(iframeParentId === '' ? {} : { iframeParentId }),
  })
  const dynamicUrl = generateUrl?.(uri)
  if (dynamicUrl !== undefined) service.updateModal({ dynamicUrl })
  return dynamicUrl
}

function isFramed(type: Wallet['type']): boolean {
  return [type].flat().includes('hosted')
}
