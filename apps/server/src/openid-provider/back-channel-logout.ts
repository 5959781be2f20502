/**
 * Notifies clients that a session has ended (OpenID Connect Back-Channel Logout), however and on whichever node it ended: it looks
 * for the ended sessions instead of being called. A client that does not accept a notice gets it again, later and later.
 */
import type { Provider } from 'oidc-provider'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Stores } from '../stores.ts'
import type { OpenidMetrics } from './metrics.ts'
import type { DueLogout } from './openid.store.ts'
import { sessionIdAt } from './provider-session.ts'

const EVERY_MS = 2000
const BATCH = 50
const FIRST_RETRY_MS = 10_000
const RETRY_MAXIMUM_MS = 60 * 60 * 1000

interface LogoutDeps {
  readonly stores: Pick<Stores, 'openid'>
  readonly clock: Clock
  readonly metrics: OpenidMetrics
  readonly log: Logger
  readonly providerOf: (issuer: string) => Promise<Provider>
}

/** Sends notices regularly. Returns the function that stops it. */
export function startBackChannelLogout(deps: LogoutDeps): () => Promise<void> {
  let last = Promise.resolve()
  let isSending = false
  const sending = setInterval(() => {
    if (isSending) return
    isSending = true
    last = sendDueLogouts(deps)
      .catch((error: unknown) => deps.log.error({ err: error }, 'back-channel logout failed'))
      .finally(() => {
        isSending = false
      })
  }, EVERY_MS)
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
  const delay = Math.min(FIRST_RETRY_MS * 2 ** logoutAttempts, RETRY_MAXIMUM_MS)
  if (!(await stores.openid.claimLogout(notice, clock() + delay))) return
  const client = await (await providerOf(issuer)).Client.find(clientId)
  // Its file was removed or disabled since.
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
