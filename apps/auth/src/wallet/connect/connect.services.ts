import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { TextStorage } from '@portico/contracts/text-storage'
import type { Services } from '@portico/flow'
import { requiredAccount } from '@portico/rules/chosen-credentials'
import type { ConnectedWallet } from '@portico/rules/connection-match'
import { walletApp } from '@portico/rules/wallet-app'
import type { Connection } from '../connection/connection.ts'
import { connectionChanges } from '../connection/connection-changes.ts'
import type { Command, Event } from './connect.flow.ts'
import type { QrSize } from './qr-picture.tsx'
import { WALLET_PANEL_ID } from './wallet-panel.tsx'

/** A connection lasts one day (§4.1). */
const DURATION_S = 86_400

const NOT_PREPARED =
  'We could not prepare the connection. Check your internet connection, then try again.'

export interface ConnectDeps {
  readonly connection: Connection
  readonly production: boolean
  /** The width of the QR code in pixels. */
  readonly codeSize: QrSize
  /** Closes the hosted wallet's panel if it is open. */
  readonly closePanel: () => void
  readonly deviceStorage: TextStorage
  readonly onConnected: (wallet: ConnectedWallet) => void
}

export function connectServices(deps: ConnectDeps): Services<Event, Command> {
  const { closePanel, codeSize, connection, deviceStorage, production, onConnected } = deps
  return {
    watch(_, signal) {
      // An abandoned attempt must not connect later, and its panel must not stay open.
      signal.addEventListener('abort', () => {
        if (connection.state.status !== 'pending') return
        void connection.disconnect()
        closePanel()
      })
      return connectionChanges(connection, signal)
    },
    async open({ walletKind, wanted }) {
      const walletAppId = walletApp(walletKind, production)
      const wallet = connection.wallets.find(({ id }) => id === walletAppId)
      if (wallet?.walletCheck?.() === false) return { type: 'extensionMissing' }
      // Close the panel of an earlier attempt: it would block the new one, and approving it would have no effect.
      closePanel()
      try {
        await connection.init({
          walletAppId,
          duration: DURATION_S,
          iframeParentId: WALLET_PANEL_ID,
          qrOptions: { pixels: codeSize },
          ...(wanted && requiredAccount(wanted)),
        })
      } catch {
        // The cause is for developers; the user can only check their network.
        return { type: 'ended', message: NOT_PREPARED }
      }
      const { QRCodeImg, QRCodeUrl, dynamicUrl } = connection.state.modal
      const code = { image: QRCodeImg, link: QRCodeUrl, tapLink: dynamicUrl }
      return { type: 'prepared', walletKind, code }
    },
    returnResult({ wallet, walletKind }) {
      deviceStorage.write(STORAGE_KEYS.lastWallet, walletKind)
      onConnected(wallet)
    },
  }
}
