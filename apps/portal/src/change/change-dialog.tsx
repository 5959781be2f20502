import type { Client } from '@portico/client/client'
import { Confirmation, type ConfirmingUser, type Purpose } from '@portico/shell/confirmation'
import { useReturnFocus } from '@portico/shell/return-focus'
import { Dialog } from '@portico/ui/dialog'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { confirmingClient } from './confirming-client.ts'

/** The account being changed. */
export type Account = ConfirmingUser & { hasPassword: boolean; hasHostedWallets: boolean }

/** The props of every change: what to change, and a callback for when the dialog closes. */
export type AccountChangeProps = {
  account: Account
  onResult: (result: 'changed' | 'closed') => void
}

/** A call waiting for the user to confirm their identity. */
export type PendingConfirmation = { readonly answer: (confirmed: boolean) => void }

/** A client that has the user confirm their identity if the server requires it, and the confirmation in progress. */
export function useConfirmation(): {
  client: Client
  pendingConfirmation: PendingConfirmation | undefined
} {
  const { client } = useEnvironment()
  const [pending, setPending] = useState<PendingConfirmation>()
  const [confirming] = useState(() =>
    confirmingClient(
      client,
      () =>
        new Promise((resolve) =>
          setPending({
            answer(confirmed) {
              setPending(undefined)
              resolve(confirmed)
            },
          }),
        ),
    ),
  )
  return { client: confirming, pendingConfirmation: pending }
}

export type ChangeDialogProps = {
  account: Account
  confirmation: PendingConfirmation | undefined
  title: string
  /** What the confirmation is for; an ordinary change by default. */
  purpose?: Exclude<Purpose, 'unlock'>
  /** For a change that needs more than one column. */
  wide?: boolean
  onClose: (() => void) | undefined
  children: ReactNode
}

/**
 * The dialog of an account change. While a confirmation is pending it replaces the change's form, which stays mounted and
 * keeps its input.
 */
export function ChangeDialog({
  account,
  confirmation,
  title,
  purpose = 'change',
  wide = false,
  onClose,
  children,
}: ChangeDialogProps) {
  const { client, passkeys, reportError } = useEnvironment()
  useReturnFocus()
  return (
    <Dialog
      open
      title={confirmation ? 'Confirm that it is you' : title}
      width={wide && !confirmation ? 'wide' : 'standard'}
      onClose={confirmation ? () => confirmation.answer(false) : onClose}
    >
      {confirmation && (
        <Confirmation
          user={account}
          client={client}
          passkeys={passkeys}
          purpose={purpose}
          onConfirmed={() => confirmation.answer(true)}
          reportError={reportError}
        />
      )}
      <div hidden={confirmation !== undefined}>{children}</div>
    </Dialog>
  )
}
