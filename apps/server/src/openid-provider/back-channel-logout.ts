/**
 * Notifies clients that a session has ended (OpenID Connect Back-Channel Logout), however and on whichever node it ended.
 * Instead of being called wherever a session ends, it polls for recently ended sessions, and for all ended sessions at
 * startup and every hour. Notices that a client does not accept are retried with increasing delays.
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
const BATCH = 50
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
  let isSending = false
  let allAt = Number.NEGATIVE_INFINITY
  const look = async () => {
    const at = deps.clock()
    if (at - allAt >= FULL_SCAN_INTERVAL_MS) {
      await deps.stores.openid.queueAllLogouts(at)
      allAt = at
    } else await deps.stores.openid.queueLogouts(at - RECENT_MS, at)
    await sendDueLogouts(deps)
  }
  const sending = setInterval(() => {
    if (isSending) return
    isSending = true
    last = look()
      .catch((error: unknown) => deps.log.error({ err: error }, 'back-channel logout failed'))
      .finally(() => {
        isSending = false
      })
  }, INTERVAL_MS)
  return () => {
    clearInterval(sending)
    return last
  }
}

async function sendDueLogouts(deps: LogoutDeps): Promise<void> {
  const due = await deps.stores.openid.listDueLogouts(deps.clock(), BATCH)
  await Promise.all(due.map((notice) => sendLogout(deps, notice)))
}

async function sendLogout(
  { stores, clock, metrics, log, providerOf }: LogoutDeps,
  notice: DueLogout,
): Promise<void> {
  const { id, issuer, clientId, sessionId, identityId, logoutAttempts } = notice
  const delay = Math.min(FIRST_RETRY_MS * 2 ** logoutAttempts, MAX_RETRY_MS)
  if (!(await stores.openid.claimLogout(notice, clock() + delay))) return
  const client = await (await providerOf(issuer)).Client.find(clientId)
  // The client was removed or disabled in the meantime.
  if (client === undefined) return stores.openid.deleteAuthorization(id)
  try {
    await client.backchannelLogout(identityId, sessionIdAt(clientId, sessionId))
    metrics.countLogout('accepted')
    await stores.openid.deleteAuthorization(id)
  } catch (error) {
    metrics.countLogout('failed')
    log.warn({ err: error, client: clientId, delay }, 'a client did not accept a logout')
  }
}
