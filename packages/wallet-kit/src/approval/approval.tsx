import { useFlow } from '@portico/flow/react'
import { useEffect } from 'react'
import type { ApprovalPrompt, PromptAnswer } from '../approval-prompt.ts'
import { useWalletEnvironment } from '../environment.ts'
import type { CurrentRequest } from '../request-source.ts'
import { approval } from './approval.flow.ts'
import { approvalServices } from './approval.services.ts'
import { ApprovalView, type ApprovalViewProps } from './approval.view.tsx'

/** Asks the user to approve one request and returns one result. Each request gets a new instance. */
export function Approval({
  prompt,
  waiting,
  currentRequest,
  onAnswer,
  onLogIn,
  unlock,
  isLocked = false,
}: {
  prompt: ApprovalPrompt
  /** The number of pending requests, including this one; it may change while this one is shown. */
  waiting: number
  currentRequest: CurrentRequest
  onAnswer: (promptId: string, result: PromptAnswer) => void
  /** Undefined if the wallet needs no login. */
  onLogIn?: (() => void) | undefined
  unlock: ApprovalViewProps['unlock']
  /** Whether the wallet is known to be locked or unlocked elsewhere, for example after inactivity. */
  isLocked?: boolean
}) {
  const { keyKeeper, visibility, reportError } = useWalletEnvironment()
  const [state, send] = useFlow(approval, {
    input: prompt,
    services: approvalServices({
      prompt,
      keyKeeper,
      visibility,
      commit: () => currentRequest.commit(prompt.id),
      release: () => currentRequest.release(prompt.id),
      onAnswer,
    }),
    report: reportError,
  })
  useEffect(() => send({ type: isLocked ? 'locked' : 'unlocked' }), [isLocked, send])
  return (
    <ApprovalView state={state} send={send} onLogIn={onLogIn} waiting={waiting} unlock={unlock} />
  )
}
