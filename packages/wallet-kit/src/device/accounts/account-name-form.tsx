import { accountNameError } from '@portico/rules/field-errors'
import { focusHere, useForm } from '@portico/shell/form'
import { useCall } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { TextField } from '@portico/ui/text-field'
import { useId } from 'react'
import { FailureNotice } from '../../failure-notice.tsx'
import type { WalletAccount } from '../../key-keeper.ts'
import { Screen } from '../../screen.tsx'
import { useDeviceEnvironment } from '../environment.ts'

export type AccountForm =
  | { readonly kind: 'create'; readonly number: number }
  | { readonly kind: 'rename'; readonly account: WalletAccount }

/** Names a new account, or renames one. */
export function AccountNameForm({ form, onDone }: { form: AccountForm; onDone: () => void }) {
  const { keeper, reportError } = useDeviceEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const id = useId()
  const { field, submit } = useForm({ name: ({ name }) => accountNameError(name) })
  const isNew = form.kind === 'create'
  return (
    <Screen
      title={isNew ? 'Create an account' : 'Rename the account'}
      actions={
        <>
          <Button kind="secondary" disabled={pending} onClick={onDone}>
            Back
          </Button>
          <Button
            type="submit"
            form={id}
            busy={pending}
            busyLabel={isNew ? 'Creating…' : 'Saving…'}
          >
            {isNew ? 'Create' : 'Save'}
          </Button>
        </>
      }
    >
      {failure && <FailureNotice failure={failure} />}
      <p>
        {isNew
          ? 'Your recovery words restore this account too, so there is nothing new to write down.'
          : 'Connected pages see the new name the next time they connect.'}
      </p>
      <form
        id={id}
        method="post"
        noValidate
        onSubmit={submit(({ name }) =>
          run(
            () =>
              form.kind === 'create'
                ? keeper.create({ name: name.trim() })
                : keeper.rename({ address: form.account.address, name: name.trim() }),
            onDone,
          ),
        )}
      >
        <TextField
          {...field('name')}
          ref={focusHere}
          label="Account name"
          autoComplete="off"
          defaultValue={isNew ? `Account ${form.number}` : form.account.name}
        />
      </form>
    </Screen>
  )
}
