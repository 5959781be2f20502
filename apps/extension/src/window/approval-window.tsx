import { Skeleton } from '@portico/ui/skeleton'
import { Screen } from '@portico/wallet-kit/screen'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { ConnectFailed } from './connect-failed.tsx'
import type { RemoteWallet } from './remote-wallet.ts'

/** Closes the window when the wallet has nothing left to show, and says why a page could not be connected. */
export function ApprovalWindow({
  wallet: { requests, close },
  framed,
  children,
}: {
  wallet: RemoteWallet
  /** Adds the header of the wallet. */
  framed: (content: ReactNode) => ReactNode
  /** The wallet; it calls back when no request waits. */
  children: (onDone: () => void) => ReactNode
}) {
  const { subscribe } = requests
  const waiting = useSyncExternalStore(subscribe, requests.waiting)
  const connecting = useSyncExternalStore(subscribe, requests.connecting)
  const failure = useSyncExternalStore(subscribe, requests.connectFailure)
  const isDecided = useSyncExternalStore(subscribe, () => requests.decided() !== undefined)
  const [isDone, setIsDone] = useState(false)
  if (isDone && waiting > 0) setIsDone(false)
  const isOver = isDone && waiting + connecting === 0 && failure === undefined
  useEffect(() => {
    if (isOver) close()
  }, [isOver, close])

  if (waiting === 0 && failure !== undefined) {
    return framed(<ConnectFailed failure={failure} onClose={close} />)
  }
  if (waiting === 0 && connecting > 0 && !isDecided) {
    return framed(
      <Screen title="Connecting to the page">
        <Skeleton shape="card" count={2} label="Waiting for its request" />
      </Screen>,
    )
  }
  return children(() => setIsDone(true))
}
