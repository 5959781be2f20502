import { NOTICES } from '@portico/contracts/notices'
import { createHostedAccount } from '@portico/contracts/wallet'
import { useCall } from '@portico/shell/use-call'
import { Dialog } from '@portico/ui/dialog'
import { useEnvironment } from '../../environment.ts'
import { AccountNameForm } from '../account-name-form/account-name-form.tsx'

/** `onCreated` receives the new account's address. */
export type CreateFigureProps = {
  supportPhone: string
  onBack: () => void
  onClose: () => void
  onCreated: (address: string) => void
}

/** The modal that names and creates a hosted account (§2.6, §4.8). */
export function CreateFigure({ supportPhone, onBack, onClose, onCreated }: CreateFigureProps) {
  const { client, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const create = (name: string) =>
    run(
      // Not aborted: the account is created even if the user leaves the form.
      () => client(createHostedAccount, { body: { name, default: true } }),
      ({ address }) => onCreated(address),
    )
  return (
    <Dialog open title="Give Your Account a Name" onClose={onClose}>
      <AccountNameForm
        hint="Only you can see it. You can change it later."
        busy={pending}
        failure={failure}
        rejection={failure && NOTICES.accountNotSubmitted}
        onName={create}
        onBack={onBack}
        supportPhone={supportPhone}
      />
    </Dialog>
  )
}
