import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { AttemptKey } from '../limits/attempts.store.ts'
import { tooManyAttempts } from '../limits/too-many-attempts.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'
import { attemptKey } from './attempt-key.ts'

/**
 * Counts an attempt before it is verified. Returns its counters, for the refund of a correct one.
 *
 * @throws Refusal - `too-many-requests` during a lockout
 */
export async function countAttempt(
  {
    stores,
    vault,
    clock,
  }: { stores: Pick<Stores, 'attempts' | 'devices' | 'lockoutLinks'>; vault: Vault; clock: Clock },
  email: string,
  visitor: Visitor,
): Promise<AttemptKey> {
  const at = clock()
  const key = await attemptKey(stores, vault, { email, visitor, at })
  const attempt = await stores.attempts.count(key, at)
  if (!attempt.allowed) throw tooManyAttempts(attempt.until, clock())
  return key
}
