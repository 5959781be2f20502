import { emailAddress } from '@portico/contracts/email-address'
import { Refusal } from '@portico/contracts/errors'
import { Uuid } from '@portico/contracts/text'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { contentSecurityPolicy, hashSource } from '../http/security-headers.ts'
import type { Outbox } from '../mail/outbox.ts'
import { sendMailDocument } from './mail-preview.ts'
import { mailboxStore } from './mailbox.store.ts'
import { MAILBOX_STYLE, type MailboxMessage, mailboxPage } from './mailbox-page.ts'
import { DEMONSTRATION_PEOPLE } from './people.ts'
import { setupSection } from './sso-setup.routes.ts'

const MESSAGES_SHOWN = 100

/** Serves the mailbox and the list of demonstration accounts. */
export function mailbox(
  app: FastifyInstance,
  deps: {
    readonly database: Database
    readonly outbox: Outbox
    readonly clock: Clock
    readonly linkOriginOf: (request: FastifyRequest, reply: FastifyReply) => string
  },
): void {
  const store = mailboxStore(deps.database)
  const messages = async (query: unknown): Promise<MailboxMessage[]> => {
    const { to } = query as { to?: unknown }
    const recipient = typeof to === 'string' && to !== '' ? (emailAddress(to) ?? to) : undefined
    // PostgreSQL rejects text with a null byte, and no address contains one.
    if (recipient?.includes('\0')) return []
    const rows = await store.list(recipient, MESSAGES_SHOWN)
    return rows.map((row) => ({
      id: row.id,
      channel: row.channel,
      ...deps.outbox.read(row),
      sentAt: new Date(row.sentAt ?? row.createdAt).toISOString(),
    }))
  }

  app.get('/dev/mailbox/messages', (request) => messages(request.query))

  app.get('/dev/mailbox/messages/:id', async (request, reply) => {
    const { id } = request.params as { id: string }
    const row = Uuid.safeParse(id).success ? await store.find(id) : undefined
    if (row === undefined) throw new Refusal('not-found')
    return sendMailDocument(reply, deps.outbox.read(row).html)
  })

  app.get('/dev/mailbox', async (request, reply) => {
    const { to } = request.query as { to?: unknown }
    return reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        contentSecurityPolicy({
          'style-src': hashSource(MAILBOX_STYLE),
          'form-action': "'self'",
          'frame-src': "'self'",
        }),
      )
      .send(
        mailboxPage(await messages(request.query), DEMONSTRATION_PEOPLE, {
          to: typeof to === 'string' ? to : '',
          at: deps.clock(),
          setup: setupSection(deps.linkOriginOf(request, reply)),
        }),
      )
  })

  app.get('/dev/people', () =>
    DEMONSTRATION_PEOPLE.map(({ email, password, purpose }) => ({
      email,
      password: password ?? null,
      purpose,
    })),
  )
}
