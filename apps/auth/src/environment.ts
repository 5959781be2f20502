import type { Client } from '@portico/client/client'
import type { StoredJwt } from '@portico/client/stored-jwt'
import type { ExperimentKey } from '@portico/contracts/experiment-keys'
import type { TextStorage } from '@portico/contracts/text-storage'
import { environmentContext } from '@portico/shell/environment-context'
import type { LoadPart } from '@portico/shell/part'
import type { Passkeys } from '@portico/shell/passkeys'
import type { Telemetry } from '@portico/telemetry'

/** Proves to the server that a request comes from a person (§7.2). */
export interface BotCheck {
  /** Starts the work in the background; called on the first sign of user intent. */
  readonly prepare: () => void
  /** The token for one request; undefined if no check is configured. */
  readonly token: () => Promise<string | undefined>
}

/** The wallet operations that login and logout need. */
interface Wallet {
  /** Opens the wallet connection page (§4.4), which continues to `to`. */
  readonly open: (to: string) => void
  readonly disconnect: () => Promise<void>
}

/** A gatekeeper request (§4.10) from the wallet screens. */
interface GatekeeperRequest {
  readonly intent: 'kyc'
  readonly redirectUrl: string
}

/** The side effects and browser APIs that features use; created once and provided through context. */
export interface Environment {
  readonly client: Client
  readonly jwt: StoredJwt
  /** Session storage: lasts as long as the tab. */
  readonly storage: TextStorage
  /** Whether this is production, where wallet provider IDs have no suffix (§3). */
  readonly production: boolean
  /** The current URL. */
  readonly location: () => URL
  readonly navigate: (to: string) => void
  readonly reload: () => void
  readonly clock: () => number
  /** Resolves after the delay, or as soon as the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly reportError: (error: unknown) => void
  /** Records that the user saw an experiment's variant (§7.8). Returns at once and never fails. */
  readonly recordExposure: (key: ExperimentKey) => void
  readonly telemetry: Telemetry
  readonly botCheck: BotCheck
  readonly wallet: Wallet
  /** Notifies the page's other scripts that a new identity token was stored (§7.4). */
  readonly identityTokenUpdated: () => void
  /** Decides where the user continues after connecting a wallet (§4.8). */
  readonly gatekeeper: (request: GatekeeperRequest) => Promise<string>
  /** Copies text to the clipboard; resolves to false if the browser denied access. */
  readonly copy: (text: string) => Promise<boolean>
  readonly passkeys: Passkeys
  /** A random number in [0, 1). */
  readonly chance: () => number
  readonly loadPart: LoadPart
}

export const { EnvironmentContext, useEnvironment } = environmentContext<Environment>()
