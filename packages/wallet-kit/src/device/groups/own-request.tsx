import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import { chainErrorText, proposalErrorText } from '@portico/rules/wallet-error'
import { Button } from '@portico/ui/button'
import { useState } from 'react'
import { Approval } from '../../approval/approval.tsx'
import { DECISION_TONES, decisionTitle } from '../../approval/outcome-text.ts'
import {
  type ActingAs,
  type ActRequest,
  decisionOf,
  OWN_ORIGIN,
  type PromptAnswer,
} from '../../approval-prompt.ts'
import { Outcome } from '../../outcome.tsx'
import type { CurrentRequest } from '../../request-source.ts'
import { Screen } from '../../screen.tsx'
import { useGroupsEnvironment } from './groups-environment.ts'

/** A request that the user makes in the wallet itself. */
export interface OwnRequest {
  readonly acting: ActingAs
  readonly request: ApprovalRequest
  /** The title after success, such as 'You voted yes'. */
  readonly done: string
}

/** No page can withdraw it. */
const OWN: CurrentRequest = { commit: async () => true, release: () => undefined }

/** Prompts the user for a request of the wallet itself, as for a request of a page, and shows the outcome. */
export function OwnRequestApproval({
  request: { acting, request, done },
  onDone,
}: {
  request: OwnRequest
  onDone: () => void
}) {
  const { unlock, onLogIn } = useGroupsEnvironment()
  const [prompt] = useState<ActRequest>(() => ({
    kind: 'act',
    id: `wallet:${crypto.randomUUID()}`,
    origin: OWN_ORIGIN,
    waiting: 1,
    acting,
    request,
  }))
  const [result, setResult] = useState<PromptAnswer>()
  if (result === undefined) {
    return (
      <Approval
        prompt={prompt}
        waiting={1}
        currentRequest={OWN}
        onAnswer={(_, answer) => (answer === undefined ? onDone() : setResult(answer))}
        unlock={unlock}
        onLogIn={onLogIn}
      />
    )
  }
  const decision = decisionOf(prompt, result)
  const log = failureLog(result)
  if (log !== undefined && log.isExecution) {
    return (
      <Screen title="It could not be carried out" actions={<Button onClick={onDone}>Done</Button>}>
        <Outcome tone="warn">
          The group agreed, and your vote counts. Try again under Groups once the problem is solved.
        </Outcome>
        <p>{proposalErrorText(log.text)}</p>
      </Screen>
    )
  }
  return (
    <Screen
      title={decision.how === 'agreed' ? done : decisionTitle(decision)}
      actions={<Button onClick={onDone}>Done</Button>}
    >
      <Outcome tone={DECISION_TONES[decision.how]}>{OUTCOMES[decision.how]}</Outcome>
      {log && <p>{chainErrorText(log.text)}</p>}
    </Screen>
  )
}

const OUTCOMES = {
  agreed: 'The network has recorded it.',
  proposed: 'The other members of the group vote in their wallets. You can find it under Groups.',
  failed: 'Nothing changed except for the fee.',
  unknown: 'We do not know whether it reached the network. Check Activity in a minute.',
  refused: 'Nothing was sent.',
} as const

/** The node's reason; undefined if nothing failed. `isExecution`: the vote counts, but the proposal failed. */
function failureLog(
  result: Exclude<PromptAnswer, undefined>,
): { readonly text: string; readonly isExecution: boolean } | undefined {
  if (typeof result !== 'object' || !('txResponse' in result)) return undefined
  const { code = 0, codespace, rawLog } = result.txResponse
  if (code === 0) return undefined
  return {
    text: typeof rawLog === 'string' ? rawLog : '',
    isExecution: codespace === 'portico' && code === 1,
  }
}
