import { UserType } from '@portico/contracts/broker'
import { parseJson } from '@portico/contracts/parse-json'
import type { TextStorage } from '@portico/contracts/text-storage'
import * as z from 'zod/mini'

/** Where a login at an identity provider began, and where it therefore continues. */
const StoredLogin = z.object({
  userType: UserType,
  /** The login page's query, with the redirect target. */
  search: z.string(),
})

type StoredLogin = z.output<typeof StoredLogin>

/** The logins in progress in this tab, keyed by the state nonce that the identity provider returns (§3). */
export function storedLogins(storage: TextStorage) {
  const keyOf = (state: string) => `provider-login ${state}`
  return {
    write: (state: string, login: StoredLogin) =>
      storage.write(keyOf(state), JSON.stringify(login)),
    read: (state: string): StoredLogin | undefined =>
      StoredLogin.safeParse(parseJson(storage.read(keyOf(state)))).data,
    remove: (state: string) => storage.remove(keyOf(state)),
  }
}
