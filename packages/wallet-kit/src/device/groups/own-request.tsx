import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
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
import { UntrustedText } from '../../untrusted-text.tsx'

/** A request that the user makes in the wallet itself. */
export interface OwnRequest {
  readonly acting: ActingAs
  readonly request: ApprovalRequest
  /** What the outcome is called, such as 'You voted yes'. */
  readonly done: string
}

/** No page can withdraw it. */
const OWN: CurrentRequest = { commit: async () => true, release: () => undefined }

/** Asks for the approval of the wallet's own request like for that of a page, and shows the outcome. */
export function OwnRequestApproval({
  request: { acting, request, done },
  onDone,
}: {
  request: OwnRequest
  onDone: () => void
}) {
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
        // The whole wallet is locked at the same time, and asks for the passphrase itself.
        unlock={() => null}
      />
    )
  }
  const decision = decisionOf(prompt, result)
  return (
    <Screen
      title={decision.how === 'agreed' ? done : decisionTitle(decision)}
      actions={<Button onClick={onDone}>Done</Button>}
    >
      <Outcome tone={DECISION_TONES[decision.how]}>{OUTCOMES[decision.how]}</Outcome>
      {decision.how === 'failed' && (
        <p>
          <UntrustedText>{logIn(result)}</UntrustedText>
        </p>
      )}
    </Screen>
  )
}

const OUTCOMES = {
  agreed: 'The network has recorded it.',
  proposed: 'The other members of the group vote in their wallets. You find it under Groups.',
  failed: 'Nothing was changed besides the fee.',
  unknown: 'We do not know whether it reached the network. Check Activity in a minute.',
  refused: 'Nothing was sent.',
} as const

/** The node's reason. */
function logIn(result: Exclude<PromptAnswer, undefined>): string {
  const log =
    typeof result === 'object' && 'txResponse' in result ? result.txResponse['rawLog'] : undefined
  return typeof log === 'string' ? log : ''
}
