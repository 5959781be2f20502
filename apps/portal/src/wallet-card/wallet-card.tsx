import { useFlow } from '@portico/flow/react'
import { connectionLife } from '@portico/rules/connection-life'
import { WalletConnectService } from '@portico/wallet-connect/session'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useEnvironment } from '../environment.ts'
import { Payments } from './payments.tsx'
import { walletCard } from './wallet-card.flow.ts'
import { walletCardServices } from './wallet-card.services.ts'
import { WalletCardView } from './wallet-card.view.tsx'

const UPDATE_INTERVAL_MS = 1000

/** The dashboard's wallet card, loaded on demand. */
export function WalletCard() {
  const environment = useEnvironment()
  const { chainNode, reportError } = environment
  const [wallet] = useState(() => new WalletConnectService({ autostart: false }))
  // The wallet session's socket and iframe live outside React, so start and stop them with the card.
  useEffect(() => {
    wallet.start()
    return wallet.stop
  }, [wallet])
  const [state, send] = useFlow(walletCard, {
    input: null,
    services: walletCardServices({ ...environment, wallet, wait }),
    report: environment.reportError,
  })
  const session = useSyncExternalStore(wallet.subscribe, () => wallet.state)
  const { connectionEXP } = session
  const life = useSyncExternalStore(everySecond, () =>
    connectionEXP === null ? undefined : connectionLife(connectionEXP, Date.now()),
  )
  const account = session.representedGroupPolicy?.address ?? session.address
  // The balance and payments are reloaded after each transaction.
  const transaction = state.step === 'idle' ? state.outcome?.transaction : undefined
  const [latest, setLatest] = useState(transaction)
  if (transaction !== undefined && transaction !== latest) setLatest(transaction)
  return (
    <WalletCardView
      state={state}
      send={send}
      wallet={session}
      life={life}
      payments={
        <Payments
          key={`${account} ${latest}`}
          account={account}
          signer={session}
          chainNode={chainNode}
          reportError={reportError}
          busy={state.step !== 'idle'}
          onSend={(operation) => send({ type: 'operationRequested', operation })}
        />
      }
    />
  )
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function everySecond(changed: () => void): () => void {
  const timer = setInterval(changed, UPDATE_INTERVAL_MS)
  return () => clearInterval(timer)
}
