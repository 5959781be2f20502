/**
 * Which requests a session has answered and which are still being decided. An id that comes again, because a page or a
 * relay repeats itself, gets the answer it already got and asks the person nothing.
 */
export interface RequestLedger {
  /** Enters a request. Gives its signal where it is new, its answer where it has one, nothing while it is being decided. */
  readonly enter: (idText: string, customId: string | undefined) => LedgerEntry
  /** The person has decided: from here on it cannot be withdrawn. */
  readonly decided: (idText: string) => void
  readonly answered: (idText: string, answer: string) => void
  /** The ids that are being decided. */
  readonly pending: () => readonly string[]
  /** Withdraws the undecided request of that name and gives its id; refused where the person has agreed already. */
  readonly withdraw: (customId: string) => Withdrawal
}

type Withdrawal =
  | { readonly kind: 'withdrawn'; readonly idText: string }
  | { readonly kind: 'decided' }
  | { readonly kind: 'nothing' }

/** What a request turns out to be. */
type LedgerEntry =
  | { readonly kind: 'new'; readonly withdrawn: AbortSignal }
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'too-many' }

// A page asks a person one thing at a time; this many open questions are an attack or a defect.
const PENDING_MAXIMUM = 32

const ANSWERS_KEPT = 200

/** An empty ledger. */
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
    answered(idText, answer) {
      pending.delete(idText)
      answers.set(idText, answer)
      const [oldest] = answers.keys()
      if (answers.size > ANSWERS_KEPT && oldest !== undefined) answers.delete(oldest)
    },
    pending: () => [...pending.keys()],
    withdraw(customId) {
      const named = [...pending].filter(([, each]) => each.customId === customId)
      const [idText, entry] = named.find(([, each]) => !each.decided) ?? []
      entry?.controller.abort()
      if (idText !== undefined) return { kind: 'withdrawn', idText }
      return { kind: named.length > 0 ? 'decided' : 'nothing' }
    },
  }
}
