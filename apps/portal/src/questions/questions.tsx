import { useFlow } from '@portico/flow/react'
import { type Account, ChangeDialog, useConfirmation } from '../confirmation/confirmation.tsx'
import { useEnvironment } from '../environment.ts'
import { questions, type Result } from './questions.flow.ts'
import { questionsServices } from './questions.services.ts'
import { QuestionsView } from './questions.view.tsx'

export function Questions({
  account,
  onResult,
}: {
  account: Account
  onResult: (result: Result) => void
}) {
  const { reportError } = useEnvironment()
  const { client, pendingConfirmation } = useConfirmation()
  const [state, send] = useFlow(questions, {
    input: null,
    services: questionsServices({ client, onResult }),
    report: reportError,
  })
  return (
    <ChangeDialog
      account={account}
      confirmation={pendingConfirmation}
      title="Recovery questions"
      wide
      onClose={() => send({ type: 'closed' })}
    >
      {state.step !== 'left' && (
        <QuestionsView state={state} send={send} supportPhone={account.supportPhone} />
      )}
    </ChangeDialog>
  )
}
