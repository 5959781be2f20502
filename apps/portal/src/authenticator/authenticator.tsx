import { useFlow } from '@portico/flow/react'
import { type Account, ChangeDialog, useConfirmation } from '../confirmation/confirmation.tsx'
import { useEnvironment } from '../environment.ts'
import { authenticator, type Result } from './authenticator.flow.ts'
import { authenticatorServices } from './authenticator.services.ts'
import { AuthenticatorView } from './authenticator.view.tsx'

export function Authenticator({
  account,
  onResult,
}: {
  account: Account
  onResult: (result: Result) => void
}) {
  const { reportError } = useEnvironment()
  const { client, pendingConfirmation } = useConfirmation()
  const [state, send] = useFlow(authenticator, {
    input: null,
    services: authenticatorServices({ client, onResult }),
    report: reportError,
  })
  return (
    <ChangeDialog
      account={account}
      confirmation={pendingConfirmation}
      title="Set up an authenticator app"
      onClose={() => send({ type: 'closed' })}
    >
      {state.step !== 'left' && (
        <AuthenticatorView state={state} send={send} supportPhone={account.supportPhone} />
      )}
    </ChangeDialog>
  )
}
