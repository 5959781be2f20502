import { ApiError } from '@portico/client/api-error'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { type AccountAccess, readAccountAccess } from '@portico/contracts/wallet'
import { tokenClaims } from '@portico/rules/token-claims'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from './environment.ts'

/** The account the session acts as, preferring the tab's selection (§7.4). */
export async function readActing({
  client,
  jwt,
  storage,
}: Pick<Environment, 'client' | 'storage'> & {
  jwt: Pick<Environment['jwt'], 'read'>
}): Promise<AccountAccess | undefined> {
  // A token without an address acts as no account, and the call would be rejected.
  if (tokenClaims(jwt.read()).addr === undefined) return undefined
  const read = () => {
    const principal = storage.read(STORAGE_KEYS.ownerWallet)
    return client(readAccountAccess, { query: principal ? { principal } : {} })
  }
  try {
    return await read().catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.reason !== 'account-not-authorized') throw error
      // A selection from a previous user of this tab, or of a former account.
      storage.remove(STORAGE_KEYS.ownerWallet)
      return read()
    })
  } catch (error) {
    // Pages work without it.
    failureOf(error)
    return undefined
  }
}
