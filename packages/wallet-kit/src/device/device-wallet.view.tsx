import { lazyComponent } from '@portico/shell/lazy-component'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Icon, type IconName } from '@portico/ui/icon'
import { Skeleton } from '@portico/ui/skeleton'
import { type ReactNode, useState } from 'react'
import { Approval } from '../approval/approval.tsx'
import { DECISION_TEXTS, DECISION_TONES, decisionTitle } from '../approval/outcome-text.ts'
import type { VaultState } from '../device-wallet.ts'
import { FailureNotice } from '../failure-notice.tsx'
import { Outcome } from '../outcome.tsx'
import type { CurrentRequest } from '../request-source.ts'
import { Screen } from '../screen.tsx'
import { DeviceAccounts } from './accounts/device-accounts.tsx'
import { DamagedVault } from './damaged-vault.tsx'
import type { Event, State } from './device-wallet.flow.ts'
import styles from './device-wallet.module.css'
import { useDeviceEnvironment } from './environment.ts'
import { useWaitingVotes } from './groups/use-waiting-votes.ts'
import { NewerVault } from './newer-vault.tsx'
import { Unlock } from './unlock/unlock.tsx'
import { UnlockForm } from './unlock/unlock-form.tsx'
import { WalletFrame } from './wallet-frame.tsx'

const Onboarding = lazyComponent(async () => {
  const { Onboarding } = await import('./onboarding/onboarding.tsx')
  return Onboarding
})
const Sites = lazyComponent(async () => {
  const { Sites } = await import('./sites/sites.tsx')
  return Sites
})
const Groups = lazyComponent(async () => {
  const { Groups } = await import('./groups/groups.tsx')
  return Groups
})
const Activity = lazyComponent(async () => {
  const { Activity } = await import('./activity/activity.tsx')
  return Activity
})
const Settings = lazyComponent(async () => {
  const { Settings } = await import('./settings/settings.tsx')
  return Settings
})

/** A tab of the shell, such as the scanner of a phone. */
interface ShellTab {
  readonly name: string
  readonly label: string
  readonly icon: IconName
  readonly content: ReactNode
}

/** The tabs of the unlocked wallet, in order; the first one is shown first. */
export type Tab = 'accounts' | 'sites' | 'groups' | 'activity' | 'settings' | ShellTab

export type DeviceWalletViewProps = {
  state: State
  send: (event: Event) => void
  currentRequest: CurrentRequest
  tabs: readonly Tab[]
  /** The name or logo of the lender. */
  brand: ReactNode
  /** A notice of the shell, below the header. */
  notice?: ReactNode
  /** Further settings of the shell, as rows. */
  settings?: ReactNode
  onLock: () => void
  /** Closes a window that was opened for requests; undefined if this is not one. */
  onClose: (() => void) | undefined
  /** Takes the user back to the page that asked; undefined if the shell does not offer that. */
  onReturn: ((url: string) => void) | undefined
  /** The name of the tab that is shown first, if it is not the first in the list. */
  firstTab?: string | undefined
}

/** The header with the current screen below it. */
export function DeviceWalletView({ brand, notice, onLock, ...props }: DeviceWalletViewProps) {
  return (
    <WalletFrame
      brand={brand}
      notice={notice}
      onLock={props.state.step === 'home' ? onLock : undefined}
    >
      <WalletScreen {...props} />
    </WalletFrame>
  )
}

function WalletScreen({
  state,
  send,
  currentRequest,
  tabs,
  settings,
  firstTab,
  onClose,
  onReturn,
}: Omit<DeviceWalletViewProps, 'brand' | 'notice' | 'onLock'>) {
  switch (state.step) {
    case 'loading':
      return (
        <main className={styles.loading}>
          <Skeleton shape="card" count={2} label="Opening your wallet" />
        </main>
      )
    case 'stopped': {
      const retry = () => send({ type: 'retried' })
      if (state.failure.reason === 'vault-damaged') {
        return <DamagedVault onRetry={retry} onRemoved={retry} />
      }
      if (state.failure.reason === 'vault-from-newer-version') {
        return <NewerVault onRetry={retry} onRemoved={retry} />
      }
      return (
        <Screen
          title="Your wallet could not be opened"
          actions={<Button onClick={retry}>Try again</Button>}
        >
          <FailureNotice failure={state.failure} />
        </Screen>
      )
    }
    case 'onboarding':
      return <Onboarding />
    case 'locked':
      return (
        <Unlock
          vault={state.vault}
          prompt={state.prompt}
          waiting={state.waiting}
          onReject={() => send({ type: 'rejected' })}
        />
      )
    case 'approving': {
      const vault = lockedVault(state.vault)
      const unlock = () => <UnlockForm vault={vault} />
      return (
        <Approval
          key={state.prompt.id}
          prompt={state.prompt}
          waiting={state.waiting}
          currentRequest={currentRequest}
          onAnswer={(promptId, result) => send({ type: 'answered', promptId, result })}
          isLocked={state.vault.step === 'locked'}
          unlock={unlock}
        />
      )
    }
    case 'decided': {
      const { waiting = 0 } = state.now ?? {}
      // Other requests come first.
      const pageReturn = waiting === 0 && onReturn ? state.now?.pageReturn : undefined
      const refused = pageReturn?.kind === 'refused' ? pageReturn : undefined
      const url = pageReturn?.kind === 'allowed' ? pageReturn.url : refused?.pageUrl
      return (
        <Screen
          title={decisionTitle(state.decision)}
          actions={
            url !== undefined && onReturn ? (
              <>
                <Button kind="secondary" onClick={() => send({ type: 'continued' })}>
                  Done
                </Button>
                <Button onClick={() => onReturn(url)}>
                  {refused ? 'Open the page' : 'Return to page'}
                </Button>
              </>
            ) : (
              <Button busy={state.isContinuing} onClick={() => send({ type: 'continued' })}>
                {waiting > 0 ? `Next request (${waiting} left)` : 'Done'}
              </Button>
            )
          }
        >
          <Outcome tone={DECISION_TONES[state.decision.how]}>
            {DECISION_TEXTS[state.decision.how]}
          </Outcome>
          {refused && <ReturnRefused {...refused} />}
        </Screen>
      )
    }
    case 'home':
      return onClose === undefined ? (
        <Home
          vault={state.vault}
          isNew={state.isNew}
          tabs={tabs}
          settings={settings}
          firstTab={firstTab}
        />
      ) : (
        <Screen
          title="Waiting for the page"
          actions={
            <Button kind="secondary" onClick={onClose}>
              Close
            </Button>
          }
        >
          <p>Its request appears here. If it does not, close this window and try again there.</p>
          <Skeleton shape="text" count={3} label="Waiting for the request" />
        </Screen>
      )
  }
}

