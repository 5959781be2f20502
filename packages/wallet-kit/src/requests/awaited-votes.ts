/** Follows the proposals that pages wait for. A page's request stays unanswered until the group has decided. */
import { Refusal } from '@portico/contracts/errors'
import type { ApprovalResult, Proposed } from '@portico/contracts/hosted-wallet'

/** The response of the chain for a proposal's page as soon as the group has decided; undefined before. */
export type ProposalOutcome = (
  proposed: Proposed,
) => Promise<Readonly<Record<string, unknown>> | undefined>

export interface AwaitedVotes {
  /** Settles when the group has decided. Rejects with the reason of the signal. */
  readonly follow: (proposed: Proposed, signal: AbortSignal) => Promise<ApprovalResult>
  /** Polls the chain now, after the device or this process may have slept. */
  readonly wake: () => void
}

/** How often the chain is polled for the decision of a group. */
const MIN_POLL_MS = 2000
const MAX_POLL_MS = 30_000

export function awaitedVotes(deps: {
  readonly proposalOutcome: ProposalOutcome
  /** Calls back after a time; returns a function that cancels it. */
  readonly after?: ((milliseconds: number, callback: () => void) => () => void) | undefined
  readonly report: (error: unknown) => void
}): AwaitedVotes {
  const { proposalOutcome, after = afterTimeout, report } = deps
  /** End the pauses between two polls. */
  const pauses = new Set<() => void>()

  /** Returns true if `wake` ended the pause. */
  async function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const wake = () => resolve(true)
    const cancel = after(milliseconds, () => resolve(false))
    pauses.add(wake)
    signal.addEventListener('abort', wake)
    try {
      return await promise
    } finally {
      cancel()
      pauses.delete(wake)
      signal.removeEventListener('abort', wake)
    }
  }

  return {
    async follow(proposed, signal) {
      let delay = MIN_POLL_MS
      for (;;) {
        signal.throwIfAborted()
        const txResponse = await proposalOutcome(proposed).catch((error: unknown) => {
          // A node that does not respond now is polled again.
          if (!(error instanceof Refusal)) report(error)
        })
        signal.throwIfAborted()
        if (txResponse != null) return { kind: 'send', txResponse }
        const isWoken = await pause(delay, signal)
        delay = isWoken ? MIN_POLL_MS : Math.min(2 * delay, MAX_POLL_MS)
      }
    },
    wake() {
      for (const end of pauses) end()
    },
  }
}

export function afterTimeout(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds)
  return () => clearTimeout(timer)
}
