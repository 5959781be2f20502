import type { ConnectFailure } from '@portico/wallet-kit/device-wallet'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useMobileEnvironment } from '../environment.ts'
import type { OpenWallet } from './open-wallet.ts'

/** An attempt to connect to a page. */
export type Connecting =
  | { readonly step: 'none' }
  | { readonly step: 'joining' }
  | { readonly step: 'failed'; readonly failure: ConnectFailure }

/** Connects with scanned codes, and first with the one that the page was opened with. */
export function useConnecting({ requests }: OpenWallet) {
  const { hasArrivalCode, takeArrivalCode, reportError } = useMobileEnvironment()
  const [connecting, setConnecting] = useState<Connecting>(() => ({
    step: hasArrivalCode() ? 'joining' : 'none',
  }))

  const latest = useRef('')

  function join(code: string): void {
    latest.current = code
    const finish = (end: Connecting) => {
      // A later attempt has the notice now.
      if (latest.current === code) setConnecting(end)
    }
    // The browser cannot tell which page a code comes from.
    requests.connect(code, undefined).then(
      (failure) =>
        // No notice if the user declined.
        finish(
          failure === undefined || failure === 'rejected'
            ? { step: 'none' }
            : { step: 'failed', failure },
        ),
      (error: unknown) => {
        finish({ step: 'failed', failure: 'failed' })
        reportError(error)
      },
    )
  }

  const connectOnArrival = useEffectEvent(() => {
    const code = takeArrivalCode()
    if (code !== undefined) join(code)
  })
  useEffect(() => connectOnArrival(), [])

  function connect(code: string): void {
    setConnecting({ step: 'joining' })
    join(code)
  }

  return { connecting, connect, dismiss: () => setConnecting({ step: 'none' }) }
}
