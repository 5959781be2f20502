import type { Client } from '@portico/client/client'
import type { FieldError } from '@portico/rules/field-errors'
import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useForm } from '@portico/shell/form'
import { useCall } from '@portico/shell/use-call'
import { Button, type ButtonKind } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import { useEnvironment } from '../environment.ts'
import { type AccountChangeProps, ChangeDialog, useConfirmation } from './change-dialog.tsx'

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
