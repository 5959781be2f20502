/**
 * The calls from the extension's windows to its worker, which holds the key keeper and the request source. Messages between
 * them are JSON: an absent value is null.
 */
import { ApiError, type ApiErrorCode } from '@portico/client/api-error'
import { Refusal } from '@portico/contracts/errors'
import { ApprovalRequest, ApprovalResult, Proposed } from '@portico/contracts/hosted-wallet'
import { PassphraseKey } from '@portico/self-custody/passphrase-key'
import type { ApprovalPrompt, Decision } from '@portico/wallet-kit/approval-prompt'
import {
  type ConnectedSite,
  type ConnectFailure,
  IDLE_MINUTES,
  type PageReturn,
} from '@portico/wallet-kit/device-wallet'
import * as z from 'zod/mini'

const text = z.string()
const absent = z.pipe(
  z.null(),
  z.transform(() => undefined),
)

/** The functions of the vault's keeper with their parameters. */
export const KEEPER_CALLS = {
  accounts: z.tuple([]),
  create: z.tuple([z.object({ name: text, words: z.optional(text) })]),
  rename: z.tuple([z.object({ address: text, name: text })]),
  lock: z.tuple([]),
  requestApproval: z.tuple([
    ApprovalRequest,
    z.pipe(
      z.object({ promptId: text, origin: z.optional(text), audience: z.optional(text) }),
      z.transform(({ promptId, origin, audience }) => ({ promptId, origin, audience })),
    ),
  ]),
  approve: z.tuple([text]),
  reject: z.tuple([text]),
  vault: z.tuple([]),
  passphraseDerivation: z.tuple([]),
  createVault: z.tuple([
    z.object({ words: text, passphraseKey: PassphraseKey, accountName: text }),
  ]),
  unlock: z.tuple([z.object({ passphraseKey: PassphraseKey })]),
  revealWords: z.tuple([PassphraseKey]),
  changePassphrase: z.tuple([z.object({ current: PassphraseKey, next: PassphraseKey })]),
  setIdleMinutes: z.tuple([z.literal(IDLE_MINUTES)]),
  extend: z.tuple([]),
  removeVault: z.tuple([]),
  resultOf: z.tuple([text]),
  history: z.tuple([]),
}

export type KeeperCall = keyof typeof KEEPER_CALLS

/** The functions of the request source with their parameters. */
export const SOURCE_CALLS = {
  commit: z.tuple([text]),
  release: z.tuple([text]),
  answer: z.tuple([
    text,
    z.union([ApprovalResult, Proposed, z.literal('outcome-unknown'), absent]),
  ]),
  connect: z.tuple([text, absent]),
  disconnect: z.tuple([text]),
}

export type SourceCall = keyof typeof SOURCE_CALLS

/** A call to the worker. */
export type WalletCall =
  | { readonly keeper: KeeperCall; readonly args: readonly unknown[] }
  | { readonly source: SourceCall; readonly args: readonly unknown[] }

/**
 * Calls that are not sent again if the worker was stopped before it answered, because they may have taken effect: a second
 * account, a passphrase that is no longer the current one. The others change nothing the second time, or their effect is stored
 * under the id of their prompt or approval.
 */
export const NOT_REPEATABLE: ReadonlySet<string> = new Set<KeeperCall>([
  'create',
  'createVault',
  'changePassphrase',
])

/** Every message from the worker. */
export interface WorkerMessage {
  /**
   * New each time that the worker starts. In Firefox, the port of a stopped worker may stay open: the next worker answers the
   * calls, but its state does not arrive.
   */
  readonly workerId: string
}

/** The worker's response. */
export type WalletResponse =
  | { readonly value: unknown }
  | { readonly refusal: Pick<Refusal, 'code' | 'errors' | 'retryAfterS'> }
  | { readonly unanswered: ApiErrorCode; readonly message: string }
  | { readonly defect: string }

export function responseOfError(error: unknown): WalletResponse {
  if (error instanceof Refusal) {
    const { code, errors, retryAfterS } = error
    return { refusal: { code, errors, retryAfterS } }
  }
  if (error instanceof ApiError) return { unanswered: error.code, message: error.message }
  return { defect: error instanceof Error ? error.message : String(error) }
}

/** The call's result; throws its error as the worker threw it. */
export function valueOf(response: WalletResponse): unknown {
  if ('value' in response) return response.value ?? undefined
  if ('refusal' in response) {
    const { code, errors, retryAfterS } = response.refusal
    throw new Refusal(code, { errors, ...(retryAfterS !== undefined && { retryAfterS }) })
  }
  if ('unanswered' in response) throw new ApiError(response.unanswered, response.message)
  throw new Error(response.defect)
}

/** The port between a window and the worker. */
export const WINDOW_PORT = 'window'

/** What a window sends over the port before it closes itself. */
export const WINDOW_CLOSING = 'closing'

/** What the worker sends to its windows: at once when they connect, and after each change. */
export interface WalletSnapshot extends WorkerMessage {
  readonly prompt: ApprovalPrompt | null
  readonly decided: Decision | null
  readonly pageReturn: PageReturn | null
  readonly sites: readonly ConnectedSite[]
  /** The number of requests, including those that wait for the wallet to be unlocked. */
  readonly waiting: number
  /** The number of connections that are being established. */
  readonly connecting: number
  /** Why the last page that started the wallet could not be connected; null after the next start. */
  readonly connectFailure: ConnectFailure | null
  /** Increases when the vault or its accounts changed. */
  readonly vaultVersion: number
}
