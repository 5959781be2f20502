import type { ApprovalResult, Proposed } from '@portico/contracts/hosted-wallet'
import { WalletError } from '@portico/wallet-connect/protocol'
import type { Prompt } from '@portico/wallet-connect/wallet'
import {
  type ActRequest,
  type ConnectRequest,
  type Decision,
  decisionOf,
  type PromptAnswer,
} from '../approval-prompt.ts'

/** A request without the number of those waiting, which the connection adds. */
type PendingPrompt = Omit<ConnectRequest, 'waiting'> | Omit<ActRequest, 'waiting'>

/**
 * Prompts the user and returns the key keeper's result.
 *
 * @throws WalletError - `rejected` if the user declined or the page withdrew the request; `outcome-unknown` if it is
 * unknown whether a transaction was sent
 */
export type PromptUser = (
  prompt: Omit<ConnectRequest, 'id' | 'waiting'> | Omit<ActRequest, 'id' | 'waiting'>,
  request: Prompt,
) => Promise<ApprovalResult | Proposed>

/** The request that the user is deciding, and how the previous one ended. Requests arrive one at a time. */
export interface UserPrompts {
  readonly current: () => PendingPrompt | undefined
  readonly decided: () => Decision | undefined
  /** Shows a prompt; without an id it gets one that is unique until the wallet is closed. */
  readonly promptUser: (
    prompt: Parameters<PromptUser>[0] & { readonly id?: string },
    request: Pick<Prompt, 'signal' | 'commit' | 'release'>,
  ) => Promise<ApprovalResult | Proposed>
  /** Commits the current request before it is carried out; false if the page had already withdrawn it. */
  readonly commit: (promptId: string) => boolean
  /** Whether the current request was committed and not released, so that it may already be carried out. */
  readonly isCommitted: (promptId: string) => boolean
  /** Reverses one `commit` after an attempt that carried out nothing. Another window may have committed the request, too. */
  readonly release: (promptId: string) => void
  /** Answers the current request. */
  readonly answer: (promptId: string, result: PromptAnswer) => void
  /** Records the outcome of a request that was decided before this process started. */
  readonly endedBefore: (
    prompt: Parameters<PromptUser>[0],
    result: ApprovalResult | Proposed,
  ) => void
}

const OUTCOME_UNKNOWN =
  'It is unknown whether the transaction was sent. Check the account before you send it again.'

export function userPrompts(onChange: () => void): UserPrompts {
  let count = 0
  let decided: Decision | undefined
  let pending:
    | {
        readonly prompt: PendingPrompt
        readonly commit: () => boolean
        readonly isCommitted: () => boolean
        readonly release: () => void
        readonly settle: (result: PromptAnswer) => void
      }
    | undefined

  return {
    current: () => pending?.prompt,
    decided: () => decided,
    async promptUser(prompt, { signal, commit, release }) {
      signal.throwIfAborted()
      const { promise, resolve: settle } = Promise.withResolvers<PromptAnswer>()
      let commits = 0
      count += 1
      decided = undefined
      pending = {
        prompt: { id: `${count}`, ...prompt },
        commit() {
          // The window that committed it may have been closed, and the next one finishes it.
          if (commits === 0 && signal.aborted) return false
          if (commits === 0) commit()
          commits += 1
          return true
        },
        isCommitted: () => commits > 0,
        release() {
          if (commits > 0) commits -= 1
          if (commits > 0) return
          release()
          // The page disconnected during the attempt.
          if (signal.aborted) settle(undefined)
        },
        settle,
      }
      // A committed request may already have been carried out, so only its result ends it.
      signal.addEventListener('abort', () => commits > 0 || settle(undefined))
      onChange()
      const result = await promise
      pending = undefined
      const decision = decisionOf(prompt, result)
      const isWithdrawn = signal.aborted && commits === 0
      decided = isWithdrawn ? { ...decision, how: 'withdrawn' } : decision
      onChange()
      if (result === undefined) throw new WalletError('rejected', 'The user declined the request.')
      if (result === 'outcome-unknown') throw new WalletError('outcome-unknown', OUTCOME_UNKNOWN)
      return result
    },
    commit: (promptId) => pending?.prompt.id === promptId && pending.commit(),
    isCommitted: (promptId) => pending?.prompt.id === promptId && pending.isCommitted(),
    release(promptId) {
      if (pending?.prompt.id === promptId) pending.release()
    },
    answer(promptId, result) {
      if (pending?.prompt.id === promptId) pending.settle(result)
    },
    endedBefore(prompt, result) {
      decided = decisionOf(prompt, result)
      onChange()
    },
  }
}
