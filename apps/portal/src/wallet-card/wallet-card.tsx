import { useFlow } from '@portico/flow/react'
import { connectionLife } from '@portico/rules/connection-life'
import { WalletConnectService } from '@portico/wallet-connect/session'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useEnvironment } from '../environment.ts'
import { walletCard } from './wallet-card.flow.ts'
import { walletCardServices } from './wallet-card.services.ts'
import { WalletCardView } from './wallet-card.view.tsx'

const UPDATE_INTERVAL_MS = 1000

/** The dashboard's wallet card, loaded on demand. */
export function WalletCard() {
  const environment = useEnvironment()
  const [wallet] = useState(() => new WalletConnectService({ autostart: false }))
  // The wallet session's socket and iframe live outside React, so start and stop them with the card.
  useEffect(() => {
    wallet.start()
    return wallet.stop
  }, [wallet])
  const [state, send] = useFlow(walletCard, {
    input: null,
    services: walletCardServices({ ...environment, wallet }),
    report: environment.reportError,
  })
  const session = useSyncExternalStore(wallet.subscribe, () => wallet.state)
  const { connectionEXP } = session
  const life = useSyncExternalStore(everySecond, () =>
    connectionEXP === null ? undefined : connectionLife(connectionEXP, Date.now()),
  )
  return <WalletCardView state={state} send={send} wallet={session} life={life} />
}

function everySecond(changed: () => void): () => void {
  const timer = setInterval(changed, UPDATE_INTERVAL_MS)
  return () => clearInterval(timer)
}
