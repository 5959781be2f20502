import {
  DAY_MS,
  SEND_WINDOW_MS,
  SENDS_PER_RECIPIENT,
  SETUP_TEXTS_PER_NUMBER_AND_DAY,
  TEXTS_PER_ACCOUNT_AND_DAY,
  TEXTS_PER_NETWORK_AND_HOUR,
  TEXTS_PER_NUMBER_AND_DAY,
} from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { tooManyAttempts } from '../limits/too-many-attempts.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'
import { attemptKey } from './attempt-key.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Counts a code sent to a recipient, across all purposes and channels.
 *
 * @throws Refusal - `too-many-requests` above the limit
 */
export async function limitSends(
  {
    stores,
    vault,
    clock,
  }: { stores: Pick<Stores, 'counters' | 'devices' | 'lockoutLinks'>; vault: Vault; clock: Clock },
  email: string,
  visitor: Visitor,
): Promise<void> {
  const at = clock()
  const { name } = await attemptKey(stores, vault, { email, visitor, at })
  const sends = await stores.counters.count(`send ${name}`, at, SEND_WINDOW_MS)
  if (sends.count > SENDS_PER_RECIPIENT) throw tooManyAttempts(sends.until, at)
}

/**
 * Counts a text message per account, per network and per number. Texts that set up a number have a smaller share of its
 * limit, because anyone can enter any number: they must neither flood the number's owner nor block the owner's logins.
 *
 * @throws Refusal - `too-many-requests` above a limit
 */
export async function countText(
  { stores, vault, clock }: { stores: Pick<Stores, 'counters'>; vault: Vault; clock: Clock },
  text: {
    readonly phone: string
    readonly identityId: string
    readonly visitor: Visitor
    readonly isSetup: boolean
  },
): Promise<void> {
  const at = clock()
  const number = vault.mac('guess key', text.phone)
  const limits = [
    [`texts of ${text.identityId}`, TEXTS_PER_ACCOUNT_AND_DAY, DAY_MS],
    [`texts from ${text.visitor.network}`, TEXTS_PER_NETWORK_AND_HOUR, HOUR_MS],
    ...(text.isSetup
      ? ([[`setup texts to ${number}`, SETUP_TEXTS_PER_NUMBER_AND_DAY, DAY_MS]] as const)
      : []),
    [`texts to ${number}`, TEXTS_PER_NUMBER_AND_DAY, DAY_MS],
  ] as const
  // In this order, so that a refused text does not count against the number's owner.
  for (const [key, allowed, windowMs] of limits) {
    const { count, until } = await stores.counters.count(key, at, windowMs)
    if (count > allowed) throw tooManyAttempts(until, at)
  }
}
