import {
  disconnectProvider,
  endSessions,
  removePasskey,
  removePhone,
  removeTotp,
  setEmailFactor,
} from '@portico/contracts/account-security'
import { formatPhone } from '@portico/rules/phone'
import { NewPasswordForm } from '@portico/shell/new-password'
import { DeleteAccount, EmailAddress, ExportData } from '../account-data/account-data.tsx'
import { Authenticator } from '../authenticator/authenticator.tsx'
import {
  type AccountChangeProps,
  Change,
  ChangeDialog,
  useConfirmation,
} from '../change/change.tsx'
import { useEnvironment } from '../environment.ts'
import { AddPasskey, RenamePasskey } from '../passkey/passkey.tsx'
import { Phone } from '../phone/phone.tsx'
import { Questions } from '../questions/questions.tsx'
import { RecoveryCodes } from '../recovery-codes/recovery-codes.tsx'
import type { SelectedChange } from './security.flow.ts'

export type ChangesProps = AccountChangeProps & {
  change: SelectedChange
  company: string
  recoveryCodesLeft: number
}

const REMOVING = { label: 'Remove', busyLabel: 'Removing…' }
const LOGGING_OUT = { label: 'Log out', busyLabel: 'Logging out…' }

/** The dialog of the selected change. */
export function Changes({ change, account, company, recoveryCodesLeft, onResult }: ChangesProps) {
  const common = { account, onResult }
  switch (change.kind) {
    case 'email':
      return <EmailAddress {...common} />
    case 'exportData':
      return <ExportData {...common} />
    case 'deleteAccount':
      return <DeleteAccount {...common} company={company} />
    case 'password':
      return <Password {...common} />
    case 'addTotp':
      return <Authenticator {...common} />
    case 'removeTotp':
      return (
        <Change
          {...common}
          title="Remove your authenticator app"
          text="The codes it shows will no longer sign you in."
          button={REMOVING}
          change={(client) => client(removeTotp, {})}
        />
      )
    case 'addPhone':
      return <Phone {...common} />
    case 'removePhone':
      return (
        <Change
          {...common}
          title="Remove a phone"
          text={`We will no longer text codes to ${formatPhone(change.value)}.`}
          button={REMOVING}
          change={(client) => client(removePhone, { body: { alias: change.alias } })}
        />
      )
    case 'emailFactor':
      return (
        <Change
          {...common}
          title={change.enabled ? 'Turn on codes by email' : 'Turn off codes by email'}
          text={
            change.enabled
              ? `At the second step you can have a code sent to ${account.email}.`
              : `At the second step no code will be sent to ${account.email}.`
          }
          button={{ label: change.enabled ? 'Turn on' : 'Turn off', busyLabel: 'Saving…' }}
          change={(client) => client(setEmailFactor, { body: { enabled: change.enabled } })}
        />
      )
    case 'addPasskey':
      return <AddPasskey {...common} />
    case 'renamePasskey':
      return <RenamePasskey {...common} passkey={change} />
    case 'removePasskey':
      return (
        <Change
          {...common}
          title="Remove a passkey"
          text={`${change.name} will no longer sign you in. Your device may keep offering it until you remove it there too.`}
          button={REMOVING}
          change={(client) => client(removePasskey, { body: { uuid: change.uuid } })}
        />
      )
    case 'disconnectProvider':
      return (
        <Change
          {...common}
          title={`Disconnect ${change.name}`}
          text={`You will log in with your password or a one-time passcode. Logging in with ${change.name} asks you to connect it again.`}
          button={{ label: 'Disconnect', busyLabel: 'Disconnecting…' }}
          change={(client) => client(disconnectProvider, { body: { uuid: change.uuid } })}
        />
      )
    case 'recoveryCodes':
      return <RecoveryCodes {...common} company={company} left={recoveryCodesLeft} />
    case 'questions':
      return <Questions {...common} />
    case 'endSession':
      return (
        <Change
          {...common}
          title="Log out a device"
          text={`${change.device} will have to log in again.`}
          button={LOGGING_OUT}
          change={(client) => client(endSessions, { body: { uuid: change.uuid } })}
        />
      )
    case 'endSessions':
      return (
        <Change
          {...common}
          title={change.which === 'all' ? 'Log out everywhere' : 'Log out everywhere else'}
          text={
            change.which === 'all'
              ? 'Every device will have to log in again, including this one.'
              : 'Every device but this one will have to log in again.'
          }
          button={LOGGING_OUT}
          change={(client) => client(endSessions, { body: { which: change.which } })}
        />
      )
  }
}

function Password({ account, onResult }: AccountChangeProps) {
  const { reportError } = useEnvironment()
  const { client, pendingConfirmation } = useConfirmation()
  return (
    <ChangeDialog
      account={account}
      confirmation={pendingConfirmation}
      purpose="password"
      title={account.hasPassword ? 'Change password' : 'Set a password'}
      onClose={() => onResult('closed')}
    >
      <NewPasswordForm
        client={client}
        reportError={reportError}
        email={account.email}
        supportPhone={account.supportPhone}
        button={{ label: 'Save password', busyLabel: 'Saving your password…' }}
        onResult={(result) => onResult(result === 'set' ? 'changed' : 'closed')}
      />
    </ChangeDialog>
  )
}
