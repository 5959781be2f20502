import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { concurrencyLimit } from './concurrency-limit.ts'

/** argon2id, 19 MiB, 2 passes: the first setting OWASP recommends. */
const SETTING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * One hash for each core at a time. More would not be done sooner; they would take the cores, and the threads of the
 * pool, from everything else, so that a burst of sign-ins held up whoever is signed in.
 */
const inTurn = concurrencyLimit(availableParallelism())

/** A hash that no password has, compared with where there is nobody to compare with, so that it takes as long. */
const NOBODY = await hash('nobody has this password', SETTING)

/** The stored form of a password. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFKC'), SETTING))
}

/** Whether a password is the right one; takes as long where there is no stored hash. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const right = await inTurn(() => verify(stored ?? NOBODY, password.normalize('NFKC')))
  return right && stored !== null
}
