import { randomSecret, sha256 } from '../secrets/hashes.ts'

/** A login's state travels through the browser and the provider. Only its hash is stored. */
export function newLoginState(): { readonly state: string; readonly stateHash: string } {
  const state = randomSecret()
  return { state, stateHash: sha256(state) }
}

/** The name of the cookie that binds a login to the browser. */
export function cookieNameOf(stateHash: string): string {
  return stateHash.slice(0, 12)
}
