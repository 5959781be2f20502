/**
 * A client that refreshes twice within seconds gets the same successor, because two of its processes refreshed at once or the first
 * response was lost. Any other reuse counts as theft and revokes the grant. The successor is derived from the used token and a
 * random salt, so neither the database nor the token alone yields it.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { Context, Provider, RefreshToken } from 'oidc-provider'
import type { Clock } from '../clock.ts'
import type { Stores } from '../stores.ts'

/** Longer than a client needs to repeat a request whose response was lost. */
const REFRESH_GRACE_MS = 10_000
const KIND = 'RefreshToken'

export function useRefreshGrace(
  { RefreshToken }: Provider,
  deps: {
    readonly stores: Pick<Stores, 'openid'>
    readonly clock: Clock
    readonly contextOf: () => Context | undefined
  },
): void {
  const { stores, clock, contextOf } = deps
  const { openid } = stores
  const { prototype, find } = RefreshToken
  const { consume, generateTokenId } = prototype
  const successors = new WeakMap<RefreshToken, string>()

  /** Whether a request refreshes, as a client that has proved its identity: without proof, anyone could be the client. */
  const isAuthenticatedRefresh = () => {
    const { route, client } = contextOf()?.oidc ?? {}
    return route === 'token' && client !== undefined && client.clientAuthMethod !== 'none'
  }

  /** The successor of a token that was used seconds ago, unless the successor was used too: then the client had received it. */
  const findSuccessor = async (token: string): Promise<string | undefined> => {
    const { consumedAt, successorSalt } = (await openid.findRecord(KIND, token)) ?? {}
    if (!consumedAt || !successorSalt || clock() - consumedAt > REFRESH_GRACE_MS) return undefined
    const successor = successorOf(token, successorSalt)
    // The request that used the token may not have stored it yet.
    const stored = await openid.findRecord(KIND, successor)
    return (stored?.consumedAt ?? null) === null ? successor : undefined
  }

  RefreshToken.find = async (...args) => {
    const token = await find.apply(RefreshToken, args)
    if (token?.consumed === undefined || !isAuthenticatedRefresh()) return token
    // The library revokes the grant of a used token.
    if ((await findSuccessor(token.jti)) !== undefined) token.consumed = undefined
    return token
  }

  prototype.consume = async function consumeOnce(this: RefreshToken) {
    if (!isAuthenticatedRefresh()) return consume.call(this)
    const salt = randomBytes(32).toString('base64url')
    const successor = (await openid.consumeRecord(KIND, this.jti, clock(), salt))
      ? successorOf(this.jti, salt)
      : await findSuccessor(this.jti)
    // Consuming a used token revokes its grant.
    if (successor === undefined) return consume.call(this)
    successors.set(this, successor)
  }

  prototype.generateTokenId = function generateSuccessor(this: RefreshToken) {
    const used = contextOf()?.oidc.entities.RotatedRefreshToken
    return (used && successors.get(used)) ?? generateTokenId.call(this)
  }
}

function successorOf(token: string, salt: string): string {
  return createHmac('sha256', token).update(`refresh successor ${salt}`).digest('base64url')
}
