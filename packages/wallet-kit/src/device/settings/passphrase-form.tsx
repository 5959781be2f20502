import { useForm } from '@portico/shell/form'
import type { useCall } from '@portico/shell/use-call'
import { PasswordField } from '@portico/ui/password-field'
import { FailureNotice } from '../../failure-notice.tsx'

/** Asks for the passphrase before a sensitive action; the button is outside, tied by the form's ID. */
export function PassphraseForm({
  id,
  failure,
  onSubmit,
}: {
  id: string
  failure: ReturnType<typeof useCall>['failure']
  onSubmit: (passphrase: string) => void
}) {
  const { field, submit } = useForm({
    passphrase: ({ passphrase }) =>
      passphrase === '' ? 'Please enter your passphrase.' : undefined,
  })
  const { error, ...passphrase } = field('passphrase')
  const isWrong = failure?.reason === 'passphrase-wrong'
  return (
    <>
      {failure && !isWrong && <FailureNotice failure={failure} />}
      <form
        id={id}
        method="post"
        noValidate
        onSubmit={submit((values) => onSubmit(values.passphrase))}
      >
        <PasswordField
          {...passphrase}
          label="Passphrase"
          subject="passphrase"
          autoComplete="current-password"
          error={error ?? (isWrong ? failure.notices[0] : undefined)}
        />
      </form>
    </>
  )
}
