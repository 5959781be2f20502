import type { Services } from '@portico/flow'
import { requiredAccount } from '@portico/rules/chosen-credentials'
import type { ConnectedWallet } from '@portico/rules/connection-match'
import { walletApp } from '@portico/rules/wallet-app'
import type { Connection } from '../connection/connection.ts'
import { connectionChanges } from '../connection/connection-changes.ts'
import type { Command, Event } from './connect.flow.ts'
import type { QrSize } from './qr-picture.tsx'
import { WALLET_PANEL_ID } from './wallet-panel.tsx'

/** A connection is started for a day (§4.1). */
const DURATION_S = 86_400

const NOT_PREPARED =
  'We could not prepare the connection. Check your connection to the internet, then try again.'

/** What connecting leans on. */
export interface ConnectDeps {
  readonly connection: Connection
  readonly production: boolean
  /** The width of the code in pixels. */
  readonly codeSize: QrSize
  /** Takes away the hosted wallet's panel where it still stands. */
  readonly closePanel: () => void
  readonly onConnected: (wallet: ConnectedWallet) => void
}

/** Carries out what connecting has done; each service reports back with an event. */
export function connectServices(deps: ConnectDeps): Services<Event, Command> {
  const { closePanel, codeSize, connection, production, onConnected } = deps
  return {
    watch(_, signal) {
      // An attempt that nobody waits for any more must not connect by itself later, nor its panel go on asking.
      signal.addEventListener('abort', () => {
        if (connection.state.status !== 'pending') return
        void connection.disconnect()
        closePanel()
      })
      return connectionChanges(connection, signal)
    },
    async open({ way, wanted }) {
      const walletAppId = walletApp(way, production)
      const wallet = connection.wallets.find(({ id }) => id === walletAppId)
      if (wallet?.walletCheck?.() === false) return { type: 'extensionMissing' }
      // A panel of an earlier attempt would be approved in vain, and keeps the new one from opening.
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
        // Why is for developers; the person can only look at their own network.
        return { type: 'ended', message: NOT_PREPARED }
      }
      const { QRCodeImg, QRCodeUrl, dynamicUrl } = connection.state.modal
      const code = { image: QRCodeImg, link: QRCodeUrl, tapLink: dynamicUrl }
      return { type: 'prepared', way, code }
    },
    handBack: ({ wallet }) => onConnected(wallet),
  }
}
