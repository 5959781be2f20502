import { Refusal } from '@portico/contracts/errors'
import { Button } from '@portico/ui/button'
import { Skeleton } from '@portico/ui/skeleton'
import type { DeviceKeyKeeper } from '@portico/wallet-kit/device-wallet'
import { Screen } from '@portico/wallet-kit/screen'
import { type ReactNode, useEffect, useState } from 'react'

/**
 * Offers to set up the wallet in a tab: the popup closes as soon as the user clicks elsewhere, for example to write the
 * recovery words down.
 */
export function SetupInTab({
  keeper,
  framed,
  onOpen,
  reportError,
  children,
}: {
  keeper: DeviceKeyKeeper
  /** Adds the header of the wallet. */
  framed: (content: ReactNode) => ReactNode
  onOpen: () => void
  reportError: (error: unknown) => void
  /** The wallet, once it is set up. */
  children: ReactNode
}) {
  const [isEmpty, setIsEmpty] = useState<boolean>()
  useEffect(() => {
    const read = () =>
      void keeper.vault().then(
        ({ step }) => setIsEmpty(step === 'empty'),
        (error: unknown) => {
          // The wallet's screens explain a refusal, such as a damaged vault.
          if (!(error instanceof Refusal)) reportError(error)
          setIsEmpty(false)
        },
      )
    read()
    return keeper.subscribe(read)
  }, [keeper, reportError])

  if (isEmpty === undefined) {
    return framed(
      <main>
        <Skeleton shape="card" count={2} label="Opening your wallet" />
      </main>,
    )
  }
  if (!isEmpty) return children
  return framed(
    <Screen
      title="Set up your wallet"
      actions={
        <Button wide onClick={onOpen}>
          Open the setup
        </Button>
      }
    >
      <p>It opens in a tab, which stays open while you write down your recovery words.</p>
    </Screen>,
  )
}
