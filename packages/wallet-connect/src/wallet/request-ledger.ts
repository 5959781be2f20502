/**
 * Tracks which requests of a session are answered and which are pending. A repeated id, because a page or
 * relay sent a request again, gets the same response without prompting the user.
 */
export interface RequestLedger {
  /** Enters a request. Returns its abort signal if it is new, or its response if it is already answered. */
  readonly enter: (idText: string, customId: string | undefined) => LedgerEntry
  /** Marks a request as decided by the user; it can no longer be withdrawn. */
  readonly decided: (idText: string) => void
  /** Marks a request as undecided again, because it could not be carried out. */
  readonly undecided: (idText: string) => void
  readonly answered: (idText: string, answer: string) => void
  /** The ids of pending requests. */
  readonly pending: () => readonly string[]
  /** Withdraws the undecided request with this `customId`; not possible while an approved one is carried out. */
  readonly withdraw: (customId: string) => Withdrawal
}

type Withdrawal =
  | { readonly kind: 'withdrawn'; readonly idText: string }
  | { readonly kind: 'decided' }
  | { readonly kind: 'nothing' }

/** The state of a request when it arrives. */
type LedgerEntry =
  | { readonly kind: 'new'; readonly withdrawn: AbortSignal }
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'too-many' }

// Users decide one request at a time; this many pending requests are an attack or a bug.
const PENDING_MAXIMUM = 32

const ANSWERS_KEPT = 200

export function requestLedger(): RequestLedger {
  const pending = new Map<
    string,
    {
      readonly customId: string | undefined
      readonly controller: AbortController
      decided: boolean
    }
  >()
  const answers = new Map<string, string>()
  return {
    enter(idText, customId) {
      const answer = answers.get(idText)
      if (answer !== undefined) return { kind: 'answered', answer }
      if (pending.has(idText)) return { kind: 'pending' }
      if (pending.size >= PENDING_MAXIMUM) return { kind: 'too-many' }
      const controller = new AbortController()
      pending.set(idText, { customId, controller, decided: false })
      return { kind: 'new', withdrawn: controller.signal }
    },
    decided(idText) {
      const entry = pending.get(idText)
      if (entry !== undefined) entry.decided = true
    },
    undecided(idText) {
      const entry = pending.get(idText)
      if (entry !== undefined) entry.decided = false
    },
    answered(idText, answer) {
      pending.delete(idText)
      answers.set(idText, answer)
      const [oldest] = answers.keys()
      if (answers.size > ANSWERS_KEPT && oldest !== undefined) answers.delete(oldest)
    },
    pending: () => [...pending.keys()],
    withdraw(customId) {
      const matching = [...pending].filter(([, each]) => each.customId === customId)
      const [idText, entry] = matching.find(([, each]) => !each.decided) ?? []
      entry?.controller.abort()
      if (idText !== undefined) return { kind: 'withdrawn', idText }
      return { kind: matching.length > 0 ? 'decided' : 'nothing' }
    },
  }
}
