import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '@portico/contracts/errors'
import pLimit, { type LimitFunction } from 'p-limit'
import { Counter, Gauge, Histogram, type Metric } from 'prom-client'
import { traced } from '../tracing/tracing.ts'
import { readForeignHash } from './foreign-hash.ts'

/** argon2id with 19 MiB and 2 passes, OWASP's first recommendation. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const OWN_FORM = '$argon2id$v=19$m=19456,t=2,p=1$'

/**
 * One hash per core at a time. More would not finish sooner, but would starve the event loop and the thread pool, so that a
 * burst of logins would slow down every signed-in user.
 */
const CORES = availableParallelism()
const limitConcurrency = pLimit(CORES)

/** Logins wait in a line of their own, so that the hashes of signed-in users wait for one of theirs at most. */
const limitLogins = pLimit(CORES)

/** Other products' hashes may take half a second, so one core is reserved for ours. */
const limitForeign = pLimit(Math.max(1, CORES - 1))
/** Attempts at one account, or from one network, hold up no other: of each, one waits for a core at a time. */
const limitPerHash = limitPerKey()
const limitPerNetwork = limitPerKey()

/** How many logins run or wait: about five seconds of hashing. Further ones are refused at once, so that none waits in vain. */
const LOGIN_PLACES = 160 * CORES
/** How many of them one network may have. */
const LOGIN_PLACES_PER_NETWORK = LOGIN_PLACES / 2
/** How long a hash may wait. Clients and proxies give up after half a minute. */
const MAX_WAIT_MS = 10_000
const RETRY_AFTER_S = 5

/** The client that waits for a hash. */
interface HashClient {
  readonly network: string
  /** Whether the client closed its connection. */
  readonly hasLeft: boolean
}

/** Who waits for a hash, and in which line. */
export interface HashWait {
  readonly client: HashClient
  readonly line: 'logins' | 'others'
}

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
    this.set(limitConcurrency.pendingCount + limitLogins.pendingCount + limitForeign.pendingCount)
  },
})
const skipped = new Counter({
  name: 'portico_password_hash_skipped_total',
  help: 'Password hashes that were not computed, by reason.',
  labelNames: ['reason'],
  registers: [],
})

type SkipReason = 'no-place' | 'waited-too-long' | 'client-left'

for (const reason of ['no-place', 'waited-too-long', 'client-left'] satisfies SkipReason[]) {
  skipped.inc({ reason }, 0)
}

/** The queue's metrics. Like the cores, the queue is shared by all servers in the process. */
export const PASSWORD_HASH_METRICS: readonly Metric[] = [waitTime, queueLength, skipped]

const places = new Map<string, number>()
let placesTaken = 0

/**
 * Runs a login that will hash a password, unless too many others run or wait.
 *
 * @throws Refusal - `busy`
 */
export async function withLoginPlace<Result>(
  { network, hasLeft }: HashClient,
  login: () => Promise<Result>,
): Promise<Result> {
  if (hasLeft) throw skip('client-left')
  const own = places.get(network) ?? 0
  if (placesTaken >= LOGIN_PLACES || own >= LOGIN_PLACES_PER_NETWORK) throw skip('no-place')
  placesTaken += 1
  places.set(network, own + 1)
  try {
    return await login()
  } finally {
    placesTaken -= 1
    const left = (places.get(network) ?? 0) - 1
    if (left > 0) places.set(network, left)
    else places.delete(network)
  }
}

/** Runs a hash when a core is free, unless its client has left or waited too long. @throws Refusal - `busy` */
function runHash<Result>(
  { client, line }: HashWait,
  run: () => Promise<Result>,
  queuedAt = performance.now(),
): Promise<Result> {
  if (limitConcurrency.pendingCount >= LOGIN_PLACES) throw skip('no-place')
  const hash = () =>
    limitConcurrency(() => {
      const waitedMs = performance.now() - queuedAt
      if (client.hasLeft) throw skip('client-left')
      if (waitedMs > MAX_WAIT_MS) throw skip('waited-too-long')
      waitTime.observe(waitedMs / 1000)
      return run()
    })
  return traced('password hash', () => (line === 'logins' ? limitLogins(hash) : hash()))
}

function skip(reason: SkipReason): Refusal {
  skipped.inc({ reason })
  return new Refusal('busy', { retryAfterS: RETRY_AFTER_S })
}

/** Limits the concurrency to one for each key. */
function limitPerKey() {
  const limits = new Map<string, LimitFunction>()
  return async <Result>(key: string, run: () => Promise<Result>): Promise<Result> => {
    const limit = limits.get(key) ?? pLimit(1)
    limits.set(key, limit)
    try {
      return await limit(run)
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(key)
    }
  }
}

/** Verified when there is no stored hash, so that a missing account takes as long as a wrong password. */
const DUMMY_HASH = await hash('dummy password', OPTIONS)

/** @throws Refusal - `busy` */
export async function hashPassword(password: string, wait: HashWait): Promise<string> {
  return runHash(wait, () => hash(password.normalize('NFKC'), OPTIONS))
}

/**
 * Takes the same time if there is no stored hash. Another product's hash takes its own time.
 *
 * @throws Refusal - `busy`
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
  wait: HashWait,
): Promise<boolean> {
  if (stored !== null && !stored.startsWith(OWN_FORM)) return verifyForeign(stored, password, wait)
  const compared = stored ?? DUMMY_HASH
  const normalized = password.normalize('NFKC')
  const matches =
    (await runHash(wait, () => verify(compared, normalized))) ||
    // Another product's hash with our parameters. Without a stored hash too, for the same time.
    (password !== normalized && (await runHash(wait, () => verify(compared, password))))
  return matches && stored !== null
}

/** Other products did not normalize passwords. */
function verifyForeign(stored: string, password: string, wait: HashWait): Promise<boolean> {
  const foreign = readForeignHash(stored)
  if ('error' in foreign) throw new Error(`A stored password hash ${foreign.error}`)
  const queuedAt = performance.now()
  const verifyForeignHash = () => runHash(wait, () => foreign.verify(password), queuedAt)
  return limitPerHash(stored, () =>
    limitPerNetwork(wait.client.network, () => limitForeign(verifyForeignHash)),
  )
}
