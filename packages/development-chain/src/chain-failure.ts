/** Errors of the chain software, with the codes and messages of real nodes. */

const FAILURES = {
  'tx-parse': { code: 2, codespace: 'sdk', text: 'tx parse error' },
  unauthorized: { code: 4, codespace: 'sdk', text: 'unauthorized' },
  'insufficient-funds': { code: 5, codespace: 'sdk', text: 'insufficient funds' },
  'unknown-request': { code: 6, codespace: 'sdk', text: 'unknown request' },
  'invalid-address': { code: 7, codespace: 'sdk', text: 'invalid address' },
  'invalid-pubkey': { code: 8, codespace: 'sdk', text: 'invalid pubkey' },
  'unknown-address': { code: 9, codespace: 'sdk', text: 'unknown address' },
  'invalid-coins': { code: 10, codespace: 'sdk', text: 'invalid coins' },
  'out-of-gas': { code: 11, codespace: 'sdk', text: 'out of gas' },
  'memo-too-large': { code: 12, codespace: 'sdk', text: 'memo too large' },
  'insufficient-fee': { code: 13, codespace: 'sdk', text: 'insufficient fee' },
  'no-signatures': { code: 15, codespace: 'sdk', text: 'no signatures supplied' },
  'invalid-request': { code: 18, codespace: 'sdk', text: 'invalid request' },
  'timeout-height': { code: 30, codespace: 'sdk', text: 'tx timeout height' },
  'wrong-sequence': { code: 32, codespace: 'sdk', text: 'incorrect account sequence' },
  'not-supported': { code: 37, codespace: 'sdk', text: 'feature not supported' },
  'not-found': { code: 38, codespace: 'sdk', text: 'not found' },
  'group-empty': { code: 2, codespace: 'group', text: 'value is empty' },
  'group-duplicate': { code: 3, codespace: 'group', text: 'duplicate value' },
  'group-limit': { code: 4, codespace: 'group', text: 'limit exceeded' },
  'group-invalid': { code: 6, codespace: 'group', text: 'invalid value' },
  'group-unauthorized': { code: 7, codespace: 'group', text: 'unauthorized' },
  'group-expired': { code: 9, codespace: 'group', text: 'expired' },
  'not-unique': { code: 13, codespace: 'orm', text: 'unique constraint violation' },
  'no-inputs': { code: 2, codespace: 'bank', text: 'no inputs to send transaction' },
  'no-outputs': { code: 3, codespace: 'bank', text: 'no outputs to send transaction' },
  'sum-mismatch': { code: 4, codespace: 'bank', text: 'sum inputs != sum outputs' },
  'several-senders': { code: 9, codespace: 'bank', text: 'multiple senders not allowed' },
} as const

export type ChainFailureName = keyof typeof FAILURES

/** The chain refuses a transaction. */
export class ChainFailure extends Error {
  readonly code: number
  readonly codespace: string

  constructor(name: ChainFailureName, detail?: string) {
    const { code, codespace, text } = FAILURES[name]
    super(detail === undefined ? text : `${detail}: ${text}`)
    this.code = code
    this.codespace = codespace
  }
}

/** An accepted transaction failed: the fee is charged, and its messages have no effect. */
export class MessageFailure extends Error {
  readonly failure: ChainFailure

  constructor(failure: ChainFailure, index?: number) {
    const where = index === undefined ? '' : `failed to execute message; message index: ${index}: `
    super(`${where}${failure.message}`)
    this.failure = failure
  }
}

/** A group proposal failed: the transaction succeeds, with the proposal marked as failed. */
export class ProposalFailure extends Error {
  /** The number of its execution within the transaction. */
  readonly execution: number

  constructor(execution: number, log: string) {
    super(log)
    this.execution = execution
  }
}
