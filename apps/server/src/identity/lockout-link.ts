/**
 * Lets an owner log in from a new browser while an attacker's guessing locks new browsers out: a refused attempt mails
 * the address a link. The link works once and gives the browser that opens it attempts of its own; it logs no one in.
 */
import { Refusal } from '@portico/contracts/errors'
import {
  LOCKOUT_LINK_INTERVAL_MS,
  LOCKOUT_LINK_LIFETIME_MS,
  ROUTER_BASE,
} from '@portico/contracts/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { assertSameOrigin } from '../http/csrf.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { ACCOUNT_DISCLOSING } from '../http/rate-limits.ts'
import { type Edge, enforceRateLimit } from '../http/serve.ts'
import type { Visitor } from '../http/visitor.ts'
import type { AttemptKey } from '../limits/attempts.store.ts'
import { LOCKOUT_PATH, lockoutLinkMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import { randomSecret, sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'
import { countAttempt } from './count-attempt.ts'

export interface LockoutLink {
  /** Mails the link unless a usable one was mailed recently. Takes the same steps for every address. */
  readonly mail: (email: string, visitor: Visitor) => Promise<void>
  /** Like `countAttempt`, and mails the link during a lockout. @throws Refusal - `too-many-requests` */
  readonly countAttempt: (email: string, visitor: Visitor) => Promise<AttemptKey>
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
    const mailed = await stores.counters.count(counterOf(email), at, LOCKOUT_LINK_INTERVAL_MS)
    if (mailed.count > 1) return
    const identity = await stores.identities.findByEmail(email)
    const token = randomSecret()
    const expiresAt = at + LOCKOUT_LINK_LIFETIME_MS
    await stores.atomically(async (transaction) => {
      await transaction.lockoutLinks.insert({ tokenHash: sha256(token), email, expiresAt })
      const dropped = identity === undefined
      const sender = identity ? visitor.senderTo(identity.organizationCode) : visitor
      await outbox.add(transaction, lockoutLinkMail(sender, { email, token }), { dropped })
    })
  }

  return {
    mail,

    async countAttempt(email, visitor) {
      try {
        return await countAttempt(deps, email, visitor)
      } catch (error) {
        if (error instanceof Refusal) await mail(email, visitor)
        throw error
      }
    },

    async open(token, visitor) {
      const at = clock()
      // A new device ID: an attacker may have planted the current one.
      const device = randomSecret()
      return stores.atomically(async (transaction) => {
        const email = await transaction.lockoutLinks.consume({
          tokenHash: sha256(token),
          deviceHash: sha256(device),
          at,
          expiresAt: at + LOCKOUT_LINK_LIFETIME_MS,
        })
        if (email === undefined) return undefined
        // Allow another link, for another browser.
        await transaction.counters.clear(counterOf(email))
        if (visitor.deviceCookie !== undefined) {
          await transaction.devices.inherit(sha256(visitor.deviceCookie), sha256(device), at)
        }
        visitor.keepDevice(device)
        return email
      })
    },
  }
}

/** The page behind the link. Only its button consumes the link, because mail scanners open links before people do. */
export function lockoutPages(edge: Edge, lockoutLink: LockoutLink): void {
  const path = `${ROUTER_BASE}${LOCKOUT_PATH}`
  const show = (reply: FastifyReply) =>
    sendPlainPage(reply, {
      title: 'Log in',
      heading: 'Log in with this browser',
      html: `<form method="post"><p>There were too many wrong attempts on your account, so new browsers have to wait. This browser gets attempts of its own.</p>
<p><button>Continue to log in</button></p></form>`,
      form: true,
    })

  edge.app.get(path, (_request, reply) => show(reply))
  void edge.app.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
      payload.resume()
      done(null, undefined)
    })
    forms.post(path, async (request: FastifyRequest, reply: FastifyReply) => {
      const visitor = edge.visitor(request, reply)
      assertSameOrigin(request, visitor.origin)
      await enforceRateLimit(edge.rateLimit, `lockout link ${visitor.network}`, ACCOUNT_DISCLOSING)
      const { token, ...brand } = request.query as Record<string, string>
      const email = await lockoutLink.open(String(token), visitor)
      if (email === undefined) {
        return sendPlainPage(reply.code(410), {
          title: 'Log in',
          heading: 'This link has been used or has expired',
          html: `<p>Try to log in; if you have to wait, we email you another link.</p>
<p><a href="${ROUTER_BASE}/login">Go to the login page</a></p>`,
        })
      }
      const query = new URLSearchParams({ ...brand, email })
      return reply.redirect(`${ROUTER_BASE}/login?${query}`, 303)
    })
  })
}
