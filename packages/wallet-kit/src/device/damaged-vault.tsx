import { Button } from '@portico/ui/button'
import { useState } from 'react'
import { Screen } from '../screen.tsx'
import { RemoveWallet } from './remove-wallet.tsx'

/** The stored vault cannot be read. It stays as it is until the user confirms that it may be removed. */
export function DamagedVault({
  onRetry,
  onRemoved,
}: {
  onRetry: () => void
  onRemoved?: () => void
}) {
  const [isRemoving, setRemoving] = useState(false)
  if (isRemoving) {
    return (
      <RemoveWallet
        title="Remove the damaged wallet?"
        reason="Have your recovery words ready: you restore the wallet from them as soon as the damaged copy is removed."
        onBack={() => setRemoving(false)}
        onRemoved={onRemoved}
      />
    )
  }
  return (
    <Screen
      title="Your wallet is damaged"
      actions={
        <>
          <Button kind="secondary" onClick={onRetry}>
            Try again
          </Button>
          <Button onClick={() => setRemoving(true)}>Restore it</Button>
        </>
      }
    >
      <p>
        We cannot read what this device has stored for your wallet, so it does not open here.
        Nothing was deleted.
      </p>
      <p>
        Your accounts and their funds are on the network, not on this device. Your recovery words
        restore them, here or on another device.
      </p>
      <p>
        Without your recovery words, do not remove the wallet: a backup of this device may help.
      </p>
    </Screen>
  )
}
