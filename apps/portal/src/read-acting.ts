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
  const principal = storage.read(STORAGE_KEYS.ownerWallet)
  try {
    return await client(readAccountAccess, { query: principal ? { principal } : {} })
  } catch (error) {
    // The stored selection may belong to a previous user of this tab. The pages work without it.
    failureOf(error)
    return undefined
  }
}
