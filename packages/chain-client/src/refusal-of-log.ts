import { Refusal } from '@portico/contracts/local-refusal'
import { chainErrorCode } from '@portico/rules/chain-error'

/** A node's reason as a refusal; an unknown reason becomes `transaction-refused` with the node's text. */
export function refusalOfLog(log: string): Refusal {
  const code = chainErrorCode(log)
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
