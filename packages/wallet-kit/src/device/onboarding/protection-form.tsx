import { accountNameError } from '@portico/rules/field-errors'
import type { Failure } from '@portico/shell/failure'
import { useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { useId } from 'react'
import { FailureNotice } from '../../failure-notice.tsx'
import { Screen } from '../../screen.tsx'
import { NewPassphraseFields, useNewPassphrase } from '../new-passphrase.tsx'
import type { Protection } from './onboarding.flow.ts'

/** The passphrase of a new wallet and the name of its first account. */
export function ProtectionForm({
  title,
  submit: label,
  protection,
  failure,
  onBack,
  onSubmit,
}: {
  title: string
  submit: string
  protection: Protection | undefined
  failure?: Failure | undefined
  onBack: () => void
  onSubmit: (protection: Protection) => void
}) {
  const id = useId()
  const passphrase = useNewPassphrase(protection?.passphrase)
  const { field, submit } = useForm<'passphrase' | 'confirmation' | 'accountName'>({
    ...passphrase.rules,
    accountName: ({ accountName }: { accountName: string }) => accountNameError(accountName),
  })
  return (
    <Screen
      title={title}
      actions={
        <>
          <Button kind="secondary" onClick={onBack}>
            Back
          </Button>
          <Button type="submit" form={id}>
            {label}
          </Button>
        </>
      }
    >
      {failure && <FailureNotice failure={failure} />}
      <p>
        It unlocks the wallet on this device. We do not know it and cannot reset it. Nothing is
        saved until you finish.
      </p>
      <form
        id={id}
        method="post"
        noValidate
        onSubmit={submit(({ passphrase: chosen, accountName }) =>
          onSubmit({ passphrase: chosen, accountName: accountName.trim() }),
        )}
      >
        <Stack gap="fields">
          <NewPassphraseFields
            field={field}
            passphrase={passphrase}
            initial={protection?.passphrase}
          />
          <TextField
            {...field('accountName')}
            label="Account name"
            hint="Only you and the pages you connect to see it."
            autoComplete="off"
            defaultValue={protection?.accountName ?? 'Account 1'}
          />
        </Stack>
      </form>
    </Screen>
  )
}
