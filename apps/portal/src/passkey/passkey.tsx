import type { Client } from '@portico/client/client'
import { addPasskey, beginPasskey, renamePasskey } from '@portico/contracts/account-security'
import { passkeyNameError } from '@portico/rules/field-errors'
import type { Failure } from '@portico/shell/failure'
import type { Passkeys } from '@portico/shell/passkeys'
import { TextField } from '@portico/ui/text-field'
import { Change, type FieldOf } from '../change/change.tsx'
import type { Account } from '../confirmation/confirmation.tsx'
import { useEnvironment } from '../environment.ts'

/** Said where a browser's window for a new passkey was left without one. */
const NOTHING_MADE: Failure = {
  notices: ['No passkey was made. Perhaps this device already has one for this account.'],
  calm: true,
}

/** What a dialog of passkeys takes; it hands back one result. */
type PasskeyProps = { account: Account; onResult: (result: 'changed' | 'closed') => void }

const rules = { name: ({ name = '' }) => passkeyNameError(name) }

/** Makes a passkey: the browser asks for it after the name. */
export function AddPasskey(props: PasskeyProps) {
  const { passkeys } = useEnvironment()
  return (
    <Change
      {...props}
      title="Add a passkey"
      text="A passkey signs you in with your fingerprint, face, PIN or security key. It takes the place of password and second step."
      button={{ label: 'Continue', busyLabel: 'Follow your browser…' }}
      rules={rules}
      fields={(field) => nameField(field)}
      change={(client, { name = '' }) => makePasskey(client, passkeys, name.trim())}
    />
  )
}

/** Gives a passkey another name. */
export function RenamePasskey({
  passkey: { uuid, name },
  ...props
}: PasskeyProps & { passkey: { uuid: string; name: string } }) {
  return (
    <Change
      {...props}
      title="Rename a passkey"
      text="The name tells your passkeys apart. Nobody else sees it."
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
    maxLength={60}
    autoComplete="off"
  />
)

/** Has the browser make a passkey and the server keep it. */
export async function makePasskey(
  client: Client,
  passkeys: Pick<Passkeys, 'make'>,
  name: string,
): Promise<Failure | undefined> {
  const { challengeUuid, options } = await client(beginPasskey, {})
  const response = await passkeys.make(options, new AbortController().signal)
  if (response === undefined) return NOTHING_MADE
  await client(addPasskey, { body: { challengeUuid, name, response } })
  return undefined
}
