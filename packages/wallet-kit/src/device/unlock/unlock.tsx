import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { useState } from 'react'
import { PageOrigin } from '../../approval/page-origin.tsx'
import type { ApprovalPrompt } from '../../approval-prompt.ts'
import type { VaultState } from '../../device-wallet.ts'
import { Screen } from '../../screen.tsx'
import { DamagedVault } from '../damaged-vault.tsx'
import { RemoveWallet } from '../remove-wallet.tsx'
import { UnlockForm } from './unlock-form.tsx'

/** Unlocks the wallet. A waiting request can be rejected without it. */
export function Unlock({
  vault,
  prompt,
  waiting,
  onReject,
}: {
  vault: Extract<VaultState, { step: 'locked' }>
  prompt: ApprovalPrompt | undefined
  /** The number of waiting requests, even if none can be shown yet. */
  waiting: number
  onReject: () => void
}) {
  const [hasForgotten, setForgotten] = useState(false)
  const [isDamaged, setDamaged] = useState(false)
  if (isDamaged) return <DamagedVault onRetry={() => setDamaged(false)} />
  if (hasForgotten) {
    return (
      <RemoveWallet
        title="Forgot your passphrase?"
        reason="Without the passphrase this wallet cannot be opened. Remove it from this device, then restore it from your recovery words with a new passphrase."
        onBack={() => setForgotten(false)}
      />
    )
  }
  return (
    <Screen
      title={waiting === 0 ? 'Unlock your wallet' : 'Unlock to see the request'}
      actions={
        prompt && (
          <Button kind="secondary" onClick={onReject}>
            Reject the request
          </Button>
        )
      }
    >
      {waiting > 0 && (
        <p>
          {prompt === undefined ? 'A page' : <PageOrigin origin={prompt.origin} />} sent a request.
          You will see it as soon as you unlock the wallet.
        </p>
      )}
      <UnlockForm vault={vault} isFocused={waiting === 0} onDamaged={() => setDamaged(true)} />
      <p>
        <LinkButton onClick={() => setForgotten(true)}>Forgot your passphrase?</LinkButton>
      </p>
    </Screen>
  )
}
