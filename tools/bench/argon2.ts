import { child } from './child.ts'
import type { Spread } from './spread.ts'

/** Password hashes to check: as fast as it goes with so many at a time, or at a pace. */
export type Hashing = {
  readonly hash: string
  readonly password: string
  readonly concurrency: number
  /** How long it hashes before anything counts. */
  readonly settlingMs?: number
  readonly forMs: number
  readonly perSecond?: number
}

/** What hashing came to. */
export type HashingOutcome = {
  readonly perSecond: number
  readonly latency: Spread
  readonly processorMs: number
}

/** Checks passwords in a process of its own. */
export async function hashBarely(task: Hashing): Promise<HashingOutcome> {
  await using hashing = child('argon2-process.ts')
  await hashing.hear()
  return await hashing.ask<HashingOutcome>(task)
}
