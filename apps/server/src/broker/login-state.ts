import { randomSecret, sha256 } from '../secrets/hashes.ts'

/** The state of a login travels through the browser and the provider; only its hash is stored. */
export function newLoginState(): { readonly state: string; readonly stateHash: string } {
  const state = randomSecret()
  return { state, stateHash: sha256(state) }
}

/** The name of the cookie that holds the browser's part of a login. */
export function cookieNameOf(stateHash: string): string {
  return stateHash.slice(0, 12)
}
