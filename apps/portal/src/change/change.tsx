import type { Client } from '@portico/client/client'
import { useFlow } from '@portico/flow/react'
import type { FieldError } from '@portico/rules/field-errors'
import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import { type Account, ChangeDialog, useConfirmation } from '../confirmation/confirmation.tsx'
import { useEnvironment } from '../environment.ts'
import { change, type Result, type Values } from './change.flow.ts'
import { changeServices } from './change.services.ts'

/** Validation rules by field name. */
type FieldRules = Readonly<Record<string, (values: Values) => FieldError>>

export type FieldOf = ReturnType<typeof useForm<string>>['field']

export type ChangeProps = {
  account: Account
  title: string
  text: ReactNode
  button: { label: string; busyLabel: string }
  /** Performs the change; `client` asks the user to confirm their identity if the server requires it. */
  change: (client: Client, values: Values) => Promise<Failure | undefined>
  rules?: FieldRules
  fields?: (field: FieldOf) => ReactNode
  onResult: (result: Result) => void
}

const NO_FIELDS: FieldRules = {}

/** The dialog for an account change that takes one call. */
export function Change(props: ChangeProps) {
  const { account, title, text, button, rules = NO_FIELDS, fields, onResult } = props
  const { reportError } = useEnvironment()
  const { client, pendingConfirmation } = useConfirmation()
  const [state, send] = useFlow(change, {
    input: null,
    services: changeServices({ change: (values) => props.change(client, values), onResult }),
    report: reportError,
  })
  const { field, submit } = useForm(rules)
  return (
    <ChangeDialog
      account={account}
      confirmation={pendingConfirmation}
      title={title}
      onClose={state.step === 'asking' ? () => send({ type: 'closed' }) : undefined}
    >
      <Stack>
        <p>{text}</p>
        {state.step === 'asking' && (
          <FailureAlert failure={state.failure} supportPhone={account.supportPhone} />
        )}
        <form
          method="post"
          noValidate
          onSubmit={submit((values) => send({ type: 'submitted', values }))}
        >
          <Stack gap="fields">
            {fields?.(field)}
            <Button
              type="submit"
              wide
              busy={state.step === 'changing'}
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
