import { type ErrorCode, Refusal } from '@portico/contracts/errors'

/** Texts of nodes, from the Cosmos SDK and its group module, that a user can act on. */
const CODES: readonly (readonly [RegExp, ErrorCode])[] = [
  [/insufficient fee/i, 'fee-too-low'],
  [/insufficient funds/i, 'insufficient-funds'],
  [/account sequence mismatch|incorrect account sequence/i, 'sequence-mismatch'],
  [/store vote: unique constraint/i, 'already-voted'],
  [/load proposal: not found/i, 'proposal-over'],
  [/voter address: \w+: not found/i, 'not-a-member'],
  [/voting period has ended|not open for voting/i, 'voting-ended'],
  [/not in group: \w+/i, 'not-a-member'],
  [/(?:exec|withdraw).+proposal.+status/i, 'proposal-over'],
  [/unable to resolve type URL|no message handler found/i, 'message-not-supported'],
]

/** A node's reason as a refusal; an unknown reason becomes `transaction-refused` with the node's text. */
export function refusalOfLog(log: string): Refusal {
  const [, code] = CODES.find(([pattern]) => pattern.test(log)) ?? []
  return code === undefined
    ? new Refusal('transaction-refused', log === '' ? {} : { errors: [log] })
    : new Refusal(code, { cause: log })
}

/** A chain call's error, with the node's reason in plain words if it is known. */
export function explainedRefusal(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== 'transaction-refused') return error
  const refusal = refusalOfLog(error.errors.join(' '))
  return refusal.code === 'transaction-refused' ? error : refusal
}
