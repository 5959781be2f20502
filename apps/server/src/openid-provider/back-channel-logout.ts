/**
 * Notifies clients that a session has ended (OpenID Connect Back-Channel Logout), however and on whichever node it ended.
 * Instead of being called wherever a session ends, it polls for recently ended sessions, and for all ended sessions at
 * startup and every hour. Each client has a lane, so that one that does not answer delays no other. Notices that a client does not accept
 * are retried with increasing delays.
 */
import type { Provider } from 'oidc-provider'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Stores } from '../stores.ts'
import type { OpenidMetrics } from './metrics.ts'
import type { DueLogout } from './openid.store.ts'
import { sessionIdAt } from './provider-session.ts'

const INTERVAL_MS = 2000
/** Longer than any transaction and any clock difference between nodes. */
const RECENT_MS = 60_000
const FULL_SCAN_INTERVAL_MS = 60 * 60 * 1000
/** The concurrent notices to one client. A client that fails gets one at a time. */
const CONCURRENT = 8
const FIRST_RETRY_MS = 10_000
const MAX_RETRY_MS = 60 * 60 * 1000

interface LogoutDeps {
  readonly stores: Pick<Stores, 'openid'>
  readonly clock: Clock
  readonly metrics: OpenidMetrics
  readonly log: Logger
  readonly providerOf: (issuer: string) => Promise<Provider>
}

/** Sends notices periodically. Returns a function that stops it. */
export function startBackChannelLogout(deps: LogoutDeps): () => Promise<void> {
  let last = Promise.resolve()
  let isLooking = false
  const stop = new AbortController()
  let allAt = Number.NEGATIVE_INFINITY
  const lanes = new Map<string, Promise<void>>()
  const failing = new Set<string>()

  /** Sends until nothing is due, or the client fails. */
  const runLane = async (clientId: string) => {
    while (!stop.signal.aborted) {
      const limit = failing.has(clientId) ? 1 : CONCURRENT
      const due = await deps.stores.openid.listDueLogouts(clientId, deps.clock(), limit)
      if (due.length === 0) return
      // If the result of one cannot be stored, the lane ends only after the others.
      const sending = due.map((notice) => sendLogout(deps, notice))
      await Promise.allSettled(sending)
      const results = await Promise.all(sending)
      if (results.includes('accepted')) failing.delete(clientId)
      if (!results.includes('failed')) continue
      failing.add(clientId)
      return
    }
  }

  const startLanes = async () => {
    for (const clientId of await deps.stores.openid.listClientsWithDueLogouts(deps.clock())) {
      if (lanes.has(clientId)) continue
      const lane = runLane(clientId)
        .catch((error: unknown) =>
          deps.log.error({ err: error, client: clientId }, 'back-channel logout failed'),
        )
        .finally(() => lanes.delete(clientId))
      lanes.set(clientId, lane)
    }
  }

  const look = async () => {
    const at = deps.clock()
    if (at - allAt >= FULL_SCAN_INTERVAL_MS) {
      await deps.stores.openid.queueAllLogouts(at)
      allAt = at
    } else await deps.stores.openid.queueLogouts(at - RECENT_MS, at)
    if (!stop.signal.aborted) await startLanes()
  }
  const looking = setInterval(() => {
    if (isLooking) return
    isLooking = true
    last = look()
      .catch((error: unknown) => deps.log.error({ err: error }, 'back-channel logout failed'))
      .finally(() => {
        isLooking = false
      })
  }, INTERVAL_MS)
  return async () => {
    stop.abort()
    clearInterval(looking)
    await last
    await Promise.all(lanes.values())
  }
}

/** Another node may have claimed the notice, or the client may be gone. */
type SendResult = 'accepted' | 'failed' | 'not-sent'

async function sendLogout(
  { stores, clock, metrics, log, providerOf }: LogoutDeps,
  notice: DueLogout,
): Promise<SendResult> {
  const { id, issuer, clientId, sessionId, identityId, logoutAttempts } = notice
  const delay = Math.min(FIRST_RETRY_MS * 2 ** logoutAttempts, MAX_RETRY_MS)
  if (!(await stores.openid.claimLogout(notice, clock() + delay))) return 'not-sent'
  const client = await (await providerOf(issuer)).Client.find(clientId)
  // The client was removed or disabled in the meantime.
  if (client === undefined) {
    await stores.openid.deleteAuthorization(id)
    return 'not-sent'
  }
  try {
    await client.backchannelLogout(identityId, sessionIdAt(clientId, sessionId))
    metrics.countLogout('accepted')
    await stores.openid.deleteAuthorization(id)
    return 'accepted'
  } catch (error) {
    metrics.countLogout('failed')
    log.warn({ err: error, client: clientId, delay }, 'a client did not accept a logout')
    return 'failed'
  }
}
