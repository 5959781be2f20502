import type { ExperimentKey } from '@portico/contracts/experiment-keys'
import type { FlowRequest } from '@portico/contracts/flow-request'
import type { TextStorage } from '@portico/contracts/text-storage'
import { environmentContext } from '@portico/shell/environment-context'
import type { PageEnvironment } from '@portico/shell/page-environment'
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

/** The path a flow request leads to, or the rules it violates (§5). */
export type GatekeeperResult =
  | { readonly path: string }
  | { readonly violations: readonly string[] }

export type Gatekeeper = (request: FlowRequest, signal?: AbortSignal) => Promise<GatekeeperResult>

/** The side effects and browser APIs that features use; created once and provided through context. */
export interface Environment extends PageEnvironment {
  /** The current URL. */
  readonly location: () => URL
  readonly navigate: (to: string) => void
  readonly clock: () => number
  /** Resolves after the delay, or as soon as the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Records that the user saw an experiment's variant (§7.8). Returns at once and never fails. */
  readonly recordExposure: (key: ExperimentKey) => void
  readonly telemetry: Telemetry
  readonly botCheck: BotCheck
  readonly wallet: Wallet
  /** Local storage: stays on this device. */
  readonly deviceStorage: TextStorage
  /** Decides where the user goes after connecting a wallet (§4.8) or with a flow request (§4.10). */
  readonly gatekeeper: Gatekeeper
  /** Logs the rules that a flow request violates (§5). */
  readonly logViolations: (violations: readonly string[]) => void
  /** A random number in [0, 1). */
  readonly random: () => number
}

export const { EnvironmentContext, useEnvironment } = environmentContext<Environment>()
