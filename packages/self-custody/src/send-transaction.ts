/**
 * Sends a signed transaction and determines its outcome. The same bytes may be sent any number of times, because the chain
 * accepts each sequence of an account only once.
 */
import type { Chain, TransactionResponse } from '@portico/chain-client/chain'
import { Refusal } from '@portico/contracts/errors'
import * as z from 'zod/mini'

/** How long to wait for a block with the transaction, and how often to poll. */
const INCLUSION_TIMEOUT_MS = 15_000
const INCLUSION_POLL_MS = 1000

/**
 * The number of polls after which a transaction with a used sequence that no block contains counts as impossible to execute.
 * Nodes index a transaction a moment after its block.
 */
const INDEXING_POLLS = 3

export interface SignedTransaction {
  readonly bytes: Uint8Array
  readonly hash: string
  /** The signer's address. */
  readonly address: string
  readonly sequence: bigint
}

export type SendOutcome =
  /** It is in a block; its code says whether its messages succeeded. */
  | { readonly kind: 'included'; readonly response: TransactionResponse }
  /** The chain rejected it, and nothing was executed. */
  | { readonly kind: 'refused'; readonly log: string }
  /** Another transaction has used its sequence, so it can never be executed. `sequence` is the next one. */
  | { readonly kind: 'superseded'; readonly sequence: bigint }

/**
 * @param isFirst - whether these bytes were certainly never sent before
 * @throws Refusal - `transaction-unconfirmed` if the outcome cannot be determined now
 */
export async function sendTransaction(
  transaction: SignedTransaction,
  {
    chain,
    pause,
    isFirst,
  }: {
    readonly chain: Pick<Chain, 'account' | 'submit' | 'transaction'>
    readonly pause: (milliseconds: number) => Promise<void>
    readonly isFirst: boolean
  },
): Promise<SendOutcome> {
  const { hash, address, sequence } = transaction
  const found = isFirst ? undefined : await orUnconfirmed(() => chain.transaction(hash))
  if (found !== undefined) return { kind: 'included', response: found }

  let log = await refusalLog(chain, transaction.bytes)
  // No other call has ever sent it, so a refusal is final.
  if (isFirst && log !== undefined && !isMismatch(log)) return { kind: 'refused', log }

  let usedCount = 0
  let isUnused = false
  for (let waited = 0; waited <= INCLUSION_TIMEOUT_MS; waited += INCLUSION_POLL_MS) {
    if (waited > 0) await pause(INCLUSION_POLL_MS)
    // A node that does not respond now may respond in a second.
    const lookup = await attempt(async () => ({ response: await chain.transaction(hash) }))
    if (lookup?.response !== undefined) return { kind: 'included', response: lookup.response }
    if (log === undefined) continue
    const account = await attempt(() => chain.account(address))
    // The sequence is inconclusive while the node cannot look for the transaction, which may itself have used it.
    const standing = lookup && account
    const isUsed = standing !== undefined && standing.sequence > sequence
    isUnused = standing !== undefined && !isUsed
    if (standing === undefined) continue
    usedCount = isUsed ? usedCount + 1 : 0
    if (usedCount === INDEXING_POLLS) return { kind: 'superseded', sequence: standing.sequence }
    // The transactions before it may have been accepted in the meantime.
    if (!isUsed && isMismatch(log)) log = await refusalLog(chain, transaction.bytes)
  }
  // An earlier attempt could have reached the chain, but no block has it, and it is refused now. A mismatch can come from that
  // attempt waiting for its block, so it is final only without one.
  if (log !== undefined && isUnused && (isFirst || !isMismatch(log))) {
    return { kind: 'refused', log }
  }
  throw new Refusal('transaction-unconfirmed')
}

/**
 * The outcome of a transaction that may have been sent before; undefined while it is undecided or the chain cannot be reached.
 * Sends nothing.
 */
export async function outcomeOnChain(
  { hash, address, sequence }: Omit<SignedTransaction, 'bytes'>,
  {
    chain,
    pause,
  }: {
    readonly chain: Pick<Chain, 'account' | 'transaction'>
    readonly pause: (milliseconds: number) => Promise<void>
  },
): Promise<Exclude<SendOutcome, { kind: 'refused' }> | undefined> {
  return attempt(async () => {
    for (let usedCount = 0; ; usedCount += 1) {
      const response = await chain.transaction(hash)
      if (response !== undefined) return { kind: 'included', response }
      const account = await chain.account(address)
      if (account.sequence <= sequence) return undefined
      if (usedCount === INDEXING_POLLS) return { kind: 'superseded', sequence: account.sequence }
      await pause(INCLUSION_POLL_MS)
    }
  })
}

const isMismatch = (log: string) => /sequence/i.test(log)

const SubmitResponse = z.object({
  code: z._default(z.number(), 0),
  codespace: z._default(z.string(), ''),
  rawLog: z._default(z.string(), ''),
})

/** Submits the transaction. Returns why the node refused it; undefined if it accepted it or already has it. */
async function refusalLog(
  chain: Pick<Chain, 'submit'>,
  bytes: Uint8Array,
): Promise<string | undefined> {
  try {
    const { data } = SubmitResponse.safeParse(await chain.submit(bytes))
    if (data === undefined) throw new Refusal('chain-faulty')
    const { code, codespace, rawLog } = data
    const isKnown = codespace === 'sdk' && code === TX_IN_MEMPOOL_CACHE
    return code === 0 || isKnown ? undefined : rawLog
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const log = error.errors.join(' ')
    if (error.code === 'transaction-refused')
      return /already in|in cache/.test(log) ? undefined : log
    throw new Refusal('transaction-unconfirmed', { cause: error })
  }
}

/** The Cosmos SDK's code for a transaction that the node already has. */
const TX_IN_MEMPOOL_CACHE = 19

async function orUnconfirmed<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    throw new Refusal('transaction-unconfirmed', { cause })
  }
}

async function attempt<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
