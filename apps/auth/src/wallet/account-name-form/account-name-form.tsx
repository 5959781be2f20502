import { accountNameError } from '@portico/rules/field-errors'
import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere, useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import styles from './account-name-form.module.css'

export type AccountNameFormProps = {
  /** The name entered previously. */
  name?: string
  hint: string
  busy: boolean
  failure: Failure | undefined
  /** The field error if the server rejected the name. */
  rejection: string | undefined
  onName: (name: string) => void
  onBack: () => void
  supportPhone: string
}

/** The name form of a new account (§2.6). */
export function AccountNameForm(props: AccountNameFormProps) {
  const { name, hint, busy, failure, rejection, onName, onBack, supportPhone } = props
  const { field, submit } = useForm({ name: ({ name: value }) => accountNameError(value) })
  const { error, ...input } = field('name')
  return (
    <form method="post" noValidate onSubmit={submit(({ name: value }) => onName(value.trim()))}>
      <Stack>
        <FailureAlert failure={failure} supportPhone={supportPhone} />
        <TextField
          {...input}
          ref={focusHere}
          label="Account Name"
          hint={hint}
          error={error ?? rejection}
          defaultValue={name}
          autoComplete="off"
        />
        <div className={styles.buttons}>
          <Button kind="secondary" onClick={onBack}>
            Back
          </Button>
          <Button type="submit" busy={busy} busyLabel="Creating…">
            Submit
          </Button>
        </div>
      </Stack>
    </form>
  )
}
