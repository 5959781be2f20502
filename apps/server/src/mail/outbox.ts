/**
 * The outbox of mails and text messages. A message is stored in the transaction of the change it reports, wrapped by the
 * vault, and sent afterwards. A process killed in between sends it after a restart, and a request takes the same time
 * whether or not a message is sent. Without a transport, the mailbox shows the stored messages.
 */
import type { Logger } from 'pino'
import { type Clock, latestExpiry } from '../clock.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'
import { SPAN_KINDS, type StartTrace, traced } from '../tracing/tracing.ts'
import { CLAIM_MS, type MessageRow } from './messages.store.ts'
import type { CountAttempt } from './metrics.ts'
import type { TextTransport } from './text-transport.ts'
import type { Mail, MailTransport } from './transport.ts'

/** A mail before its `From` header is formatted. Without a sender address it is sent from `MAIL_FROM`. */
export interface DraftMail extends Omit<Mail, 'from'> {
  readonly kind: string
  readonly senderName: string
  readonly senderAddress?: string | undefined
}

export interface DraftText {
  readonly kind: string
  readonly to: string
  readonly senderName: string
  readonly text: string
}

export interface Outbox {
  /** Stores a mail. A `dropped` one is stored but never sent, so that it takes the same time. */
  readonly add: (
    stores: Pick<Stores, 'messages'>,
    draft: DraftMail,
    options?: { readonly dropped?: boolean },
  ) => Promise<void>
  /** Whether text messages can be delivered: through a gateway, or to the mailbox of demonstration mode. */
  readonly canSendTexts: boolean
  readonly addText: (stores: Pick<Stores, 'messages'>, draft: DraftText) => Promise<void>
  readonly read: (row: MessageRow) => Mail
  readonly stop: () => Promise<void>
}

const BATCH = 8
const POLL_MS = 1000
const FIRST_RETRY_MS = 2000
const MAX_DOUBLINGS = 10
const MAX_RETRY_MS = FIRST_RETRY_MS * 2 ** MAX_DOUBLINGS
const GIVE_UP_MS = 24 * 60 * 60 * 1000

/**
 * Formats a `From` header. A name with address punctuation is quoted, otherwise `Smith, Jones` would be two senders.
 * Characters that could end the quotation or the header are removed.
 */
