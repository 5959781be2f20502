import type { StoredJwt } from '@portico/client/stored-jwt'
import { HOSTED_WALLET_IDLE_MS } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { type TextStorage, textStorage } from '@portico/contracts/text-storage'
import { environmentContext } from '@portico/shell/environment-context'
import { type PageEnvironment, pageEnvironment } from '@portico/shell/page-environment'
import type { Passkeys } from '@portico/shell/passkeys'
import type { ProposalOutcome } from '@portico/wallet-kit/awaited-votes'
import { chainParts } from '@portico/wallet-kit/chain-parts'
import type { GroupReader } from '@portico/wallet-kit/group-reader'
import type { KeyKeeper } from '@portico/wallet-kit/key-keeper'
import { type VisibilityGuard, visibilityGuard } from '@portico/wallet-kit/visibility-guard'
import { hostedKeyKeeper } from './hosted-key-keeper.ts'
import { newerFrames, type ParentPage, parentPage } from './parent-page.ts'

/** The external dependencies of the wallet's screens, created once. */
export interface Environment
  extends Pick<PageEnvironment, 'client' | 'loadModule' | 'reload' | 'reportError'> {
  readonly keyKeeper: KeyKeeper
  /** The groups of the accounts, as the chain has them. */
  readonly groups: GroupReader
  readonly proposalOutcome: ProposalOutcome
  readonly passkeys: Pick<Passkeys, 'request' | 'supported'>
  /** Settles when the wallet has been idle for so long that it must be locked. */
  readonly idle: (signal: AbortSignal) => Promise<void>
  readonly jwt: Pick<StoredJwt, 'watch'>
  /** The embedding page; undefined if the wallet is a top-level window. */
  readonly parent: ParentPage | undefined
  /** Yields once when another tab opens a wallet. */
  readonly newerFrames: (signal: AbortSignal) => AsyncGenerator<{ type: 'replaced' }>
  readonly visibility: VisibilityGuard
  /** Storage that survives reloads. */
  readonly storage: TextStorage
  readonly origin: string
  /** Navigates to one of our pages. */
  readonly goTo: (path: string) => void
  readonly wait: (milliseconds: number) => Promise<void>
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** The environment in a browser. */
export function browserEnvironment(page: PageData, window: Window): Environment {
  const base = pageEnvironment(page, window)
  const chainUrl = `${window.location.origin}/chain`
  return {
    ...base,
    keyKeeper: hostedKeyKeeper(base),
    groups: chainParts(chainUrl, { hasFaucet: false }).groups,
    async proposalOutcome(proposed) {
      const { proposalOutcome } = await base.loadModule(() => import('./proposal-outcome.ts'))
      return proposalOutcome(chainUrl, proposed)
    },
    idle: (signal) => idle(window, HOSTED_WALLET_IDLE_MS, signal),
    parent: parentPage(window),
    newerFrames,
    visibility: visibilityGuard(window),
    storage: textStorage(() => window.localStorage),
    origin: window.location.origin,
    goTo: (path) => window.location.assign(path),
    wait: (milliseconds) => new Promise((resolve) => window.setTimeout(resolve, milliseconds)),
    clock: Date.now,
  }
}

/** The React context of the environment. */
export const { EnvironmentContext, useEnvironment } = environmentContext<Environment>()

/** Settles after this time without user input, or when the signal aborts. */
async function idle(window: Window, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const listening = new AbortController()
  let timer = window.setTimeout(resolve, timeoutMs)
  const restart = () => {
    window.clearTimeout(timer)
    timer = window.setTimeout(resolve, timeoutMs)
  }
  for (const inputEvent of ['pointerdown', 'pointermove', 'keydown']) {
    window.addEventListener(inputEvent, restart, { signal: listening.signal, passive: true })
  }
  signal.addEventListener('abort', () => resolve(), { signal: listening.signal })
  await promise
  window.clearTimeout(timer)
  listening.abort()
}
