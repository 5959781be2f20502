import { SEND_WINDOW_MS, SENDS_PER_RECIPIENT } from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import { guessKey } from './guess-key.ts'
import { tooEarly } from './too-early.ts'

/**
 * Counts one more code sent to somebody, whatever it is for and whichever way it goes.
 *
 * @throws Refusal - `too-many-requests` where it would be one too many
 */
export async function countSend(
  { stores, vault, clock }: { stores: AllStores; vault: Vault; clock: Clock },
  email: string,
  visitor: Visitor,
): Promise<void> {
  const at = clock()
  const key = await guessKey(stores, vault, email, visitor.deviceCookie)
  const sends = await stores.counters.count(`send ${key}`, at, SEND_WINDOW_MS)
  if (sends.count > SENDS_PER_RECIPIENT) throw tooEarly(sends.until, at)
}
