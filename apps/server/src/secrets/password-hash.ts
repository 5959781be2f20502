import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { Gauge, Histogram, type Metric } from 'prom-client'
import { traced } from '../tracing/tracing.ts'
import { readForeignHash } from './foreign-hash.ts'

/** argon2id with 19 MiB and 2 passes, OWASP's first recommendation. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const OWN_FORM = '$argon2id$v=19$m=19456,t=2,p=1$'

/**
 * One hash per core at a time. More would not finish sooner, but would starve the event loop and the thread pool, so that a
 * burst of logins would slow down every signed-in user.
 */
const limitConcurrency = pLimit(availableParallelism())

const waitTime = new Histogram({
  name: 'portico_password_hash_wait_seconds',
  help: 'How long password hashes waited for a core.',
  buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10],
  registers: [],
})
const queueLength = new Gauge({
  name: 'portico_password_hash_queue_length',
  help: 'Password hashes that wait for a core.',
  registers: [],
  collect() {
    this.set(limitConcurrency.pendingCount)
  },
})

/** The queue's metrics. Like the cores, the queue is shared by all servers in the process. */
export const PASSWORD_HASH_METRICS: readonly Metric[] = [waitTime, queueLength]

/** Runs a hash when a core is free. */
function runHash<Result>(run: () => Promise<Result>): Promise<Result> {
  const queuedAt = performance.now()
  return traced('password hash', () =>
    limitConcurrency(() => {
      waitTime.observe((performance.now() - queuedAt) / 1000)
      return run()
    }),
  )
}

/** Other products' hashes may take a second, so one core is reserved for ours. */
const limitForeign = pLimit(Math.max(1, availableParallelism() - 1))

/** Verified when there is no stored hash, so that a missing account takes as long as a wrong password. */
const DUMMY_HASH = await hash('dummy password', OPTIONS)

export function hashPassword(password: string): Promise<string> {
  return runHash(() => hash(password.normalize('NFKC'), OPTIONS))
}

/** Takes the same time if there is no stored hash. Another product's hash takes its own time. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored !== null && !stored.startsWith(OWN_FORM)) return verifyForeign(stored, password)
  const compared = stored ?? DUMMY_HASH
  const normalized = password.normalize('NFKC')
  const matches =
    (await runHash(() => verify(compared, normalized))) ||
    // Another product's hash with our parameters. Without a stored hash too, for the same time.
    (password !== normalized && (await runHash(() => verify(compared, password))))
  return matches && stored !== null
}

/** Other products did not normalize passwords. */
function verifyForeign(stored: string, password: string): Promise<boolean> {
  const foreign = readForeignHash(stored)
  if ('error' in foreign) throw new Error(`A stored password hash ${foreign.error}`)
  return limitForeign(() => runHash(() => foreign.verify(password)))
}
