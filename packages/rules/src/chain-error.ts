/** Without the sentences of the codes, which the extension's worker does not need. */
import type { ErrorCode } from '@portico/contracts/errors'

/** Texts of nodes, from the Cosmos SDK and its group module, that a user can act on. */
const CODES: readonly (readonly [RegExp, ErrorCode])[] = [
  [/insufficient fee/i, 'fee-too-low'],
  [
    /insufficient funds|account \w+ not found|does not exist: unknown address/i,
    'insufficient-funds',
  ],
  [/out of gas/i, 'fee-too-low'],
  [/account sequence mismatch|incorrect account sequence/i, 'sequence-mismatch'],
  [/store vote: unique constraint/i, 'already-voted'],
  [/load proposal: not found/i, 'proposal-over'],
  [/voter address: \w+: not found/i, 'not-a-member'],
  [/voting period has ended|not open for voting/i, 'voting-ended'],
  [/not in group: \w+/i, 'not-a-member'],
  [/(?:exec|withdraw).+proposal.+status/i, 'proposal-over'],
  [/unable to resolve type URL|no message handler found/i, 'message-not-supported'],
]

/** The code of a chain's common error; undefined for any other one. */
export function chainErrorCode(log: string): ErrorCode | undefined {
  return CODES.find(([pattern]) => pattern.test(log))?.[1]
}

/** The code of the error of a group's proposal, which the group pays for. */
export function proposalErrorCode(log: string): ErrorCode | undefined {
  const code = chainErrorCode(log)
  return code === 'insufficient-funds' ? 'group-funds-insufficient' : code
}
