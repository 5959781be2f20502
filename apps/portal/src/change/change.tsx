import type { Client } from '@portico/client/client'
import type { FieldError } from '@portico/rules/field-errors'
import { Confirmation, type ConfirmingUser, type Purpose } from '@portico/shell/confirmation'
import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { FailureWithRetry } from '@portico/shell/failure-with-retry'
import { useForm } from '@portico/shell/form'
import { useReturnFocus } from '@portico/shell/return-focus'
import { useCall, useLoad } from '@portico/shell/use-call'
import { Button, type ButtonKind } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { Stack } from '@portico/ui/stack'
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
      title={confirmation ? "Confirm it's you" : title}
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

export type LoadedChangeProps<Loaded> = AccountChangeProps & {
  title: string
  wide?: boolean
  load: (client: Client, signal: AbortSignal) => Promise<Loaded>
  /** Shown while loading. */
  placeholder: ReactNode
  /** The form of the change. */
  children: (loaded: Loaded, client: Client) => ReactNode
}

/** The dialog of an account change that first loads what its form shows. */
export function LoadedChange<Loaded>({
  account,
  title,
  wide = false,
  load,
  placeholder,
  onResult,
  children,
}: LoadedChangeProps<Loaded>) {
  const { reportError } = useEnvironment()
  const { client, pendingConfirmation } = useConfirmation()
  const { result, failure, retry } = useLoad((signal) => load(client, signal), reportError)
  return (
    <ChangeDialog
      account={account}
      confirmation={pendingConfirmation}
      title={title}
      wide={wide}
      onClose={() => onResult('closed')}
    >
      {result !== undefined ? (
        children(result, client)
      ) : failure !== undefined ? (
        <FailureWithRetry failure={failure} supportPhone={account.supportPhone} onRetry={retry} />
      ) : (
        placeholder
      )}
    </ChangeDialog>
  )
}

/** Form values by field name. */
type Values = Readonly<Record<string, string>>

/** Validation rules by field name. */
type FieldRules = Readonly<Record<string, (values: Values) => FieldError>>

export type FieldOf = ReturnType<typeof useForm<string>>['field']

export type ChangeProps = AccountChangeProps & {
  title: string
  text: ReactNode
  button: { label: string; busyLabel: string; kind?: ButtonKind }
  /**
   * Performs the change; returns a failure if the browser could not complete it. With `client`, the user confirms their
   * identity if the server requires it.
   */
  change: (client: Client, values: Values, signal: AbortSignal) => Promise<Failure | undefined>
  rules?: FieldRules
  fields?: (field: FieldOf) => ReactNode
}

const NO_FIELDS: FieldRules = {}

/** The dialog for an account change that takes one call. */
export function Change({
  account,
  title,
  text,
  button,
  change,
  rules = NO_FIELDS,
  fields,
  onResult,
}: ChangeProps) {
  const { reportError } = useEnvironment()
  const { client, pendingConfirmation } = useConfirmation()
  const { pending, failure, run, fail } = useCall(reportError)
  const { field, submit } = useForm(rules)
  const onSubmit = submit((values) =>
    run(
      (signal) => change(client, values, signal),
      (failed) => (failed === undefined ? onResult('changed') : fail(failed)),
    ),
  )
  return (
    <ChangeDialog
      account={account}
      confirmation={pendingConfirmation}
      title={title}
      onClose={pending ? undefined : () => onResult('closed')}
    >
      <Stack>
        <p>{text}</p>
        <FailureAlert failure={failure} supportPhone={account.supportPhone} />
        <form method="post" noValidate onSubmit={onSubmit}>
          <Stack gap="fields">
            {fields?.(field)}
            <Button
              type="submit"
              kind={button.kind ?? 'primary'}
              wide
              busy={pending}
              busyLabel={button.busyLabel}
            >
              {button.label}
            </Button>
          </Stack>
        </form>
      </Stack>
    </ChangeDialog>
  )
}
