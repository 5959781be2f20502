import { useFlow } from '@portico/flow/react'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { WalletEnvironmentContext } from '../environment.ts'
import { deviceWallet } from './device-wallet.flow.ts'
import { deviceWalletServices } from './device-wallet.services.ts'
import { DeviceWalletView, type Tab } from './device-wallet.view.tsx'
import { type DeviceEnvironment, DeviceEnvironmentContext } from './environment.ts'
import { deviceGroupsEnvironment } from './groups/device-groups-environment.ts'
import { GroupsEnvironmentContext } from './groups/groups-environment.ts'

const ALL_TABS: readonly Tab[] = ['accounts', 'sites', 'groups', 'activity', 'settings']

/**
 * The wallet on the user's device: sets it up, unlocks it, shows its accounts, and asks for approval as soon as a request
 * waits. The request source must be up to date when it is rendered.
 */
export function DeviceWallet({
  environment,
  brand = 'Wallet',
  tabs = ALL_TABS,
  notice,
  settings,
  firstTab,
  onDone,
  onReturn,
}: {
  environment: DeviceEnvironment
  /** The name or logo of the lender. */
  brand?: ReactNode
  tabs?: readonly Tab[]
  /** A notice of the shell, below the header of every screen. */
  notice?: ReactNode
  /** Further settings of the shell, as rows. */
  settings?: ReactNode
  /** The name of the tab that is shown first, if it is not the first in the list. */
  firstTab?: string | undefined
  /** Closes a window that was opened for requests. Called after the last one. */
  onDone?: (() => void) | undefined
  /** Takes the user back to the page that asked. */
  onReturn?: ((url: string) => void) | undefined
}) {
  const { keeper, requests, visibility, wait, reportError } = environment
  const [state, send] = useFlow(deviceWallet, {
    input: null,
    services: deviceWalletServices({ keeper, requests, wait, onDone }),
    report: reportError,
  })
  useEffect(() => extendOnInput(window, keeper), [keeper])
  return (
    <DeviceEnvironmentContext value={environment}>
      <WalletEnvironmentContext value={{ keyKeeper: keeper, visibility, reportError }}>
        <GroupsEnvironmentContext value={deviceGroupsEnvironment(environment)}>
          <DeviceWalletView
            state={state}
            send={send}
            currentRequest={requests}
            brand={brand}
            tabs={tabs}
            notice={notice}
            settings={settings}
            firstTab={firstTab}
            onClose={onDone}
            onReturn={onReturn}
            onLock={() => void keeper.lock().catch(reportError)}
          />
        </GroupsEnvironmentContext>
      </WalletEnvironmentContext>
    </DeviceEnvironmentContext>
  )
}

/** Often enough for the shortest idle time, and rarely enough not to keep an extension's worker busy. */
const EXTEND_EVERY_MS = 10_000

/** Restarts the idle time of the wallet on user input. */
function extendOnInput(window: Window, keeper: DeviceEnvironment['keeper']): () => void {
  const listening = new AbortController()
  let extendedAt = Number.NEGATIVE_INFINITY
  const extend = ({ timeStamp }: Event) => {
    if (timeStamp - extendedAt < EXTEND_EVERY_MS) return
    extendedAt = timeStamp
    // A locked wallet has no idle time, and an unreachable one reports itself elsewhere.
    keeper.extend().catch(() => undefined)
  }
  for (const input of ['pointerdown', 'pointermove', 'keydown', 'scroll']) {
    window.addEventListener(input, extend, {
      signal: listening.signal,
      passive: true,
      capture: true,
    })
  }
  return () => listening.abort()
}
