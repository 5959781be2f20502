/**
 * The provider's storage. Its sessions are views of ours, so none is stored and none outlives ours. Everything else is a
 * record.
 */
import { DAY_MS } from '@portico/contracts/limits'
import type { Adapter } from 'oidc-provider'
import type { Clock } from '../clock.ts'
import type { OpenSessionRow } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'
import { sessionIdAt } from './provider-session.ts'

export interface ReusedErrors {
  readonly reusedGrant: () => Error
  readonly reusedRequest: () => Error
  readonly tooLong: () => Error
}

/** Longer than any real authorization request. Anyone can have one stored, without an account. */
const MAX_REQUEST_LENGTH = 8 * 1024
const REQUESTS = ['Interaction', 'PushedAuthorizationRequest']
/** Not kept after they have expired: reusing them revokes nothing. */
const NOT_KEPT = ['Interaction', 'ReplayDetection']

export function recordsAdapter(deps: {
  readonly stores: Pick<Stores, 'openid' | 'sessions'>
  readonly clock: Clock
  readonly errors: ReusedErrors
}): (kind: string) => Adapter {
  const { stores, clock, errors } = deps
  const { openid, sessions } = stores

  // Reusing a code revokes its grant even after the code has expired, so such records are kept for another day.
  const find = async (
    kind: string,
    id: string,
  ): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const record = await openid.findRecord(kind, id)
    if (record === undefined) return undefined
    const { payload, consumedAt, expiresAt } = record
    // Housekeeping has not deleted it yet.
    if (NOT_KEPT.includes(kind) && expiresAt <= clock()) return undefined
    return {
      ...(JSON.parse(payload) as Record<string, unknown>), // Only `upsert` writes it.
      jti: id,
      ...(consumedAt === null ? {} : { consumed: Math.floor(consumedAt / 1000) }),
    }
  }

  const records = (kind: string): Adapter => ({
    async upsert(id, payload, expiresInS = 0) {
      const grantId = kind === 'Grant' ? id : payload['grantId']
      const at = clock()
      const text = JSON.stringify({
        ...payload,
        jti: undefined,
        // Who was signed in when an interaction began is irrelevant when it ends.
        ...(kind === 'Interaction' && { session: undefined }),
      })
      if (REQUESTS.includes(kind) && text.length > MAX_REQUEST_LENGTH) throw errors.tooLong()
      const record = {
        kind,
        id,
        payload: text,
        createdAt: at,
        expiresAt: at + expiresInS * 1000 + (NOT_KEPT.includes(kind) ? 0 : DAY_MS),
      }
      if (kind === 'ReplayDetection') {
        if (!(await openid.insertRecord(record))) throw errors.reusedGrant()
        return
      }
      await openid.upsertRecord({
        ...record,
        // An interaction may reference an earlier grant and must not be deleted with it.
        grantId: typeof grantId === 'string' && kind !== 'Interaction' ? grantId : null,
      })
    },
    find: (id) => find(kind, id),
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    async consume(id) {
      if (await openid.consumeRecord(kind, id, clock())) return
      // Two requests read the code or token before either used it. The later one revokes the grant, like any reuse.
      const grantId = (await find(kind, id))?.['grantId']
      if (typeof grantId === 'string') await openid.deleteGrant(grantId)
      throw kind === 'PushedAuthorizationRequest' ? errors.reusedRequest() : errors.reusedGrant()
    },
    destroy: (id) => (kind === 'Grant' ? openid.deleteGrant(id) : openid.deleteRecord(kind, id)),
    revokeByGrantId: (grantId) => openid.deleteGrant(grantId),
  })

  const sessionViews: Adapter = {
    upsert: async () => undefined,
    find: async () => undefined,
    async findByUid(uid) {
      const row = (await sessions.findOpen([uid], clock())).get(uid)
      return row && sessionView(row, await openid.listAuthorizations(uid))
    },
    findByUserCode: async () => undefined,
    consume: async () => undefined,
    destroy: async () => undefined,
    revokeByGrantId: async () => undefined,
  }

  return (kind) => (kind === 'Session' ? sessionViews : records(kind))
}

function sessionView(
  { id, identityId }: OpenSessionRow,
  authorizations: Awaited<ReturnType<Stores['openid']['listAuthorizations']>>,
): Record<string, unknown> {
  return {
    kind: 'Session',
    jti: id,
    uid: id,
    accountId: identityId,
    authorizations: Object.fromEntries(
      authorizations.map(({ clientId, grantId }) => [
        clientId,
        { grantId, sid: sessionIdAt(clientId, id) },
      ]),
    ),
  }
}
