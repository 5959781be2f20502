import {
  CONTINUE_MAILS_PER_DAY,
  DAY_MS,
  PASSPORT_INVITATIONS_PER_ADDRESS_AND_DAY,
  PASSPORT_INVITATIONS_PER_DAY,
  PASSPORT_UPLOADS_PER_DAY,
  SEND_WINDOW_MS,
  SENDS_PER_RECIPIENT,
  SETUP_TEXTS_PER_NUMBER_AND_DAY,
  TEXTS_PER_ACCOUNT_AND_DAY,
  TEXTS_PER_NETWORK_AND_HOUR,
  TEXTS_PER_NUMBER_AND_DAY,
} from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { AttemptKey } from '../lockout/attempts.store.ts'
import { attemptKey, tooManyAttempts } from '../lockout/lockout.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'

const HOUR_MS = 60 * 60 * 1000

interface SendLimitDeps {
  readonly stores: Pick<Stores, 'counters'>
  readonly vault: Vault
  readonly clock: Clock
}

/**
 * Counts a code sent to a recipient, across all purposes and channels. Returns the recipient's counters.
 *
 * @throws Refusal - `too-many-requests` above the limit
 */
export async function limitSends(
  deps: SendLimitDeps & { readonly stores: Pick<Stores, 'devices' | 'lockoutLinks'> },
  email: string,
  visitor: Visitor,
): Promise<AttemptKey> {
  const key = await attemptKey(deps.stores, deps.vault, { email, visitor, at: deps.clock() })
  await enforceLimit(deps, `send ${key.name}`, SENDS_PER_RECIPIENT, SEND_WINDOW_MS)
  return key
}

/**
 * Counts a text message per account, per network and per number. Texts that set up a number have a smaller share of its
 * limit, because anyone can enter any number: they must neither flood the number's owner nor prevent the owner's
 * logins.
 *
 * @throws Refusal - `too-many-requests` above a limit
 */
export async function limitTexts(
  deps: SendLimitDeps,
  text: {
    readonly phone: string
    readonly identityId: string
    readonly visitor: Visitor
    readonly isSetup: boolean
  },
): Promise<void> {
  const number = deps.vault.mac('guess key', text.phone)
  const limit = (key: string, allowed: number, windowMs: number) =>
    enforceLimit(deps, key, allowed, windowMs)
  // In this order, so that a refused text does not count against the number's owner.
  await limit(`texts of ${text.identityId}`, TEXTS_PER_ACCOUNT_AND_DAY, DAY_MS)
  await limit(`texts from ${text.visitor.network}`, TEXTS_PER_NETWORK_AND_HOUR, HOUR_MS)
  if (text.isSetup) {
    await limit(`setup texts to ${number}`, SETUP_TEXTS_PER_NUMBER_AND_DAY, DAY_MS)
  }
  await limit(`texts to ${number}`, TEXTS_PER_NUMBER_AND_DAY, DAY_MS)
}

/**
 * Counts a 'continue your application' mail across all visitors, because anyone who passes the bot check can enter any
 * address.
 *
 * @throws Refusal - `too-many-requests` above the limit
 */
export async function limitContinueMails(deps: SendLimitDeps, email: string): Promise<void> {
  const key = `continue ${deps.vault.mac('guess key', email)}`
  await enforceLimit(deps, key, CONTINUE_MAILS_PER_DAY, DAY_MS)
}

/**
 * Counts a passport invitation by sender and by recipient, who did not ask for it.
 *
 * @throws Refusal - `too-many-requests` above a limit
 */
export async function limitPassportInvitations(
  deps: SendLimitDeps,
  { identityId, email }: { readonly identityId: string; readonly email: string },
): Promise<void> {
  const address = deps.vault.mac('guess key', email)
  await enforceLimit(deps, `invitations of ${identityId}`, PASSPORT_INVITATIONS_PER_DAY, DAY_MS)
  const allowed = PASSPORT_INVITATIONS_PER_ADDRESS_AND_DAY
  await enforceLimit(deps, `invitations to ${address}`, allowed, DAY_MS)
}

/**
 * Counts an upload by uploader.
 *
 * @throws Refusal - `too-many-requests` above the limit
 */
export async function limitPassportUploads(
  deps: Pick<SendLimitDeps, 'stores' | 'clock'>,
  identityId: string,
): Promise<void> {
  await enforceLimit(deps, `uploads of ${identityId}`, PASSPORT_UPLOADS_PER_DAY, DAY_MS)
}

async function enforceLimit(
  { stores, clock }: Pick<SendLimitDeps, 'stores' | 'clock'>,
  key: string,
  allowed: number,
  windowMs: number,
): Promise<void> {
  const at = clock()
  const { count, until } = await stores.counters.increment(key, at, windowMs)
  if (count > allowed) throw tooManyAttempts(until, at)
}
