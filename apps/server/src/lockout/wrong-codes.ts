/**
 * Wrong codes at the second step. In addition to the lockout, a method with guessable codes closes after twenty wrong
 * ones, however long they take, until the owner completes a login. The owner is notified after five.
 */
import {
  INVITATION_INTERVAL_MS,
  MAX_WRONG_CODES,
  WRONG_CODES_BEFORE_NOTICE,
} from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import type { SecondMethod } from '../database/tables.ts'
import type { Visitor } from '../http/visitor.ts'
import { wrongCodesMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Stores } from '../stores.ts'
import type { AttemptKey } from './attempts.store.ts'

/** Proofs of 80 bits or more, which cannot be guessed. */
const UNGUESSABLE: readonly SecondMethod[] = ['recovery-code', 'passkey']

/** Counts a code before it is verified. Returns whether its method is still open. */
export async function countCode(
  { wrongCodes }: Pick<Stores, 'wrongCodes'>,
  { key, second, identityId }: { key: AttemptKey; second: SecondMethod; identityId: string },
): Promise<boolean> {
  if (UNGUESSABLE.includes(second)) return true
  const counter = `${second} ${wrongCodesKey(key, identityId)}`
  return (await wrongCodes.increment(counter, identityId)) <= MAX_WRONG_CODES
}

/**
 * The counter for wrong codes. All mailed lockout links of an identity share one: each used link allows the next, so an
 * attacker who reads the mailbox, which may be the first factor, would otherwise have unlimited attempts.
 */
function wrongCodesKey({ name }: AttemptKey, identityId: string): string {
  return name.startsWith('link ') ? `links ${identityId}` : name
}

/** Mails the owner after several wrong codes, once a day. */
export async function notifyOfWrongCodes(
  {
    stores,
    clock,
    outbox,
  }: {
    readonly stores: Pick<Stores, 'counters' | 'messages' | 'wrongCodes'>
    readonly clock: Clock
    readonly outbox: Outbox
  },
  identity: { readonly id: string; readonly email: string; readonly organizationCode: string },
  visitor: Visitor,
): Promise<void> {
  if ((await stores.wrongCodes.countByIdentity(identity.id)) < WRONG_CODES_BEFORE_NOTICE) return
  const at = clock()
  const notifications = await stores.counters.increment(
    `wrong codes ${identity.id}`,
    at,
    INVITATION_INTERVAL_MS,
  )
  if (notifications.count > 1) return
  const sender = visitor.senderTo(identity.organizationCode)
  await outbox.add(stores, wrongCodesMail(sender, { email: identity.email, at }))
}