function formatSender(name: string, address: string): string {
  const plain = name.replace(/[<>"\\\p{Cc}]/gu, '')
  return /[()[\]:;@,.]/.test(plain) ? `"${plain}" <${address}>` : `${plain} <${address}>`
}

/** Opens the outbox and starts sending due messages, if there is a transport for them. */
export function openOutbox(deps: {
  readonly stores: Pick<Stores, 'messages'>
  readonly vault: Vault
  readonly clock: Clock
  readonly from: string
  readonly transport: MailTransport | undefined
  readonly textTransport?: TextTransport | undefined
  /** False in commands, which store messages for the server to send. */
  readonly sends?: boolean
  /** Whether there is a mailbox for messages without a transport. */
  readonly mailbox: boolean
  readonly countAttempt?: CountAttempt
  readonly startTrace?: StartTrace
  readonly log: Logger
}): Outbox {
  const { stores, vault, clock, from, transport, textTransport, mailbox, countAttempt, log } = deps
  const startTrace: StartTrace = deps.startTrace ?? ((_name, work) => work())
  const channels =
    deps.sends === false
      ? []
      : [...(transport ? (['email'] as const) : []), ...(textTransport ? (['sms'] as const) : [])]
  const read = (row: MessageRow): Mail => JSON.parse(vault.unwrap('message', row.content)) as Mail

  /** Messages that were sent but not marked as sent yet, because the database did not respond. */
  const unmarked = new Set<string>()

  async function deliver(row: MessageRow): Promise<void> {
    if (unmarked.has(row.id) || (await send(row))) {
      unmarked.add(row.id)
      await mark(row.id)
    }
  }

  async function mark(id: string): Promise<void> {
    await stores.messages.updateSent(id, clock())
    unmarked.delete(id)
  }

  /** Sends a message or schedules the next attempt. Returns whether it was sent. */
  async function send(row: MessageRow): Promise<boolean> {
    try {
      const channel = row.channel === 'sms' ? textTransport : transport
      await whileClaimed(row, () =>
        traced('message send', async () => channel?.send(read(row)), SPAN_KINDS.client),
      )
      countAttempt?.(row.channel, 'sent')
      return true
    } catch (error) {
      const retryAt = clock() + FIRST_RETRY_MS * 2 ** Math.min(row.attempts - 1, MAX_DOUBLINGS)
      log.warn({ err: error, message: row.id, attempts: row.attempts }, 'mail not sent')
      const isGivenUp = retryAt - row.createdAt > GIVE_UP_MS
      countAttempt?.(row.channel, isGivenUp ? 'given-up' : 'failed')
      await (isGivenUp
        ? stores.messages.updateDropped(row.id, clock())
        : stores.messages.updateNextAttempt(row.id, retryAt))
      return false
    }
  }

  /** Renews the claim, so that no other node sends the message too while the mail server is slow. */
  async function whileClaimed(row: MessageRow, work: () => Promise<void>): Promise<void> {
    let renewal = Promise.resolve()
    const renewing = setInterval(() => {
      renewal = stores.messages
        .updateNextAttempt(row.id, clock() + CLAIM_MS)
        .catch((error: unknown) => log.error({ err: error }, 'a claim was not renewed'))
    }, CLAIM_MS / 3)
    try {
      await work()
    } finally {
      clearInterval(renewing)
      await renewal
    }
  }

  async function sendDue(): Promise<void> {
    try {
      // Marked as soon as the database responds again, before another node can claim them.
      for (const id of unmarked) await mark(id)
      const at = clock()
      const latest = latestExpiry(at, MAX_RETRY_MS)
      const due = { channels, limit: BATCH, at, until: at + CLAIM_MS, latest }
      const rows = await stores.messages.claim(due)
      const deliveries = rows.map((row) => startTrace('message delivery', () => deliver(row)))
      // All of them end before the next poll, and before the outbox stops, even if one fails.
      for (const ended of await Promise.allSettled(deliveries)) {
        if (ended.status === 'rejected') throw ended.reason
      }
      if (rows.length === BATCH && !stopped) await sendDue()
    } catch (error) {
      log.error({ err: error }, 'outbox poll failed')
    }
  }

  let stopped = false
  let sending = Promise.resolve()
  const poll =
    channels.length > 0
      ? setInterval(() => {
          sending = sending.then(() => (stopped ? undefined : sendDue()))
        }, POLL_MS)
      : undefined

  return {
    async add(transaction, draft, { dropped = false } = {}) {
      const at = clock()
      const { kind, senderName, senderAddress = from, ...mail } = draft
      const content = JSON.stringify({ ...mail, from: formatSender(senderName, senderAddress) })
      await transaction.messages.insert({
        channel: 'email',
        kind,
        recipient: draft.to,
        content: vault.wrap('message', content),
        at,
        sentAt: transport || dropped ? null : at,
        droppedAt: dropped ? at : null,
      })
    },
    canSendTexts: mailbox || textTransport !== undefined,
    async addText(transaction, { kind, to, senderName, text }) {
      const at = clock()
      const message: Mail = { to, from: senderName, subject: 'Text message', text, html: '' }
      await transaction.messages.insert({
        channel: 'sms',
        kind,
        recipient: to,
        content: vault.wrap('message', JSON.stringify(message)),
        at,
        sentAt: textTransport ? null : at,
        droppedAt: null,
      })
    },
    read,
    async stop() {
      stopped = true
      clearInterval(poll)
      await sending
      transport?.close()
    },
  }
}
