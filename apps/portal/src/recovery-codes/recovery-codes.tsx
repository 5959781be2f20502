import { useFlow } from '@portico/flow/react'
import { type Account, ChangeDialog, useConfirmation } from '../confirmation/confirmation.tsx'
import { useEnvironment } from '../environment.ts'
import { type Result, recoveryCodes } from './recovery-codes.flow.ts'
import { recoveryCodesServices } from './recovery-codes.services.ts'
import { RecoveryCodesView } from './recovery-codes.view.tsx'

export function RecoveryCodes({
  account,
  company,
  left,
  onResult,
}: {
  account: Account
  company: string
  left: number
  onResult: (result: Result) => void
}) {
  const { copy, download, reportError } = useEnvironment()
  const { client, pendingConfirmation } = useConfirmation()
  const [state, send] = useFlow(recoveryCodes, {
    input: null,
    services: recoveryCodesServices({ client, company, copy, download, onResult }),
    report: reportError,
  })
  return (
    <ChangeDialog
      account={account}
      confirmation={pendingConfirmation}
      title="Recovery codes"
      onClose={state.step === 'making' ? undefined : () => send({ type: 'closed' })}
    >
      {state.step !== 'left' && (
        <RecoveryCodesView
          state={state}
          send={send}
          left={left}
          supportPhone={account.supportPhone}
        />
      )}
    </ChangeDialog>
  )
}
