import { shortAddress } from '@portico/rules/short-address'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { CardOption, CardSelect } from '@portico/ui/card-select'
import { Checkbox } from '@portico/ui/checkbox'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { type ReactNode, useCallback, useSyncExternalStore } from 'react'
import {
  type ActRequest,
  type ApprovalPrompt,
  audienceOf,
  type Choice,
  type ConnectRequest,
} from '../approval-prompt.ts'
import { Fact, Facts } from '../facts.tsx'
import { FailureNotice } from '../failure-notice.tsx'
import { Screen } from '../screen.tsx'
import { UntrustedText } from '../untrusted-text.tsx'
import {
  type ApprovalDetails,
  type Event,
  highFee,
  isRisky,
  isUnread,
  mayApprove,
  type State,
} from './approval.flow.ts'
import styles from './approval.module.css'
import { ApprovalDetailsView } from './approval-details.tsx'
import { PageOrigin } from './page-origin.tsx'
import {
  formatDuration,
  proofText,
  sentenceOf,
  siteWarning,
  textsOf,
  titleOf,
} from './request-text.ts'

export type ApprovalViewProps = {
  state: State
  send: (event: Event) => void
  /** Undefined if the wallet needs no login. */
  onLogIn?: (() => void) | undefined
  /** The number of pending requests, including this one. */
  waiting: number
  /** Renders the form that unlocks the wallet, or confirms the user's identity for an approval. */
  unlock: (onUnlocked: () => void, approvalId?: string) => ReactNode
}

/** The requesting page, the effect of the request, and two buttons: reject left, approve right. */
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
        <Screen title={titleOf(state.prompt)} actions={reject}>
          <Skeleton shape="text" count={4} label="Reading what would be signed" />
        </Screen>
      )
    case 'stopped':
      return (
        <Screen
          title={titleOf(state.prompt)}
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
            <PageOrigin origin={state.prompt.origin} /> sent a request. You will see it as soon as
            you unlock the wallet.
          </p>
          {unlock(() => send({ type: 'unlocked' }))}
        </Screen>
      )
    case 'proving':
      return (
        <Screen
          title="Confirm it's you"
          actions={
            <Button kind="secondary" onClick={() => send({ type: 'proofCancelled' })}>
              Back
            </Button>
          }
        >
          <p>For: {titleOf(state.prompt, state.details).replace(/\?$/, '')}.</p>
          {unlock(() => send({ type: 'proven' }), state.details.approvalId)}
        </Screen>
      )
    case 'outcomeUnknown':
      return (
        <Screen
          title="Was it sent?"
          actions={<Button onClick={() => send({ type: 'acknowledged' })}>I understand</Button>}
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
      return (
        <Asking
          state={state}
          send={send}
          waiting={waiting}
          accountAdvice={
            onLogIn === undefined
              ? 'Create or restore that account in this wallet, or use the wallet that has it.'
              : 'Log in as the owner of that account, or connect from the page again.'
          }
        />
      )
  }
}

function Asking({
  state,
  send,
  waiting,
  accountAdvice,
}: {
  state: Extract<State, { step: 'appearing' | 'asking' | 'approving' }>
  send: (event: Event) => void
  waiting: number
  /** What to do if this wallet has no account that meets the page's requirements. */
  accountAdvice: string
}) {
  const { step, prompt, details, review } = state
  const { label, busyLabel } = textsOf(prompt)
  const proof = details.kind === 'act' ? details.proof : null
  const isSettled = step !== 'appearing'
  const isPossible = details.kind === 'act' || details.chosen !== undefined
  const fee = highFee(details)
  const isFocused = useWindowFocus()
  const end = useEndObserver(() => send({ type: 'endSeen' }))
  return (
    <Screen
      title={titleOf(prompt, details)}
      note={waiting > 1 ? `1 of ${waiting}` : undefined}
      actions={
        <>
          <Button
            kind="secondary"
            disabled={!isSettled || step === 'approving'}
            onClick={() => send({ type: 'rejected' })}
          >
            Reject
          </Button>
          {isPossible && (
            <Button
              disabled={!isSettled || !mayApprove(state)}
              busy={step === 'approving'}
              busyLabel={busyLabel}
              aria-describedby="approval-hint"
              onKeyDown={ignoreEnter}
              onClick={() => send({ type: 'approved' })}
            >
              {proof === null ? label : 'Confirm first'}
            </Button>
          )}
        </>
      }
      hint={
        <p id="approval-hint" className={styles.hint} role="status">
          {hintOf(state, isFocused)}
        </p>
      }
    >
      <p>
        <PageOrigin origin={prompt.origin} /> {sentence(prompt, details)}
      </p>
      {prompt.origin === undefined && (
        <Alert tone="warn">
          <p>
            We could not verify which page sent this request. Reject it unless you started it
            yourself.
          </p>
        </Alert>
      )}
      {details.kind === 'act' && (
        <SiteWarning warning={siteWarning(details.words, audienceOf(prompt))} />
      )}
      {prompt.origin === undefined && prompt.claimed && <Claim {...prompt.claimed} />}
      {prompt.kind === 'connect' ? (
        <Connecting
          prompt={prompt}
          chosen={details.kind === 'connect' ? details.chosen : undefined}
          accountAdvice={accountAdvice}
          onChoose={(value) => send({ type: 'chosen', value })}
        />
      ) : (
        details.kind === 'act' && (
          <ApprovalDetailsView words={details.words} signer={<Signer prompt={prompt} />} />
        )
      )}
      {proof !== null && details.kind === 'act' && (
        <Alert tone="info">
          <p>{proofText(proof, details.words)}</p>
        </Alert>
      )}
      {isRisky(details) && (
        <Checkbox
          label="I trust this page and approve what the wallet cannot read."
          checked={review.riskAccepted}
          onChange={({ currentTarget }) =>
            send({ type: 'riskAnswered', accepted: currentTarget.checked })
          }
        />
      )}
      {fee !== undefined && (
        <Checkbox
          label={`I agree to pay a network fee of ${fee}.`}
          checked={review.feeAccepted}
          onChange={({ currentTarget }) =>
            send({ type: 'feeAnswered', accepted: currentTarget.checked })
          }
        />
      )}
      <div ref={end} className={styles.end} />
    </Screen>
  )
}

