import { type Client, client } from '@portico/client/client'
import { type StoredJwt, storedJwt } from '@portico/client/stored-jwt'
import { HOSTED_WALLET_IDLE_MS } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { environmentContext } from '@portico/shell/environment-context'
import { partLoader } from '@portico/shell/module-failures'
import type { LoadPart } from '@portico/shell/part'
import { browserPasskeys, type Passkeys } from '@portico/shell/passkeys'
import { type TextStorage, textStorage } from '@portico/shell/text-storage'
import { hostedKeeper } from './hosted/hosted.ts'
import { idle } from './idle.ts'
import type { KeyKeeper } from './key-keeper.ts'
import { newerFrames, type ParentPage, parentPage } from './parent-page.ts'
import { type VisibilityGuard, visibilityGuard } from './visibility-guard.ts'

/** Everything outside the wallet's screens that they use; made once and handed down. */
export interface Environment {
  readonly keeper: KeyKeeper
  /** For what is the person's and not the keys': how they prove who they are. */
  readonly client: Client
  readonly passkeys: Pick<Passkeys, 'ask' | 'supported'>
  /** Settles when nobody has used the wallet for as long as it stays open by itself. */
  readonly idle: (signal: AbortSignal) => Promise<void>
  readonly jwt: Pick<StoredJwt, 'watch'>
  /** The page around the wallet; nothing where the wallet has a window of its own. */
  readonly parent: ParentPage | undefined
  /** Says once that another tab has opened a wallet. */
  readonly newerFrames: (signal: AbortSignal) => AsyncGenerator<{ type: 'replaced' }>
  readonly sight: VisibilityGuard
  /** What lasts beyond a reload. */
  readonly storage: TextStorage
  readonly origin: string
  readonly reload: () => void
  readonly reportError: (error: unknown) => void
  readonly loadPart: LoadPart
  /** Goes to a page of ours. */
  readonly goTo: (path: string) => void
  readonly wait: (milliseconds: number) => Promise<void>
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** The environment of a browser's window. */
export function browserEnvironment(page: PageData, window: Window): Environment {
  const jwt = storedJwt(window)
  const calls = client({ jwt, organization: page.organization.orgCode })
  const reload = () => window.location.reload()
  return {
    keeper: hostedKeeper({ client: calls }),
    client: calls,
    passkeys: browserPasskeys,
    idle: (signal) => idle(window, HOSTED_WALLET_IDLE_MS, signal),
    jwt,
    parent: parentPage(window),
    newerFrames,
    sight: visibilityGuard(window),
    storage: textStorage(() => window.localStorage),
    origin: window.location.origin,
    reload,
    reportError: (error) => window.reportError(error),
    loadPart: partLoader({ storage: textStorage(() => window.sessionStorage), reload }),
    goTo: (path) => window.location.assign(path),
    wait: (milliseconds) => new Promise((resolve) => window.setTimeout(resolve, milliseconds)),
    clock: Date.now,
  }
}

/** Hands the environment down, and gives what is around a component. */
export const { EnvironmentContext, useEnvironment } = environmentContext<Environment>()
