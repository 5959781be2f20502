import type { ApprovalResult } from '@portico/contracts/hosted-wallet'
import { WalletError } from '@portico/wallet-connect/protocol'
import type { Prompt } from '@portico/wallet-connect/wallet'
import type { ActRequest, ConnectRequest } from '../approval-prompt.ts'
import type { Decision } from '../connection-state.ts'

/** A request without the number of those waiting, which the connection adds. */
type PendingPrompt = Omit<ConnectRequest, 'waiting'> | Omit<ActRequest, 'waiting'>

/**
 * Prompts the user and returns the key store's result.
 *
 * @throws WalletError - `rejected` if the user declined or the page withdrew the request
 */
export type PromptUser = (
  prompt: Omit<ConnectRequest, 'id' | 'waiting'> | Omit<ActRequest, 'id' | 'waiting'>,
  request: Prompt,
) => Promise<ApprovalResult>

/** The request that the user is deciding, and how the previous one ended. Requests arrive one at a time. */
export interface UserPrompts {
  readonly current: () => PendingPrompt | undefined
  readonly decided: () => Decision | undefined
  readonly promptUser: PromptUser
  /** Commits the current request before it is carried out; false if the page has withdrawn it. */
  readonly commit: (promptId: number) => boolean
  /** Answers the current request with the approval's result, or declines it. */
  readonly answer: (promptId: number, result: ApprovalResult | undefined) => void
}

export function userPrompts(onChange: () => void): UserPrompts {
  let count = 0
  let decided: Decision | undefined
  let pending:
    | {
        readonly prompt: PendingPrompt
        readonly commit: () => boolean
        readonly settle: (result: ApprovalResult | undefined) => void
      }
    | undefined

  return {
    current: () => pending?.prompt,
    decided: () => decided,
    async promptUser(prompt, { signal, commit }) {
      signal.throwIfAborted()
      const { promise, resolve: settle } = Promise.withResolvers<ApprovalResult | undefined>()
      let isCommitted = false
      count += 1
      pending = {
        prompt: { ...prompt, id: count },
        commit() {
          if (signal.aborted) return false
          commit()
          isCommitted = true
          return true
        },
        settle,
      }
      // A committed request may already have been carried out, so only its result ends it.
      signal.addEventListener('abort', () => isCommitted || settle(undefined))
      onChange()
      const result = await promise
      pending = undefined
      const kind = prompt.kind === 'connect' ? 'connect' : prompt.request.kind
      const isWithdrawn = signal.aborted && !isCommitted
      decided = { kind, how: isWithdrawn ? 'withdrawn' : answerOf(result) }
      onChange()
      if (result === undefined) throw new WalletError('rejected', 'The user declined the request.')
      return result
    },
    commit(promptId) {
      if (pending?.prompt.id !== promptId) return false
      const isCommitted = pending.commit()
      // The page ended the connection after an earlier attempt to carry this out.
      if (!isCommitted) pending.settle(undefined)
      return isCommitted
    },
    answer(promptId, result) {
      if (pending?.prompt.id === promptId) pending.settle(result)
    },
  }
}

function answerOf(result: ApprovalResult | undefined): 'agreed' | 'failed' | 'refused' {
  if (result === undefined) return 'refused'
  return result.kind === 'send' && (result.txResponse['code'] ?? 0) !== 0 ? 'failed' : 'agreed'
}
