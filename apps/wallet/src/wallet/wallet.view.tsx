import type { PageData } from '@portico/contracts/page-data'
import { lazyComponent } from '@portico/shell/lazy-component'
import { Logo } from '@portico/shell/logo'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Icon } from '@portico/ui/icon'
import { Link } from '@portico/ui/link'
import { Skeleton } from '@portico/ui/skeleton'
import { Accounts, type RenderConfirmation } from '@portico/wallet-kit/accounts'
import { Approval } from '@portico/wallet-kit/approval'
import { FailureNotice } from '@portico/wallet-kit/failure-notice'
import { Outcome } from '@portico/wallet-kit/outcome'
import { DECISION_TEXTS, DECISION_TONES, decisionTitle } from '@portico/wallet-kit/outcome-text'
import type { CurrentRequest } from '@portico/wallet-kit/request-source'
import { Screen } from '@portico/wallet-kit/screen'
import { type ReactNode, useState } from 'react'
import type { Arrival } from '../arrival.ts'
import { LOGIN_PATH } from '../login-path.ts'
import type { ParentPage } from '../parent-page.ts'
import { Connected } from './connected.tsx'
import { ENDINGS } from './end-text.ts'
import { GroupsLink } from './groups-link.tsx'
import type { Event, State } from './wallet.flow.ts'
import styles from './wallet.module.css'

export type WalletViewProps = {
  state: State
  send: (event: Event) => void
  currentRequest: CurrentRequest
  page: Pick<PageData, 'organization' | 'session' | 'supportPhone'>
  arrival: Arrival
  parent: ParentPage | undefined
}

const HostedGroups = lazyComponent(async () => {
  const { HostedGroups } = await import('./hosted-groups.tsx')
  return HostedGroups
})

const Unlock = lazyComponent(async () => {
  const { Unlock } = await import('../unlock/unlock.tsx')
  return Unlock
})

/** Renders the form that unlocks the wallet, or confirms the user's identity for an approval. */
type RenderUnlock = (onUnlocked: () => void, approvalId?: string) => ReactNode

/** The brand bar with the current screen below it. */
export function WalletView({
  state,
  send,
  currentRequest,
  page,
  arrival,
  parent,
}: WalletViewProps) {
  const { companyInfo } = page.organization.orgMetaData
  // While a request is shown, only its own buttons may close it, or the page would keep waiting. An ended connection has
  // its own Close button.
  const isClosable = !(state.step === 'open' && ['asking', 'ended'].includes(state.connection.step))
  const isWaiting = state.step === 'open' && state.connection.step === 'asking'
  const unlock: RenderUnlock = (onUnlocked, approvalId) => (
    <Unlock
      supportPhone={page.supportPhone}
      approval={approvalId}
      onUnlocked={onUnlocked}
      onLogIn={() => send({ type: 'logInRequested' })}
    />
  )
  const confirm: RenderConfirmation = (onConfirmed) => (
    <Unlock
      supportPhone={page.supportPhone}
      purpose="change"
      onUnlocked={onConfirmed}
      onLogIn={() => send({ type: 'logInRequested' })}
    />
  )
  return (
    <div className={styles.wallet}>
      <header className={styles.bar}>
        <div className={styles.brand}>
          <Logo {...companyInfo} />
          <p className={styles.email}>{state.step === 'signedOut' ? '' : page.session?.email}</p>
        </div>
        {parent && state.step !== 'leaving' && (
          <div className={styles.frameActions}>
            <button className={styles.frameAction} type="button" onClick={parent.minimize}>
              Minimize
            </button>
            {isClosable && (
              <button
                className={styles.frameAction}
                type="button"
                onClick={() => send({ type: 'closed' })}
              >
                Close
              </button>
            )}
          </div>
        )}
      </header>
      <WalletScreen
        state={state}
        send={send}
        currentRequest={currentRequest}
        arrival={arrival}
        framed={parent !== undefined}
        onMinimize={parent?.minimize}
        unlock={unlock}
        confirm={confirm}
      />
      {parent && (
        <button
          className={styles.restore}
          type="button"
          aria-label={isWaiting ? 'Open the wallet: a request waits' : 'Open the wallet'}
          data-waiting={isWaiting || undefined}
          onClick={parent.restore}
        >
          <Icon name="external" />
          <span>Wallet</span>
        </button>
      )}
    </div>
  )
}

interface ScreenProps<Shown extends State>
  extends Pick<WalletViewProps, 'send' | 'currentRequest' | 'arrival'> {
  readonly state: Shown
  readonly framed: boolean
  readonly onMinimize: (() => void) | undefined
  readonly unlock: RenderUnlock
  readonly confirm: RenderConfirmation
}

