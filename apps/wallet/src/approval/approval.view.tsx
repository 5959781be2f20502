import { shortAddress } from '@portico/rules/short-address'
import { Button } from '@portico/ui/button'
import { CardOption, CardSelect } from '@portico/ui/card-select'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import { Fact, Facts } from '../facts.tsx'
import { FailureNotice } from '../failure-notice.tsx'
import type { ActQuestion, Choice, ConnectQuestion, Question } from '../question.ts'
import { Screen } from '../screen.tsx'
import type { Event, Matter, State } from './approval.flow.ts'
import styles from './approval.module.css'
import { WordsOfMatter } from './matter.tsx'
import { approveWords, sentenceOf, spanOf, titleOf } from './question-words.ts'

/** What a question shows. */
export type ApprovalViewProps = {
  state: State
  send: (event: Event) => void
  onLogIn: () => void
  /** What opens the wallet where it is locked. */
  unlock: (onUnlocked: () => void) => ReactNode
}

/** Who asks, what would happen, and the two answers: reject left, approve right. */
export function ApprovalView({ state, send, onLogIn, unlock }: ApprovalViewProps) {
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
            <strong>{state.question.origin}</strong> asks for something. It is shown to you as soon
            as the wallet is open.
          </p>
          {unlock(() => send({ type: 'unlocked' }))}
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
            We do not know whether the transaction reached the chain. Look at your balance before
            you ask for it again, so that nothing is sent twice.
          </p>
        </Screen>
      )
    case 'appearing':
    case 'asking':
    case 'approving':
      return <Asking state={state} send={send} />
  }
}

function Asking({
  state: { step, question, matter },
  send,
}: {
  state: Extract<State, { matter: Matter }>
  send: (event: Event) => void
}) {
  const { label, busy } = approveWords(question)
  const still = step !== 'appearing'
  const possible = matter.kind === 'act' || matter.chosen !== undefined
  return (
    <Screen
      title={titleOf(question)}
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
              disabled={!still}
              busy={step === 'approving'}
              busyLabel={busy}
              onClick={() => send({ type: 'approved' })}
            >
              {label}
            </Button>
          )}
        </>
      }
    >
      <p>
        <strong>{question.origin}</strong> {sentence(question, matter)}
      </p>
      {question.kind === 'connect' ? (
        <Connecting
          question={question}
          chosen={matter.kind === 'connect' ? matter.chosen : undefined}
          onChoose={(value) => send({ type: 'chosen', value })}
        />
      ) : (
        <>
          {matter.kind === 'act' && <WordsOfMatter words={matter.words} />}
          <Signer question={question} />
        </>
      )}
    </Screen>
  )
}

function sentence(question: Question, matter: Matter): string {
  if (matter.kind === 'act') return sentenceOf(matter.words)
  return question.kind === 'connect' && question.choices.length === 0
    ? 'wants an account or a group that this wallet does not have.'
    : 'wants to know your account and to ask you for signatures.'
}

function Connecting({
  question: { choices, lifetimeS },
  chosen,
  onChoose,
}: {
  question: ConnectQuestion
  chosen: Choice | undefined
  onChoose: (value: string) => void
}) {
  if (choices.length === 0) {
    return <p>Log in as somebody who has it, or connect from the page again.</p>
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
        The page can prove that you are there for {spanOf(lifetimeS)}. Every signature is asked of
        you again.
      </p>
    </Stack>
  )
}

function Signer({ question: { acting, request } }: { question: ActQuestion }) {
  const { account, group } = acting
  // Who is acted for now is what changes, so it is said beside what it changes to.
  if (request.kind === 'switch-group') {
    return (
      <Facts>
        <Fact label="Until now" {...(group ?? account)} />
        {request.group === null && <Fact label="From now on" {...account} />}
      </Facts>
    )
  }
  return (
    <Facts>
      <Fact label="Signing as" {...account} />
      {group && <Fact label="Acting for" {...group} />}
    </Facts>
  )
}
