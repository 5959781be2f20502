import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'

/** argon2id with 19 MiB and 2 passes, OWASP's first recommendation. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * One hash per core at a time. More would finish no sooner, but would starve the event loop and the thread pool, so
 * that a burst of logins would slow down every signed-in user.
 */
const limitConcurrency = pLimit(availableParallelism())

/** Verified when there is no stored hash, so that a missing account takes as long as a wrong password. */
const DUMMY_HASH = await hash('dummy password', OPTIONS)

export function hashPassword(password: string): Promise<string> {
  return limitConcurrency(() => hash(password.normalize('NFKC'), OPTIONS))
}

/** Takes the same time when there is no stored hash. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await limitConcurrency(() =>
    verify(stored ?? DUMMY_HASH, password.normalize('NFKC')),
  )
  return matches && stored !== null
}
