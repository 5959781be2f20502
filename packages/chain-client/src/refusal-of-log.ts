import { Refusal } from '@portico/contracts/errors'
import { chainErrorCode } from '@portico/rules/chain-error'

/** A node's reason as a refusal. Its own text is only the cause, which no user reads: an unknown reason is `transaction-refused`. */
export function refusalOfLog(log: string): Refusal {
  return new Refusal(chainErrorCode(log) ?? 'transaction-refused', { cause: log })
}

/** A chain call's error, in plain words. */
export function explainedRefusal(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== 'transaction-refused') return error
  return refusalOfLog(error.errors.join(' '))
}
