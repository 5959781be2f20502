import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import { guessKey } from './guess-key.ts'
import { tooEarly } from './too-early.ts'

/**
 * Takes one of the guesses that somebody has, before it is looked at; gives the name it is counted under.
 *
 * @throws Refusal - `too-many-requests` where none is left
 */
export async function takeGuess(
  { stores, vault, clock }: { stores: AllStores; vault: Vault; clock: Clock },
  email: string,
  visitor: Visitor,
): Promise<string> {
  const key = await guessKey(stores, vault, email, visitor.deviceCookie)
  const guess = await stores.guesses.take(key, clock())
  if (!guess.allowed) throw tooEarly(guess.until, clock())
  return key
}
