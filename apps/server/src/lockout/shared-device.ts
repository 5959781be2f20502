import type { Visitor } from '../http/visitor.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { TransactionalStores } from '../stores.ts'

/**
 * Runs a transaction that may give the browser a new device ID, then makes the browser's other users recognizable by that ID
 * too. Each of them gets a separate transaction, because one that locked two identities could deadlock with another user's
 * login.
 */
export async function withSharedDevice<Result>(
  stores: TransactionalStores<'devices' | 'identities'>,
  { visitor, at }: { readonly visitor: Visitor; readonly at: number },
  transaction: Promise<Result>,
): Promise<Result> {
  const result = await transaction
  const { deviceCookie: previous, newDevice } = visitor
  if (previous === undefined || newDevice === undefined || previous === newDevice) return result
  try {
    for (const identityId of await stores.devices.listIdentityIds(sha256(previous))) {
      await stores.atomically(async ({ identities, devices }) => {
        // Locked, because the account may be deleted concurrently.
        if ((await identities.findForUpdate(identityId)) === undefined) return
        await devices.upsert(sha256(newDevice), identityId, at)
      })
    }
  } catch {
    // The result is committed. At worst the other users are mailed about a new browser.
  }
  return result
}
