/**
 * Lockout after wrong passwords, codes and answers (decision 4). An attempt is counted before it is verified, and
 * refunded in the transaction that accepts it.
 */
import { Refusal } from '@portico/contracts/errors'
import { LockoutRefusal } from '../audit/bounded-audit.ts'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'
import type { AttemptKey, AttemptsOwner } from './attempts.store.ts'

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
  }: {
    stores: Pick<Stores, 'attempts' | 'devices' | 'lockoutLinks'>
    vault: Vault
    clock: Clock
  },
  email: string,
  visitor: Visitor,
): Promise<AttemptKey> {
  const at = clock()
  const key = await attemptKey(stores, vault, { email, visitor, at })
  const attempt = await stores.attempts.increment(key, at)
  if (!attempt.allowed) {
    throw new LockoutRefusal(auditedAddress(vault, email), secondsUntil(attempt.until, clock()))
  }
  return key
}

/** Refunds an attempt that could not be verified because too many others wait. */
export async function refundIfBusy<Result>(
  { attempts }: Pick<Stores, 'attempts'>,
  key: AttemptKey | undefined,
  verified: Promise<Result>,
): Promise<Result> {
  try {
    return await verified
  } catch (error) {
    const isBusy = error instanceof Refusal && error.code === 'busy'
    if (isBusy && key !== undefined) await attempts.refund(key)
    throw error
  }
}

/**
 * The counters for attempts and sends. They depend on the address, whether or not it has an account, so that limits do
 * not reveal which addresses exist. A browser that has logged in to the address before, or that opened the link mailed
 * to a locked-out owner, has its own counter, so that others cannot lock its owner out. All other attempts are also
 * counted per network.
 */
export async function attemptKey(
  stores: Pick<Stores, 'devices' | 'lockoutLinks'>,
  vault: Vault,
  { email, visitor, at }: { email: string; visitor: Visitor; at: number },
): Promise<AttemptKey> {
  const { deviceCookie, network } = visitor
  if (deviceCookie !== undefined) {
    const device = sha256(deviceCookie)
    const identityId = await stores.devices.findIdentityId(device, email)
    if (identityId !== undefined) return { name: `device ${identityId} ${device}` }
    const link = await stores.lockoutLinks.findOpened(device, email, at)
    if (link !== undefined) return { name: `link ${link}` }
  }
  const name = addressName(vault, email)
  return { name, network: `network ${network} ${name}` }
}

const addressName = (vault: Vault, email: string) => `address ${vault.mac('guess key', email)}`

/** A person whose attempts are read or deleted. */
export const attemptsOwner = (
  vault: Vault,
  { id, email }: { readonly id: string; readonly email: string },
): AttemptsOwner => ({ addressName: addressName(vault, email), identityId: id, email })

/** Refuses an attempt, or a send, that exceeds its limit. */
export function tooManyAttempts(until: number, now: number): Refusal {
  return new Refusal('too-many-requests', { retryAfterS: secondsUntil(until, now) })
}

const secondsUntil = (until: number, now: number) => Math.max(1, Math.ceil((until - now) / 1000))

/** An address in the audit log, which contains none: a keyed hash, by which the attempts on one address are recognized. */
export const auditedAddress = (vault: Vault, email: string) => vault.mac('audited address', email)
