import { shortAddress } from '@portico/rules/short-address'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { CardOption, CardSelect } from '@portico/ui/card-select'
import { Checkbox } from '@portico/ui/checkbox'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { type ReactNode, useCallback } from 'react'
import type { ActRequest, Choice, ConnectRequest, Question } from '../approval-request.ts'
import { Fact } from '../facts.tsx'
import { FailureNotice } from '../failure-notice.tsx'
import { Screen } from '../screen.tsx'
import {
  type ApprovalDetails,
  type Event,
  isRisky,
  isUnread,
  mayApprove,
  type State,
} from './approval.flow.ts'
import styles from './approval.module.css'
import { ApprovalDetailsView } from './approval-details.tsx'
import { approveWords, PROOF_REASONS, sentenceOf, spanOf, titleOf } from './request-text.ts'

/** What a question shows. */
export type ApprovalViewProps = {
  state: State
  send: (event: Event) => void
  onLogIn: () => void
  /** How many requests wait, this one included. */
  waiting: number
  /** What opens the wallet where it is locked, or proves who the person is for an approval. */
  unlock: (onUnlocked: () => void, approvalId?: string) => ReactNode
}

/** Who asks, what would happen, and the two answers: reject left, approve right. */
export function ApprovalView({ state, send, onLogIn, waiting, unlock }: ApprovalViewProps) {
  const reject = (
    <Button kind="secondary" onClick={() => send({ type: 'rejected' })}>
      Reject
    </Button>
  )
  switch (state.step) {
    case 'answered':
      return null
    case 'preparing':
      return (
        <Screen title={titleOf(state.question)} actions={reject}>
          <Skeleton shape="text" count={4} label="Reading what would be signed" />
        </Screen>
      )
    case 'stopped':
      return (
        <Screen
          title={titleOf(state.question)}
          actions={
            <>
              {reject}
              <Button onClick={() => send({ type: 'retried' })}>Try again</Button>
            </>
          }
        >
          <FailureNotice failure={state.failure} onLogIn={onLogIn} />
        </Screen>
      )
    case 'locked':
      return (
        <Screen title="Your wallet is locked" actions={reject}>
          <p>
            <PageOrigin origin={state.question.origin} /> asks for something. You will see it as
            soon as the wallet is open.
          </p>
          {unlock(() => send({ type: 'unlocked' }))}
        </Screen>
      )
    case 'proving':
      return (
        <Screen
          title="Confirm that it is you"
          actions={
            <Button kind="secondary" onClick={() => send({ type: 'proofLeft' })}>
              Back
            </Button>
          }
        >
          <p>For: {titleOf(state.question, state.matter).replace(/\?$/, '')}.</p>
          {unlock(() => send({ type: 'proven' }), state.matter.approvalId)}
        </Screen>
      )
    case 'doubtful':
      return (
        <Screen
          title="Was it sent?"
          actions={<Button onClick={() => send({ type: 'rejected' })}>I understand</Button>}
        >
          <FailureNotice failure={state.failure} onLogIn={onLogIn} />
          <p>
            We do not know whether the transaction reached the network. Check your balance before
            you ask for it again, so that nothing is sent twice.
          </p>
        </Screen>
      )
    case 'appearing':
    case 'asking':
    case 'approving':
      return <Asking state={state} send={send} waiting={waiting} />
  }
}

