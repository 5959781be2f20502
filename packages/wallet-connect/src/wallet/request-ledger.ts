import { parseRpc } from '../protocol/json-rpc.ts'
import { parseWalletRequest } from '../protocol/methods.ts'
import { storedLength } from '../protocol/stored-length.ts'

/**
 * Tracks which requests of a session are answered and which are pending. A repeated id, because a page or
 * relay sent a request again, gets the same response without prompting the user.
 */
export interface RequestLedger {
  /** Enters a request. Returns its abort signal if it is new, or its response if it is already answered. */
  readonly enter: (request: RequestToEnter) => LedgerEntry
  /** Marks a request as decided by the user; it can no longer be withdrawn. */
  readonly decided: (idText: string) => void
  /** Marks a request as undecided again, because it could not be carried out. */
  readonly undecided: (idText: string) => void
  readonly answered: (idText: string, answer: string) => void
  /** The ids of pending requests. */
  readonly pending: () => readonly string[]
  /** Withdraws the undecided request with this `customId`; not possible while an approved one is carried out. */
  readonly withdraw: (customId: string) => Withdrawal
  /** The contents to store. */
  readonly contents: () => LedgerContents
}

interface RequestToEnter {
  readonly idText: string
  readonly customId: string | undefined
  /** Whether it withdraws another request. It is answered at once, so it is entered even if too many wait. */
  readonly isWithdrawal: boolean
  /** The whole request. */
  readonly text: string
  /** Epoch milliseconds. */
  readonly arrivedAt: number
}

/** A request in storage that is not answered yet. */
interface StoredRequest {
  readonly text: string
  /** Epoch milliseconds. */
  readonly arrivedAt: number
  /** Whether the user had approved it, so that it may have been carried out. */
  readonly decided: boolean
}

/** The pending requests and the recent answers, oldest first. */
export interface LedgerContents {
  readonly pending: readonly StoredRequest[]
  readonly answers: readonly { readonly idText: string; readonly text: string }[]
}

type Withdrawal =
  | { readonly kind: 'withdrawn'; readonly idText: string }
  | { readonly kind: 'decided' }
  | { readonly kind: 'nothing' }

/** The state of a request when it arrives. */
type LedgerEntry =
  | {
      readonly kind: 'new'
      readonly withdrawn: AbortSignal
      readonly arrivedAt: number
      /** Whether it is served again after a restart. */
      readonly isResumed: boolean
    }
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'too-large' }

/** How much a ledger keeps. Lengths are those in storage. */
interface LedgerLimits {
  readonly pendingLength: number
  readonly answers: number
  readonly answersLength: number
}

// Users decide one request at a time; this many pending requests are an attack or a bug.
const MAX_PENDING = 32

export const LIMITS_IN_MEMORY: LedgerLimits = {
  pendingLength: Number.POSITIVE_INFINITY,
  answers: 200,
  answersLength: Number.POSITIVE_INFINITY,
}

/** Every change writes the whole ledger, and extensions may store 10 MB in total, for 20 connections and the keys. */
export const LIMITS_IN_STORAGE: LedgerLimits = {
  pendingLength: 128 * 1024,
  answers: 50,
  answersLength: 32 * 1024,
}

/** Creates a ledger, with the requests that `resumed` contains still to be entered again. */
export function requestLedger(
  limits: LedgerLimits = LIMITS_IN_MEMORY,
  resumed?: LedgerContents,
): RequestLedger {
  const pending = new Map<
    string,
    {
      readonly request: RequestToEnter
      readonly controller: AbortController
      decided: boolean
      isResumed: boolean
    }
  >()
  const answers = new Map(resumed?.answers.map(({ idText, text }) => [idText, text]))
  let pendingLength = 0
  let answersLength = 0
  for (const text of answers.values()) answersLength += storedLength(text)

  for (const { text, arrivedAt, decided } of resumed?.pending ?? []) {
    const request = parseRpc(text)
    if (request?.kind !== 'request') continue
    const { idText } = request
    const entry = { idText, ...entryFields(parseWalletRequest(request)), text, arrivedAt }
    pending.set(idText, {
      request: entry,
      controller: new AbortController(),
      decided,
      isResumed: true,
    })
    pendingLength += storedLength(text)
  }

  function dropOldestAnswers(): void {
    for (const [idText, text] of answers) {
      if (answers.size <= 1) return
      if (answers.size <= limits.answers && answersLength <= limits.answersLength) return
      answers.delete(idText)
      answersLength -= storedLength(text)
    }
  }

  function remove(idText: string): void {
    const { request } = pending.get(idText) ?? {}
    if (request !== undefined) pendingLength -= storedLength(request.text)
    pending.delete(idText)
  }

  return {
    enter(request) {
      const { idText, text } = request
      const answer = answers.get(idText)
      if (answer !== undefined) return { kind: 'answered', answer }
      const known = pending.get(idText)
      if (known !== undefined) {
        if (!known.isResumed) return { kind: 'pending' }
        known.isResumed = false
        const { arrivedAt } = known.request
        return { kind: 'new', withdrawn: known.controller.signal, arrivedAt, isResumed: true }
      }
      // Encoding a far too long text would take long, too.
      const length = text.length > limits.pendingLength ? text.length : storedLength(text)
      if (length > limits.pendingLength) return { kind: 'too-large' }
      const isFull = pending.size >= MAX_PENDING || pendingLength + length > limits.pendingLength
      if (isFull && !request.isWithdrawal) return { kind: 'too-many' }
      const controller = new AbortController()
      pending.set(idText, { request, controller, decided: false, isResumed: false })
      pendingLength += length
      const { arrivedAt } = request
      return { kind: 'new', withdrawn: controller.signal, arrivedAt, isResumed: false }
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
      remove(idText)
      const former = answers.get(idText)
      answersLength += storedLength(answer) - (former === undefined ? 0 : storedLength(former))
      answers.set(idText, answer)
      dropOldestAnswers()
    },
    pending: () => [...pending.keys()],
    withdraw(customId) {
      const matching = [...pending].filter(([, { request }]) => request.customId === customId)
      const [idText, entry] = matching.find(([, each]) => !each.decided) ?? []
      entry?.controller.abort()
      if (idText !== undefined) return { kind: 'withdrawn', idText }
      return { kind: matching.length > 0 ? 'decided' : 'nothing' }
    },
    contents: () => ({
      pending: [...pending.values()].map(({ request: { text, arrivedAt }, decided }) => ({
        text,
        arrivedAt,
        decided,
      })),
      answers: [...answers].map(([idText, text]) => ({ idText, text })),
    }),
  }
}

/** What a ledger knows of a parsed request. */
export function entryFields(
  parsed: ReturnType<typeof parseWalletRequest>,
): Pick<RequestToEnter, 'customId' | 'isWithdrawal'> {
  return {
    customId: 'customId' in parsed ? parsed.customId : undefined,
    isWithdrawal: 'action' in parsed && parsed.action === 'removePendingMethod',
  }
}
