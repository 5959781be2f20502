import type { Client } from '@portico/client/client'
import { Confirmation, type ConfirmingPerson, type Purpose } from '@portico/shell/confirmation'
import { useReturnFocus } from '@portico/shell/return-focus'
import { Dialog } from '@portico/ui/dialog'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { confirmingClient } from './confirming-client.ts'

/** What is known of the account that is changed. */
export type Account = ConfirmingPerson & { hasPassword: boolean; hasHostedWallets: boolean }

/** A confirmation that a call waits for. */
export type Asked = { readonly answer: (confirmed: boolean) => void }

/** A client that lets the person confirm where the server asks for it, and the confirmation it waits for. */
export function useConfirmation(): { client: Client; asked: Asked | undefined } {
  const { client } = useEnvironment()
  const [asked, setAsked] = useState<Asked>()
  const [confirming] = useState(() =>
    confirmingClient(
      client,
      () =>
        new Promise((resolve) =>
          setAsked({
            answer(confirmed) {
              setAsked(undefined)
              resolve(confirmed)
            },
          }),
        ),
    ),
  )
  return { client: confirming, asked }
}

/** What the dialog of a change takes. */
export type ChangeDialogProps = {
  account: Account
  asked: Asked | undefined
  title: string
  /** What is confirmed, where that is not a change like any other. */
  purpose?: Exclude<Purpose, 'unlock'>
  /** For a change that needs more than one column. */
  wide?: boolean
  onClose: (() => void) | undefined
  children: ReactNode
}

/**
 * The dialog of a change. While a confirmation is asked for, that stands in place of the change, which keeps what was
 * typed and goes on afterwards.
 */
export function ChangeDialog({
  account,
  asked,
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
      title={asked ? 'Confirm that it is you' : title}
      width={wide && !asked ? 'wide' : 'standard'}
      onClose={asked ? () => asked.answer(false) : onClose}
    >
      {asked && (
        <Confirmation
          person={account}
          client={client}
          passkeys={passkeys}
          purpose={purpose}
          onConfirmed={() => asked.answer(true)}
          reportError={reportError}
        />
      )}
      <div hidden={asked !== undefined}>{children}</div>
    </Dialog>
  )
}
