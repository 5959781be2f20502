import type { ApprovalResult } from '@portico/contracts/hosted-wallet'
import { useFlow } from '@portico/flow/react'
import type { Question } from '../approval-request.ts'
import { useEnvironment } from '../environment.ts'
import { approval } from './approval.flow.ts'
import { approvalServices } from './approval.services.ts'
import { ApprovalView, type ApprovalViewProps } from './approval.view.tsx'

/** Puts one question of a page to the person; hands back one answer. A further question is another component. */
export function Approval({
  question,
  waiting,
  onAnswer,
  onLogIn,
  unlock,
}: {
  question: Question
  /** How many requests wait, this one included; it changes while the question is shown. */
  waiting: number
  onAnswer: (questionId: number, result: ApprovalResult | undefined) => void
  onLogIn: () => void
  unlock: ApprovalViewProps['unlock']
}) {
  const { keeper, sight, reportError } = useEnvironment()
  const [state, send] = useFlow(approval, {
    input: question,
    services: approvalServices({ keeper, sight, onAnswer }),
    report: reportError,
  })
  return (
    <ApprovalView state={state} send={send} onLogIn={onLogIn} waiting={waiting} unlock={unlock} />
  )
}
