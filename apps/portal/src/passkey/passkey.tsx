import type { Client } from '@portico/client/client'
import { addPasskey, beginPasskey, renamePasskey } from '@portico/contracts/account-security'
import { passkeyNameError } from '@portico/rules/field-errors'
import type { Failure } from '@portico/shell/failure'
import type { Passkeys } from '@portico/shell/passkeys'
import { TextField } from '@portico/ui/text-field'
import { type AccountChangeProps, Change, type FieldOf } from '../change/change.tsx'
import { useEnvironment } from '../environment.ts'

/** Shown if the browser's prompt was closed without creating a passkey. */
const NO_PASSKEY_CREATED: Failure = {
  notices: ['No passkey was created. This device may already have one for this account.'],
  isCanceled: true,
}

const rules = { name: ({ name = '' }) => passkeyNameError(name) }

/** Creates a passkey; the browser's prompt opens after the name is entered. */
export function AddPasskey(props: AccountChangeProps) {
  const { passkeys } = useEnvironment()
  return (
    <Change
      {...props}
      title="Add a passkey"
      text="A passkey signs you in with your fingerprint, face, PIN or security key. It replaces your password and second step."
      button={{ label: 'Continue', busyLabel: 'Follow your browser…' }}
      rules={rules}
      fields={nameField}
      change={(client, { name = '' }, signal) =>
        createPasskey(client, passkeys, name.trim(), signal)
      }
    />
  )
}

export function RenamePasskey({
  passkey: { uuid, name },
  ...props
}: AccountChangeProps & { passkey: { uuid: string; name: string } }) {
  return (
    <Change
      {...props}
      title="Rename a passkey"
      text="The name helps you tell your passkeys apart. No one else can see it."
      button={{ label: 'Save', busyLabel: 'Saving…' }}
      rules={rules}
      fields={(field) => nameField(field, name)}
      change={(client, values) =>
        client(renamePasskey, { body: { uuid, name: values.name?.trim() ?? '' } })
      }
    />
  )
}

const nameField = (field: FieldOf, name = '') => (
  <TextField
    {...field('name')}
    label="Name"
    hint="For example: my phone"
    defaultValue={name}
    autoComplete="off"
  />
)

/** Creates a passkey in the browser and registers it with the server. */
export async function createPasskey(
  client: Client,
  passkeys: Pick<Passkeys, 'create'>,
  name: string,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { challengeUuid, options } = await client(beginPasskey, { signal })
  const response = await passkeys.create(options, signal)
  if (response === undefined) return NO_PASSKEY_CREATED
  await client(addPasskey, { body: { challengeUuid, name, response } })
  return undefined
}
