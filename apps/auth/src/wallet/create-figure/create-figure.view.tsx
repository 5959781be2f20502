import { NOTICES } from '@portico/contracts/errors'
import { ACCOUNT_NAME_LENGTH_MAXIMUM } from '@portico/contracts/limits'
import { accountNameError } from '@portico/rules/field-errors'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere, useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import type { Event, State } from './create-figure.flow.ts'
import styles from './create-figure.module.css'

/** What the form shows besides its state. */
export type CreateFigureViewProps = {
  state: Extract<State, { step: 'naming' }>
  send: (event: Event) => void
  onBack: () => void
  supportPhone: string
}

/** The form of a new hosted account (§2.6). */
export function CreateFigureView({ state, send, onBack, supportPhone }: CreateFigureViewProps) {
  const { busy, failure } = state
  const { field, submit } = useForm({ name: ({ name }) => accountNameError(name) })
  const { error, ...name } = field('name')
  return (
    <form
      method="post"
      noValidate
      onSubmit={submit(({ name: given }) => send({ type: 'nameGiven', name: given.trim() }))}
    >
      <Stack>
        <FailureAlert failure={failure} supportPhone={supportPhone} />
        <TextField
          {...name}
          ref={focusHere}
          label="Account Name"
          hint="Only you see it. You can change it later."
          error={error ?? (failure && NOTICES.accountNotSubmitted)}
          maxLength={ACCOUNT_NAME_LENGTH_MAXIMUM}
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