function SiteWarning({ warning }: { warning: string | undefined }) {
  if (warning === undefined) return null
  return (
    <Alert tone="warn">
      <p>
        <UntrustedText>{warning}</UntrustedText>
      </p>
    </Alert>
  )
}

/** What a page of unknown origin says about itself, which anyone can say. */
function Claim({ name, url }: { name: string; url: string }) {
  if (name === '' && url === '') return null
  return (
    <Facts>
      <Fact label="Calls itself">
        <span>
          <UntrustedText>{name === '' ? url : name}</UntrustedText>
          {name !== '' && url !== '' && (
            <span className={styles.claim}>
              <UntrustedText>{url}</UntrustedText>
            </span>
          )}
          <span className={styles.claim}>Not verified</span>
        </span>
      </Fact>
    </Facts>
  )
}

/** What the user has to do before the buttons are enabled. */
function hintOf(
  state: Extract<State, { step: 'appearing' | 'asking' | 'approving' }>,
  isFocused: boolean,
): string | undefined {
  if (state.step === 'appearing' && !isFocused) return 'Click here to answer this request.'
  return isUnread(state) ? 'Scroll to the end to approve.' : undefined
}

/** Whether this window, or this frame in its page, has the focus. */
function useWindowFocus(): boolean {
  return useSyncExternalStore(
    onFocusChange,
    () => document.hasFocus(),
    () => true,
  )
}

function onFocusChange(listener: () => void): () => void {
  const listening = new AbortController()
  for (const type of ['focus', 'blur']) {
    window.addEventListener(type, listener, { signal: listening.signal })
  }
  return () => listening.abort()
}

/** Ignores Enter, so that a user who is still typing does not approve a request that has just appeared. */
function ignoreEnter(event: { key: string; preventDefault: () => void }): void {
  if (event.key === 'Enter') event.preventDefault()
}

/** Observes whether the element at the end of the content becomes visible. */
function useEndObserver(onSeen: () => void) {
  return useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined
      const observer = new IntersectionObserver((entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen()
      })
      observer.observe(element)
      return () => observer.disconnect()
    },
    // `onSeen` does not change while the request is shown.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [],
  )
}

function sentence(prompt: ApprovalPrompt, details: ApprovalDetails): string {
  if (details.kind === 'act') return sentenceOf(details.words)
  return prompt.kind === 'connect' && prompt.choices.length === 0
    ? 'wants an account or an organization that this wallet does not have.'
    : sentenceOf({ kind: 'connect' })
}

function Connecting({
  prompt: { choices, lifetimeS },
  chosen,
  accountAdvice,
  onChoose,
}: {
  prompt: ConnectRequest
  chosen: Choice | undefined
  accountAdvice: string
  onChoose: (value: string) => void
}) {
  if (choices.length === 0) {
    return <p>{accountAdvice}</p>
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
            title={<UntrustedText>{account.name}</UntrustedText>}
            detail={shortAddress(account.address)}
          />
        ))}
        {groups.length > 0 && <h2 className={styles.heading}>Organizational Accounts</h2>}
        {groups.map(({ value, account, group }) => (
          <CardOption
            key={value}
            value={value}
            title={
              <UntrustedText>{group?.name || shortAddress(group?.address ?? '')}</UntrustedText>
            }
            detail={group?.name && shortAddress(group.address)}
            note={
              <>
                Signing as <UntrustedText>{account.name}</UntrustedText>
              </>
            }
          />
        ))}
      </CardSelect>
      <p className={styles.heading}>
        The page can prove for {formatDuration(lifetimeS)} that you are connected. You will be asked
        again before every signature.
      </p>
    </Stack>
  )
}

function Signer({ prompt: { acting, request } }: { prompt: ActRequest }) {
  const { account, group } = acting
  // A switch shows the current and the new account or group.
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
