import type { ApprovalResult } from '@portico/contracts/hosted-wallet'
import { useFlow } from '@portico/flow/react'
import type { ApprovalPrompt } from '../approval-prompt.ts'
import type { Connection } from '../connection-state.ts'
import { useEnvironment } from '../environment.ts'
import { approval } from './approval.flow.ts'
import { approvalServices } from './approval.services.ts'
import { ApprovalView, type ApprovalViewProps } from './approval.view.tsx'

/** Asks the user to approve one request and returns one result. Each request gets a new instance. */
export function Approval({
  prompt,
  waiting,
  commit,
  onAnswer,
  onLogIn,
  unlock,
}: {
  prompt: ApprovalPrompt
  /** The number of pending requests, including this one; it may change while this one is shown. */
  waiting: number
  commit: Connection['commit']
  onAnswer: (promptId: number, result: ApprovalResult | undefined) => void
  onLogIn: () => void
  unlock: ApprovalViewProps['unlock']
}) {
  const { keyStore, visibility, reportError } = useEnvironment()
  const [state, send] = useFlow(approval, {
    input: prompt,
    services: approvalServices({
      keyStore,
      visibility,
      commit: () => commit(prompt.id),
      onAnswer,
    }),
    report: reportError,
  })
  return (
    <ApprovalView state={state} send={send} onLogIn={onLogIn} waiting={waiting} unlock={unlock} />
  )
}
