import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { WALLET_NONCE_LIFETIME_MS } from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { bearerText } from '../http/visitor.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'
import type { Tokens } from '../tokens/session-tokens.ts'
import type { ReadWalletToken } from './wallet-token.ts'

/**
 * Issues a nonce for the session's wallet to sign. The authorization header contains the session token or, on the wallet
 * identity path (§7.1), already the wallet token; the cookie identifies the session.
 */
export function nonceIssuer(deps: {
  readonly stores: Pick<Stores, 'walletNonces'>
  readonly sessions: Sessions
  readonly tokens: Tokens
  readonly clock: Clock
  readonly readToken: ReadWalletToken
}) {
  const { stores, sessions, tokens, clock, readToken } = deps
  return async (
    visitor: Visitor,
    authorization: string | string[] | undefined,
  ): Promise<{ hexEncodedNonce: string }> => {
    const token = bearerText(authorization)
    if (token === undefined) throw new Refusal('session-ended')
    const session = await sessions.ofCookie(visitor.sessionCookie)
    if (session === undefined) throw new Refusal('unauthenticated')
    const claims = tokens.read('session', token)
    if (claims === undefined) await readToken(token, visitor)
    else if (claims.sid !== session.id) throw new Refusal('unauthenticated')

    // Plain ASCII, because wallets may show the bytes as text and refuse anything else (protocol 10).
    const nonce = `Sign in to ${visitor.origin} with this wallet: ${randomUUID()}`
    await stores.walletNonces.insert(nonce, session.id, clock() + WALLET_NONCE_LIFETIME_MS)
    return { hexEncodedNonce: Buffer.from(nonce, 'ascii').toString('hex') }
  }
}
