import { useFlow } from '@portico/flow/react'
import { type Account, ChangeDialog, useConfirmation } from '../confirmation/confirmation.tsx'
import { useEnvironment } from '../environment.ts'
import { phone, type Result } from './phone.flow.ts'
import { phoneServices } from './phone.services.ts'
import { PhoneView } from './phone.view.tsx'

export function Phone({
  account,
  onResult,
}: {
  account: Account
  onResult: (result: Result) => void
}) {
  const { reportError } = useEnvironment()
  const { client, pendingConfirmation } = useConfirmation()
  const [state, send] = useFlow(phone, {
    input: null,
    services: phoneServices({ client, onResult }),
    report: reportError,
  })
  return (
    <ChangeDialog
      account={account}
      confirmation={pendingConfirmation}
      title="Add a phone"
      onClose={() => send({ type: 'closed' })}
    >
      {state.step !== 'left' && (
        <PhoneView state={state} send={send} supportPhone={account.supportPhone} />
      )}
    </ChangeDialog>
  )
}
