import { useForm } from '@portico/shell/form'
import { useCall } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { PasswordField } from '@portico/ui/password-field'
import { Stack } from '@portico/ui/stack'
import { useId, useState } from 'react'
import { FailureNotice } from '../../failure-notice.tsx'
import { Screen } from '../../screen.tsx'
import { useDeviceEnvironment } from '../environment.ts'
import { NewPassphraseFields, useNewPassphrase } from '../new-passphrase.tsx'

/** Replaces the passphrase of the vault. */
export function ChangePassphrase({ onDone }: { onDone: () => void }) {
  const { keeper, reportError } = useDeviceEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [isChanged, setChanged] = useState(false)
  const id = useId()
  const passphrase = useNewPassphrase()
  const { field, submit } = useForm<'current' | 'passphrase' | 'confirmation'>({
    current: ({ current }: { current: string }) =>
      current === '' ? 'Please enter your current passphrase.' : undefined,
    ...passphrase.rules,
  })
  const current = field('current')
  const isWrong = failure?.reason === 'passphrase-wrong'
  if (isChanged) {
    return (
      <Screen title="Passphrase changed" actions={<Button onClick={onDone}>Done</Button>}>
        <Alert tone="ok">
          <p>Use the new passphrase from now on. Your recovery words stay the same.</p>
        </Alert>
      </Screen>
    )
  }
  return (
    <Screen
      title="Change your passphrase"
      actions={
        <>
          <Button kind="secondary" disabled={pending} onClick={onDone}>
            Back
          </Button>
          <Button type="submit" form={id} busy={pending} busyLabel="Changing…">
            Change
          </Button>
        </>
      }
    >
      {failure && !isWrong && <FailureNotice failure={failure} />}
      <form
        id={id}
        method="post"
        noValidate
        onSubmit={submit((values) =>
          run(
            () => keeper.changePassphrase({ current: values.current, next: values.passphrase }),
            () => setChanged(true),
          ),
        )}
      >
        <Stack gap="fields">
          <PasswordField
            {...current}
            label="Current passphrase"
            subject="passphrase"
            autoComplete="current-password"
            error={current.error ?? (isWrong ? failure.notices[0] : undefined)}
          />
          <NewPassphraseFields label="New passphrase" field={field} passphrase={passphrase} />
        </Stack>
      </form>
    </Screen>
  )
}
