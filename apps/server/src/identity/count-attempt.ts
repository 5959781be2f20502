import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { AttemptKey } from '../limits/attempts.store.ts'
import { tooManyAttempts } from '../limits/too-many-attempts.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import { attemptKey } from './attempt-key.ts'

/**
 * Takes one of the guesses that somebody has, before it is looked at; gives the name it is counted under.
 *
 * @throws Refusal - `too-many-requests` where none is left
 */
export async function countAttempt(
  { stores, vault, clock }: { stores: AllStores; vault: Vault; clock: Clock },
  email: string,
  visitor: Visitor,
): Promise<AttemptKey> {
  const at = clock()
  const key = await attemptKey(stores, vault, { email, visitor, at })
  const guess = await stores.guesses.take(key, at)
  if (!guess.allowed) throw tooManyAttempts(guess.until, clock())
  return key
}
