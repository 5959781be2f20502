/** Decision policies of groups, and their decisions (x/group of the Cosmos SDK 0.50). */
import {
  type DecisionPolicyWindows,
  PercentageDecisionPolicy,
  ThresholdDecisionPolicy,
} from 'cosmjs-types/cosmos/group/v1/types'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import * as z from 'zod/mini'
import { ChainFailure } from './chain-failure.ts'
import { isShare, parseDecimal } from './decimal.ts'
import { readBytes } from './read-bytes.ts'

/** How long after its voting period an accepted proposal can be executed: two weeks. */
export const MAX_EXECUTION_PERIOD_MS = 1_209_600_000
/** A longer period has no representable end. */
const MAX_PERIOD_S = 3_155_760_000n

const Stored = z.object({
  threshold: z.optional(z.string()),
  percentage: z.optional(z.string()),
  windows: z.object({ voting_period: z.string(), min_execution_period: z.string() }),
})

/** The weight of each kind of vote, in millionths. */
export interface Tally {
  readonly yes: bigint
  readonly abstain: bigint
  readonly no: bigint
  readonly veto: bigint
}

/**
 * Converts a decision policy to the format of the REST interface, in which it is stored.
 *
 * @throws ChainFailure - `group-invalid`
 */
export function readDecisionPolicy(policy: Any | undefined): string {
  const { typeUrl, value } = policy ?? { typeUrl: '', value: new Uint8Array() }
  if (typeUrl === ThresholdDecisionPolicy.typeUrl) {
    const { threshold, windows } = readBytes(ThresholdDecisionPolicy, value)
    if (!isPositive(threshold)) throw new ChainFailure('group-invalid', 'threshold')
    return JSON.stringify({ '@type': typeUrl, threshold, windows: windowsOf(windows) })
  }
  if (typeUrl === PercentageDecisionPolicy.typeUrl) {
    const { percentage, windows } = readBytes(PercentageDecisionPolicy, value)
    if (!isPositive(percentage) || Number(percentage) > 1) {
      throw new ChainFailure('group-invalid', 'percentage')
    }
    return JSON.stringify({ '@type': typeUrl, percentage, windows: windowsOf(windows) })
  }
  throw new ChainFailure('group-invalid', 'decision policy')
}

const isPositive = (text: string) => (parseDecimal(text) ?? 0n) > 0n

function windowsOf(windows: DecisionPolicyWindows | undefined) {
  const voting = windows?.votingPeriod.seconds ?? 0n
  const waiting = windows?.minExecutionPeriod.seconds ?? 0n
  if (voting <= 0n) throw new ChainFailure('group-invalid', 'voting period cannot be zero')
  if (voting > MAX_PERIOD_S) throw new ChainFailure('group-invalid', 'voting period too long')
  const last = voting + BigInt(MAX_EXECUTION_PERIOD_MS / 1000)
  if (waiting < 0n || waiting > last) {
    throw new ChainFailure(
      'group-invalid',
      'min_execution_period should be smaller than voting_period + max_execution_period',
    )
  }
  return { voting_period: `${voting}s`, min_execution_period: `${waiting}s` }
}

/** The periods of a stored policy. */
export function periodsOf(stored: string): { votingMs: number; minExecutionMs: number } {
  const { windows } = Stored.parse(JSON.parse(stored))
  const milliseconds = (text: string) => Number.parseInt(text, 10) * 1000
  return {
    votingMs: milliseconds(windows.voting_period),
    minExecutionMs: milliseconds(windows.min_execution_period),
  }
}

/** Decides a vote. It is final as soon as no further vote can change it. */
export function decide(
  stored: string,
  { yes, abstain, no, veto }: Tally,
  total: bigint,
): { isAllowed: boolean; isFinal: boolean } {
  const { threshold, percentage } = Stored.parse(JSON.parse(stored))
  const undecided = total - yes - abstain - no - veto
  const isEnough = (weight: bigint) => {
    if (threshold === undefined) return isShare(weight, total, parseDecimal(percentage ?? '') ?? 0n)
    // A threshold above the total weight needs every member.
    const required = parseDecimal(threshold) ?? 0n
    return weight >= (required < total ? required : total)
  }
  if (isEnough(yes)) return { isAllowed: true, isFinal: true }
  return { isAllowed: false, isFinal: !isEnough(yes + undecided) }
}