/** The page asked for the address of another site or an app, to which a wallet must not lead its user. */
function ReturnRefused({ pageUrl }: { pageUrl: string | undefined }) {
  return (
    <Alert tone="info">
      <p>
        The page wanted to take you to another address, which your wallet does not open. Go back to
        the page yourself
        {pageUrl === undefined ? '.' : `, or open it at ${new URL(pageUrl).host}.`}
      </p>
    </Alert>
  )
}

/** The vault as the form for unlocking it needs it, also while the keeper has not reported yet that it is locked. */
function lockedVault(vault: VaultState) {
  switch (vault.step) {
    case 'locked':
      return vault
    case 'unlocked':
      return { hasPasskey: vault.hasPasskey, retryAt: null }
    case 'empty':
      return { hasPasskey: false, retryAt: null }
  }
}

const TABS = {
  accounts: { label: 'Accounts', icon: 'wallet' },
  sites: { label: 'Sites', icon: 'globe' },
  groups: { label: 'Groups', icon: 'house' },
  activity: { label: 'Activity', icon: 'clock' },
  settings: { label: 'Settings', icon: 'settings' },
} as const satisfies Record<string, { label: string; icon: IconName }>

const nameOf = (tab: Tab) => (typeof tab === 'string' ? tab : tab.name)

/** The unlocked wallet while no request waits. */
function Home({
  vault,
  isNew,
  tabs,
  settings,
  firstTab = '',
}: {
  vault: Extract<VaultState, { step: 'unlocked' }>
  isNew: boolean
  tabs: readonly Tab[]
  settings: ReactNode
  firstTab?: string | undefined
}) {
  const [opened, setOpened] = useState({ name: firstTab, count: 0 })
  const { groups, keeper } = useDeviceEnvironment()
  const votes = useWaitingVotes(groups, keeper)
  const shown = tabs.filter((tab) => tab !== 'groups' || groups !== undefined)
  const current = shown.find((tab) => nameOf(tab) === opened.name) ?? shown[0]
  return (
    <>
      {current && (
        // Opening the current tab again returns to its start.
        <TabContent
          key={`${nameOf(current)} ${opened.count}`}
          tab={current}
          vault={vault}
          isNew={isNew}
          settings={settings}
          hasSites={tabs.includes('sites')}
        />
      )}
      <nav className={styles.tabs} aria-label="Wallet">
        {shown.map((tab) => {
          const { label, icon } = typeof tab === 'string' ? TABS[tab] : tab
          const isWaiting = tab === 'groups' && votes > 0
          return (
            <button
              key={nameOf(tab)}
              type="button"
              className={styles.tab}
              aria-current={tab === current ? 'page' : undefined}
              aria-label={isWaiting ? `${label}, ${votes} waiting for your vote` : undefined}
              onClick={() => setOpened({ name: nameOf(tab), count: opened.count + 1 })}
            >
              <Icon name={icon} />
              <span>
                {label}
                {isWaiting && <span className={styles.count}>{votes}</span>}
              </span>
            </button>
          )
        })}
      </nav>
    </>
  )
}

function TabContent({
  tab,
  vault,
  isNew,
  settings,
  hasSites,
}: {
  tab: Tab
  vault: Extract<VaultState, { step: 'unlocked' }>
  isNew: boolean
  settings: ReactNode
  /** Whether the connected sites have a tab; otherwise they are in the settings. */
  hasSites: boolean
}) {
  const { groups } = useDeviceEnvironment()
  switch (tab) {
    case 'accounts':
      return <DeviceAccounts isNew={isNew} />
    case 'sites':
      return <Sites />
    case 'groups':
      return groups && <Groups reader={groups} />
    case 'activity':
      return <Activity />
    case 'settings':
      return (
        <Settings vault={vault} SitesPage={hasSites ? undefined : Sites}>
          {settings}
        </Settings>
      )
    default:
      return tab.content
  }
}
