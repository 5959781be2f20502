import type { Client } from '@portico/client/client'
import type { StoredJwt } from '@portico/client/stored-jwt'
import type { ExperimentKey } from '@portico/contracts/experiment-keys'
import { environmentContext } from '@portico/shell/environment-context'
import type { LoadPart } from '@portico/shell/part'
import type { Passkeys } from '@portico/shell/passkeys'
import type { TextStorage } from '@portico/shell/text-storage'
import type { Telemetry } from '@portico/telemetry'

/** Proves to the server that a person, not a program, asks (§7.2). */
export interface BotCheck {
  /** Begins the work in the background; called at the first sign of a person. */
  readonly prepare: () => void
  /** The token for one request; nothing where no check is configured. */
  readonly token: () => Promise<string | undefined>
}

/** The wallet as far as signing in and out is concerned. */
interface Wallet {
  /** Opens the wallet connection (§4.4); the person then goes on to `to`. */
  readonly open: (to: string) => void
  readonly disconnect: () => Promise<void>
}

/** Where somebody stands with a request of the gatekeeper (§4.10), asked with what the wallet's screens know. */
interface GatekeeperRequest {
  readonly intent: 'kyc'
  readonly redirectUrl: string
}

/** Everything outside the page that its features use; made once and handed down. */
export interface Environment {
  readonly client: Client
  readonly jwt: StoredJwt
  /** Lasts as long as the browser's tab. */
  readonly storage: TextStorage
  /** Whether this is production, where wallet providers have no suffix (§3). */
  readonly production: boolean
  /** The page's address as it is now. */
  readonly location: () => URL
  /** Leaves for another page. */
  readonly navigate: (to: string) => void
  readonly reload: () => void
  readonly clock: () => number
  /** Resolves after a time, or as soon as nobody waits any more. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly reportError: (error: unknown) => void
  /** Says that the person sees what an experiment decided (§7.8); waits for nothing and never fails. */
  readonly recordExposure: (key: ExperimentKey) => void
  readonly telemetry: Telemetry
  readonly botCheck: BotCheck
  readonly wallet: Wallet
  /** Tells the page's other scripts that another identity token was stored (§7.4). */
  readonly identityTokenUpdated: () => void
  /** Decides where somebody goes on to who has connected a wallet (§4.8). */
  readonly gatekeeper: (request: GatekeeperRequest) => Promise<string>
  /** Puts a text where it can be pasted from; tells whether the browser let us. */
  readonly copy: (text: string) => Promise<boolean>
  readonly passkeys: Passkeys
  /** Chance as a number in [0, 1). */
  readonly chance: () => number
  readonly loadPart: LoadPart
}

/** Hands the environment down, and gives what is around a component. */
export const { EnvironmentContext, useEnvironment } = environmentContext<Environment>()