function Asking({
  state,
  send,
  waiting,
}: {
  state: Extract<State, { step: 'appearing' | 'asking' | 'approving' }>
  send: (event: Event) => void
  waiting: number
}) {
  const { step, question, matter, review } = state
  const words = approveWords(question)
  const proof = matter.kind === 'act' ? matter.proof : null
  const still = step !== 'appearing'
  const possible = matter.kind === 'act' || matter.chosen !== undefined
  const end = useEnd(() => send({ type: 'endSeen' }))
  return (
    <Screen
      title={titleOf(question, matter)}
      note={waiting > 1 ? `1 of ${waiting}` : undefined}
      actions={
        <>
          <Button
            kind="secondary"
            disabled={!still || step === 'approving'}
            onClick={() => send({ type: 'rejected' })}
          >
            Reject
          </Button>
          {possible && (
            <Button
              disabled={!still || !mayApprove(state)}
              busy={step === 'approving'}
              busyLabel={words.busy}
              aria-describedby="approval-hint"
              onKeyDown={keepEnter}
              onClick={() => send({ type: 'approved' })}
            >
              {proof === null ? words.label : 'Confirm first'}
            </Button>
          )}
        </>
      }
      hint={
        <p id="approval-hint" className={styles.hint} role="status">
          {isUnread(state) && 'Scroll to the end to approve.'}
        </p>
      }
    >
      <p>
        <PageOrigin origin={question.origin} /> {sentence(question, matter)}
      </p>
      {question.origin === undefined && (
        <Alert tone="warn">
          <p>We could not verify which page asks. Reject this unless you started it yourself.</p>
        </Alert>
      )}
      {question.kind === 'connect' ? (
        <Connecting
          question={question}
          chosen={matter.kind === 'connect' ? matter.chosen : undefined}
          onChoose={(value) => send({ type: 'chosen', value })}
        />
      ) : (
        matter.kind === 'act' && (
          <ApprovalDetailsView words={matter.words} signer={<Signer question={question} />} />
        )
      )}
      {proof !== null && (
        <Alert tone="info">
          <p>{PROOF_REASONS[proof]}</p>
        </Alert>
      )}
      {isRisky(matter) && (
        <Checkbox
          label="I trust this page and approve what the wallet cannot read."
          checked={review.riskAccepted}
          onChange={({ currentTarget }) =>
            send({ type: 'riskAnswered', accepted: currentTarget.checked })
          }
        />
      )}
      <div ref={end} className={styles.end} />
    </Screen>
  )
}

/** The page's origin as the browser says it, or that it does not. */
function PageOrigin({ origin }: { origin: string | undefined }) {
  return origin === undefined ? (
    <strong>An unknown page</strong>
  ) : (
    <>
      <strong>{origin}</strong> <span className={styles.verified}>(verified)</span>
    </>
  )
}

/** A form is sent by Enter, a transaction is not: someone who types on must not approve what has just appeared. */
function keepEnter(event: { key: string; preventDefault: () => void }): void {
  if (event.key === 'Enter') event.preventDefault()
}

/** Watches whether an element, the end of what is to be read, comes into sight. */
function useEnd(onSeen: () => void) {
  return useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined
      const observer = new IntersectionObserver((entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen()
      })
      observer.observe(element)
      return () => observer.disconnect()
    },
    // What it calls is the same for as long as the question is shown.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [],
  )
}

function sentence(question: Question, matter: ApprovalDetails): string {
  if (matter.kind === 'act') return sentenceOf(matter.words)
  return question.kind === 'connect' && question.choices.length === 0
    ? 'wants an account or an organization that this wallet does not have.'
    : 'wants to see your account and to ask you for signatures.'
}

function Connecting({
  question: { choices, lifetimeS },
  chosen,
  onChoose,
}: {
  question: ConnectRequest
  chosen: Choice | undefined
  onChoose: (value: string) => void
}) {
  if (choices.length === 0) {
    return <p>Log in as the person who has it, or connect from the page again.</p>
  }
  const own = choices.filter(({ group }) => group === null)
  const groups = choices.filter(({ group }) => group !== null)
  return (
    <Stack>
      <CardSelect label="Account to connect" value={chosen?.value} onChange={onChoose}>
        {own.length > 0 && <h2 className={styles.heading}>Individual Accounts</h2>}
        {own.map(({ value, account }) => (
          <CardOption
            key={value}
            value={value}
            title={account.name}
            detail={shortAddress(account.address)}
          />
        ))}
        {groups.length > 0 && <h2 className={styles.heading}>Organizational Accounts</h2>}
        {groups.map(({ value, account, group }) => (
          <CardOption
            key={value}
            value={value}
            title={group?.name}
            detail={shortAddress(group?.address ?? '')}
            note={`Signing as ${account.name}`}
          />
        ))}
      </CardSelect>
      <p className={styles.heading}>
        The page can prove for {spanOf(lifetimeS)} that you are connected. You are asked again
        before every signature.
      </p>
    </Stack>
  )
}

function Signer({ question: { acting, request } }: { question: ActRequest }) {
  const { account, group } = acting
  // Who is acted for now is what changes, so it is shown beside what it changes to.
  if (request.kind === 'switch-group') {
    return (
      <>
        <Fact label="Until now" {...(group ?? account)} />
        {request.group === null && <Fact label="From now on" {...account} />}
      </>
    )
  }
  return (
    <>
      <Fact label="Signing as" {...account} />
      {group && <Fact label="Acting for" {...group} />}
    </>
  )
}
