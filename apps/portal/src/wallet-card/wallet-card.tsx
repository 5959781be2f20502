import { useFlow } from '@portico/flow/react'
import { connectionLife } from '@portico/rules/connection-life'
import { WalletConnectService } from '@portico/wallet-connect/session'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useEnvironment } from '../environment.ts'
import { walletCard } from './wallet-card.flow.ts'
import { walletCardServices } from './wallet-card.services.ts'
import { WalletCardView } from './wallet-card.view.tsx'

const EVERY_MS = 1000

/** The dashboard's wallet: connect, ask it, see what came of it. Fetched when it is wanted. */
export function WalletCard() {
  const environment = useEnvironment()
  const [wallet] = useState(() => new WalletConnectService({ autostart: false }))
  // The session's socket and frame are outside React: they begin with the card and end with it.
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
  const timer = setInterval(changed, EVERY_MS)
  return () => clearInterval(timer)
}