function WalletScreen({
  state,
  send,
  currentRequest,
  arrival,
  framed,
  onMinimize,
  unlock,
  confirm,
}: ScreenProps<State>) {
  const logIn = () => send({ type: 'logInRequested' })
  switch (state.step) {
    case 'leaving':
      return (
        <Screen title="All done">
          <p>You can close this window.</p>
        </Screen>
      )
    case 'loading':
      return (
        <Screen title="Your accounts">
          <Skeleton shape="card" count={2} label="Loading your accounts" />
        </Screen>
      )
    case 'signedOut':
      return (
        <Screen
          title="Log in to open your wallet"
          actions={<Button onClick={logIn}>Log in</Button>}
        >
          <p>
            You are not logged in, so the wallet is locked.
            {framed && ' The login opens in a separate window; this one continues automatically.'}
          </p>
          {framed && (
            <p>
              Did nothing open? Your browser may have blocked the window:{' '}
              <Link href={LOGIN_PATH} target="_blank">
                open the login here
              </Link>
              .
            </p>
          )}
        </Screen>
      )
    case 'locked':
      return (
        <Screen title="Your wallet is locked">{unlock(() => send({ type: 'unlocked' }))}</Screen>
      )
    case 'stopped':
      return (
        <Screen
          title="Your accounts"
          actions={<Button onClick={() => send({ type: 'retried' })}>Try again</Button>}
        >
          <FailureNotice failure={state.failure} onLogIn={logIn} />
        </Screen>
      )
    case 'empty':
      return (
        <Accounts
          list={[]}
          confirm={confirm}
          onResult={(result) => send({ type: result === 'locked' ? 'locked' : 'accountsChanged' })}
          onLogIn={logIn}
        />
      )
    case 'open':
      return (
        <Open
          state={state}
          send={send}
          currentRequest={currentRequest}
          arrival={arrival}
          framed={framed}
          onMinimize={onMinimize}
          unlock={unlock}
          confirm={confirm}
        />
      )
  }
}

function Open({
  state: { accounts, connection, failure, isLocked = false },
  send,
  currentRequest,
  arrival,
  framed,
  onMinimize,
  unlock,
  confirm,
}: ScreenProps<Extract<State, { step: 'open' }>>) {
  const logIn = () => send({ type: 'logInRequested' })
  const [isGroupsShown, setGroupsShown] = useState(false)
  if (isLocked) {
    return (
      <Screen title="Your wallet is locked">
        <p>The page still receives the decision of the group.</p>
        {unlock(() => send({ type: 'unlocked' }))}
      </Screen>
    )
  }
  switch (connection.step) {
    case 'asking':
      return (
        <Approval
          key={connection.prompt.id}
          prompt={connection.prompt}
          waiting={connection.prompt.waiting}
          currentRequest={currentRequest}
          onAnswer={(promptId, result) => send({ type: 'answered', promptId, result })}
          onLogIn={logIn}
          unlock={unlock}
        />
      )
    case 'joining':
      if (arrival.kind === 'visit' || arrival.kind === 'unsolicited') break
      return (
        <Screen title="One moment">
          <Skeleton shape="text" count={3} label="Waiting for the page" />
        </Screen>
      )
    case 'connected':
      if (connection.decided === undefined || !framed) break
      if (connection.decided.how === 'proposed') {
        return <VotesAwaited isDecided={connection.awaited === 0} onMinimize={onMinimize} />
      }
      return (
        <Screen title={decisionTitle(connection.decided)}>
          <Outcome tone={DECISION_TONES[connection.decided.how]}>
            {DECISION_TEXTS[connection.decided.how]} This window closes automatically.
          </Outcome>
        </Screen>
      )
    case 'ended': {
      if (!framed) break
      const { title, tone, advice } = ENDINGS[connection.how]
      return (
        <Screen
          title={title}
          actions={<Button onClick={() => send({ type: 'closed' })}>Close</Button>}
        >
          <Outcome tone={tone}>{advice}</Outcome>
        </Screen>
      )
    }
    case 'none':
  }
  if (isGroupsShown) {
    return <HostedGroups onBack={() => setGroupsShown(false)} onLogIn={logIn} unlock={unlock} />
  }
  return (
    <Accounts
      list={accounts}
      confirm={confirm}
      notice={
        <>
          {failure && <FailureNotice failure={failure} onLogIn={logIn} />}
          {arrival.kind === 'unsolicited' && <UnsolicitedNotice />}
          {connection.step === 'connected' && (
            <Connected
              until={connection.until}
              onDisconnect={() => send({ type: 'disconnectRequested' })}
            />
          )}
          <GroupsLink accounts={accounts} onOpen={() => setGroupsShown(true)} />
        </>
      }
      onResult={(result) => send({ type: result === 'locked' ? 'locked' : 'accountsChanged' })}
      onLogIn={logIn}
    />
  )
}

/** The user has approved a proposal, on which other members of the group vote. */
function VotesAwaited({
  isDecided,
  onMinimize,
}: {
  isDecided: boolean
  onMinimize: (() => void) | undefined
}) {
  if (isDecided) {
    return (
      <Screen title="The group has decided">
        <Outcome tone="ok">The page was notified. This window closes automatically.</Outcome>
      </Screen>
    )
  }
  return (
    <Screen
      title={decisionTitle(PROPOSED)}
      actions={onMinimize && <Button onClick={onMinimize}>Minimize</Button>}
    >
      <Outcome tone={DECISION_TONES.proposed}>{DECISION_TEXTS.proposed}</Outcome>
      <p>
        You can use the page in the meantime. If you close the wallet, the page receives the result
        when you open the wallet again.
      </p>
    </Screen>
  )
}

const PROPOSED = { kind: 'send', how: 'proposed' } as const

function UnsolicitedNotice(): ReactNode {
  return (
    <Alert tone="warn" title="This link was not followed">
      <p>
        Connections must be started on the page that needs the wallet. If someone sent you this
        link, do not trust it.
      </p>
    </Alert>
  )
}
