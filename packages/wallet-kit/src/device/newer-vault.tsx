import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { useState } from 'react'
import { Screen } from '../screen.tsx'
import { RemoveWallet } from './remove-wallet.tsx'

/** A newer version of the wallet stored the vault. It is intact, so the way on is an update and not its removal. */
export function NewerVault({ onRetry, onRemoved }: { onRetry: () => void; onRemoved: () => void }) {
  const [isRemoving, setRemoving] = useState(false)
  if (isRemoving) {
    return (
      <RemoveWallet
        title="Remove the wallet?"
        reason="An update opens the wallet with everything in it. Remove it only if you cannot update and have your recovery words ready: you restore the wallet from them afterwards."
        onBack={() => setRemoving(false)}
        onRemoved={onRemoved}
      />
    )
  }
  return (
    <Screen title="Update your wallet" actions={<Button onClick={onRetry}>Try again</Button>}>
      <p>
        A newer version of the wallet was used on this device, so this version cannot open it. Your
        wallet is not damaged. Nothing was deleted.
      </p>
      <p>Update the wallet, or load it again if it is up to date, and it opens as before.</p>
      <p>
        <LinkButton onClick={() => setRemoving(true)}>I cannot update the wallet</LinkButton>
      </p>
    </Screen>
  )
}
