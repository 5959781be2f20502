import { child } from './child.ts'
import type { Spread } from './spread.ts'

/** Password hashes to verify: at full speed with a concurrency, or at a rate. */
export type Hashing = {
  readonly hash: string
  readonly password: string
  readonly concurrency: number
  /** The warm-up time. */
  readonly settlingMs?: number
  readonly forMs: number
  readonly perSecond?: number
}

export type HashingOutcome = {
  readonly perSecond: number
  readonly latency: Spread
  readonly processorMs: number
}

/** Verifies passwords in a separate process. */
export async function measureArgon2(task: Hashing): Promise<HashingOutcome> {
  await using hashing = child('argon2-process.ts')
  await hashing.receive()
  return await hashing.ask<HashingOutcome>(task)
}
