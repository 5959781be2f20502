import { randomUUID } from 'node:crypto'
import { DAY_MS, MAX_SESSION_MS } from '@portico/contracts/limits'
import type { Context, Provider } from 'oidc-provider'
import type { Clock } from '../clock.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'
import type { ClientFile } from './client-file.ts'
import { sessionIdAt } from './provider-session.ts'

/**
 * A session's grant at a client: one for all tabs, with all of the client's scopes. Replaces a grant that was revoked
 * because a code or token was replayed.
 */
export async function grantOf(
  deps: {
    readonly provider: Provider
    readonly stores: Pick<Stores, 'openid'>
    readonly clock: Clock
    readonly clients: ReadonlyMap<string, ClientFile>
  },
  context: Context,
  session: OpenSession | undefined,
) {
  const { provider, stores, clock, clients } = deps
  const client = clients.get(context.oidc.client?.clientId ?? '')
  if (session === undefined || client === undefined) return undefined
  const { clientId } = client
  context.oidc.session?.sidFor(clientId, sessionIdAt(clientId, session.id))
  for (;;) {
    const [known] = (await stores.openid.listAuthorizations(session.id)).filter(
      (authorization) => authorization.clientId === clientId,
    )
    const existing = known && (await provider.Grant.find(known.grantId))
    if (existing !== undefined) return existing
    const grant = new provider.Grant({ accountId: session.identityId, clientId })
    grant.addOIDCScope([...client.scopes, 'offline_access'].join(' '))
    const grantId = await grant.save()
    const at = clock()
    const authorization = {
      id: randomUUID(),
      issuer: provider.issuer,
      sessionId: session.id,
      clientId,
      identityId: session.identityId,
      grantId,
      // A day longer than the session, for retried logout notices.
      expiresAt: at + MAX_SESSION_MS + DAY_MS,
      logoutDueAt: client.backChannelLogoutUri === undefined ? null : at,
    }
    if (await stores.openid.authorize(authorization, known?.grantId)) return grant
    await stores.openid.deleteGrant(grantId)
  }
}
