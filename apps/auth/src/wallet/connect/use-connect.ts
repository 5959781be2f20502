import { useFlow } from '@portico/flow/react'
import type { Credentials } from '@portico/rules/chosen-credentials'
import type { ConnectedWallet } from '@portico/rules/connection-match'
import type { WalletKind } from '@portico/rules/wallet-app'
import { useEnvironment } from '../../environment.ts'
import { useConnection } from '../connection/connection-context.tsx'
import { connect, type Event, type State } from './connect.flow.ts'
import { connectServices } from './connect.services.ts'
import type { QrSize } from './qr-picture.tsx'
import { closePanel } from './wallet-panel.tsx'

export type ConnectOptions = {
  wanted: Credentials | undefined
  walletKind: WalletKind
  codeSize: QrSize
  onConnected: (wallet: ConnectedWallet) => void
}

/** Connects a wallet while the component is mounted; unmounting cancels the attempt. */
export function useConnect({
  wanted,
  walletKind,
  codeSize,
  onConnected,
}: ConnectOptions): [State, (event: Event) => void] {
  const { deviceStorage, production, reportError } = useEnvironment()
  return useFlow(connect, {
    input: { wanted, walletKind },
    services: connectServices({
      connection: useConnection(),
      production,
      codeSize,
      deviceStorage,
      closePanel,
      onConnected,
    }),
    report: reportError,
  })
}
