/**
 * Lets an owner log in from a new browser while an attacker's attempts lock new browsers out: a refused attempt mails a
 * link to the address. The link works once and gives the browser that opens it its own attempt counter; it does not log
 * in.
 */
import { Refusal } from '@portico/contracts/errors'
import { LOCKOUT_LINK_INTERVAL_MS, LOCKOUT_LINK_LIFETIME_MS } from '@portico/contracts/limits'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { limitSends } from '../limits/send-limit.ts'
import { lockoutLinkMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import { randomSecret, sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'
import type { AttemptKey } from './attempts.store.ts'
import { countAttempt } from './lockout.ts'
import { withSharedDevice } from './shared-device.ts'

export interface LockoutLink {
  /** Mails the link unless a usable one was mailed recently. Takes the same steps for every address. */
  readonly mail: (email: string, visitor: Visitor) => Promise<void>
  /** Like `countAttempt`, and mails the link during a lockout. @throws Refusal - `too-many-requests` */
  readonly countAttempt: (email: string, visitor: Visitor) => Promise<AttemptKey>
  /** Like `limitSends`, and mails the link above the limit. @throws Refusal - `too-many-requests` */
  readonly limitSends: (email: string, visitor: Visitor) => Promise<AttemptKey>
  /** Consumes a link for the visitor's browser. Returns the address, or undefined for a used or expired link. */
  readonly open: (token: string, visitor: Visitor) => Promise<string | undefined>
}

interface LockoutDeps {
  readonly stores: TransactionalStores<
    'attempts' | 'counters' | 'devices' | 'identities' | 'lockoutLinks' | 'messages'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
}

export function lockoutLinks(deps: LockoutDeps): LockoutLink {
  const { stores, vault, clock, outbox } = deps
  const counterOf = (email: string) => `lockout link ${vault.mac('guess key', email)}`

  async function mail(email: string, visitor: Visitor): Promise<void> {
    const at = clock()
    const identity = await stores.identities.findByEmail(email)
    const token = randomSecret()
    const expiresAt = at + LOCKOUT_LINK_LIFETIME_MS
    await stores.atomically(async (transaction) => {
      // In the mail's transaction, so that a mail that was not stored does not count.
      const key = counterOf(email)
      const mailed = await transaction.counters.increment(key, at, LOCKOUT_LINK_INTERVAL_MS)
      if (mailed.count > 1) return
      await transaction.lockoutLinks.insert({ tokenHash: sha256(token), email, expiresAt })
      const dropped = identity === undefined
      const sender = identity ? visitor.senderTo(identity.organizationCode) : visitor.sender
      await outbox.add(transaction, lockoutLinkMail(sender, { email, token }), { dropped })
    })
  }

  async function mailIfRefused(
    counted: Promise<AttemptKey>,
    email: string,
    visitor: Visitor,
  ): Promise<AttemptKey> {
    try {
      return await counted
    } catch (error) {
      if (error instanceof Refusal) await mail(email, visitor)
      throw error
    }
  }

  return {
    mail,

    countAttempt: (email, visitor) =>
      mailIfRefused(countAttempt(deps, email, visitor), email, visitor),

    limitSends: (email, visitor) => mailIfRefused(limitSends(deps, email, visitor), email, visitor),

    async open(token, visitor) {
      const at = clock()
      // A new device ID: an attacker may have planted the current one.
      const device = randomSecret()
      const opened = stores.atomically(async (transaction) => {
        const email = await transaction.lockoutLinks.consume({
          tokenHash: sha256(token),
          deviceHash: sha256(device),
          at,
          expiresAt: at + LOCKOUT_LINK_LIFETIME_MS,
        })
        if (email === undefined) return undefined
        // Allow another link, for another browser.
        await transaction.counters.delete(counterOf(email))
        visitor.keepDevice(device)
        return email
      })
      return withSharedDevice(stores, { visitor, at }, opened)
    },
  }
}
