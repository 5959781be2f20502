import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { GuessKey } from '../limits/guesses.store.ts'
import { tooManyAttempts } from '../limits/too-many-attempts.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import { guessKey } from './guess-key.ts'

/**
 * Takes one of the guesses that somebody has, before it is looked at; gives the name it is counted under.
 *
 * @throws Refusal - `too-many-requests` where none is left
 */
export async function takeGuess(
  { stores, vault, clock }: { stores: AllStores; vault: Vault; clock: Clock },
  email: string,
  visitor: Visitor,
): Promise<GuessKey> {
  const at = clock()
  const key = await guessKey(stores, vault, { email, visitor, at })
  const guess = await stores.guesses.take(key, at)
  if (!guess.allowed) throw tooManyAttempts(guess.until, clock())
  return key
}
