import type { Visitor } from '../http/visitor.ts'
import { randomSecret, sha256 } from '../secrets/hashes.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'

/** A login's state travels through the browser and the provider. Only its hash is stored. */
export function newLoginState(): { readonly state: string; readonly stateHash: string } {
  const state = randomSecret()
  return { state, stateHash: sha256(state) }
}

/** The name of the cookie that binds a login to the browser. */
export function cookieNameOf(stateHash: string): string {
  return stateHash.slice(0, 12)
}

/**
 * Returns a function that tells whether a state is that of a login which this browser began, or which started its session. A
 * link of another site can name any state.
 */
export function ownProviderLogins(stores: Pick<Stores, 'providerLogins'>) {
  return async (
    state: string,
    visitor: Pick<Visitor, 'providerLoginCookie'>,
    session: Pick<OpenSession, 'id'> | undefined,
  ): Promise<boolean> => {
    const stateHash = sha256(state)
    if (visitor.providerLoginCookie(cookieNameOf(stateHash)) !== undefined) return true
    const login = session && (await stores.providerLogins.findBySession(session.id))
    return login?.stateHash === stateHash
  }
}
