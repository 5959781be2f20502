/**
 * The outbox, of mails and text messages. One is stored in the same transaction as what it tells of, wrapped by the master key, and sent
 * afterwards: a process killed in between sends it when it is back, and asking takes the same time whether it
 * leaves or not. Where a channel leads nowhere, the stored message is the mailbox.
 */
import type { Logger } from 'pino'
import { type Clock, latestExpiry } from '../clock.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'
import type { MessageRow } from './messages.store.ts'
import type { TextTransport } from './text-transport.ts'
import type { Mail, MailTransport } from './transport.ts'

/** A mail whose sender is not written out yet; without an address of its own it is sent from `MAIL_FROM`. */
export interface DraftMail extends Omit<Mail, 'from'> {
  readonly kind: string
  readonly senderName: string
  readonly senderAddress?: string | undefined
}

/** A text message before it is stored. */
export interface DraftText {
  readonly kind: string
  readonly to: string
  readonly senderName: string
  readonly text: string
}

/** Takes mails and text messages and sends them. */
export interface Outbox {
  /** Stores a mail; a `dropped` one is stored as never to be sent, which takes as long. */
  readonly add: (
    stores: Pick<Stores, 'messages'>,
    draft: DraftMail,
    options?: { readonly dropped?: boolean },
  ) => Promise<void>
  /** Whether text messages can be read by anybody: in production only where a gateway takes them. */
  readonly takesTexts: boolean
  readonly addText: (stores: Pick<Stores, 'messages'>, draft: DraftText) => Promise<void>
  readonly read: (row: MessageRow) => Mail
  readonly stop: () => Promise<void>
}

const BATCH = 8
const CLAIM_MS = 60_000
const POLL_MS = 1000
const FIRST_RETRY_MS = 2000
const RETRIES_DOUBLED = 10
const RETRY_MAXIMUM_MS = FIRST_RETRY_MS * 2 ** RETRIES_DOUBLED
const GIVE_UP_MS = 24 * 60 * 60 * 1000

/**
 * A sender as a header says it. A name that holds what addresses are made of is quoted, else `Smith, Jones` would be two
 * senders; what could end the quotation or the header is left out.
 */
function written(name: string, address: string): string {
  const plain = name.replace(/[<>"\\\p{Cc}]/gu, '')
  return /[()[\]:;@,.]/.test(plain) ? `"${plain}" <${address}>` : `${plain} <${address}>`
}

/** Opens the outbox and begins sending what is due. */
export function openOutbox(deps: {
  readonly stores: Pick<Stores, 'messages'>
  readonly vault: Vault
  readonly clock: Clock
  readonly from: string
  readonly transport: MailTransport | undefined
  readonly textTransport?: TextTransport | undefined
  /** Whether there is a mailbox in which messages that lead nowhere are read. */
  readonly mailbox: boolean
  readonly log: Logger
}): Outbox {
  const { stores, vault, clock, from, transport, textTransport, mailbox, log } = deps
  const channels = [
    ...(transport ? (['email'] as const) : []),
    ...(textTransport ? (['sms'] as const) : []),
  ]
  const read = (row: MessageRow): Mail => JSON.parse(vault.unwrap('message', row.content)) as Mail

  async function deliver(row: MessageRow): Promise<void> {
    try {
      await (row.channel === 'sms' ? textTransport : transport)?.send(read(row))
      await stores.messages.sent(row.id, clock())
    } catch (error) {
      const again = clock() + FIRST_RETRY_MS * 2 ** Math.min(row.attempts - 1, RETRIES_DOUBLED)
      log.warn({ err: error, message: row.id, attempts: row.attempts }, 'mail not sent')
      await (again - row.created_at > GIVE_UP_MS
        ? stores.messages.drop(row.id, clock())
        : stores.messages.retryAt(row.id, again))
    }
  }

  async function sendDue(): Promise<void> {
    try {
      const at = clock()
      const latest = latestExpiry(at, RETRY_MAXIMUM_MS)
      const due = { channels, limit: BATCH, at, until: at + CLAIM_MS, latest }
      const rows = await stores.messages.claim(due)
      await Promise.all(rows.map(deliver))
      if (rows.length === BATCH && !stopped) await sendDue()
    } catch (error) {
      log.error({ err: error }, 'outbox not read')
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
    async add(open, draft, { dropped = false } = {}) {
      const at = clock()
      const { kind, senderName, senderAddress = from, ...mail } = draft
      const content = JSON.stringify({ ...mail, from: written(senderName, senderAddress) })
      await open.messages.add({
        channel: 'email',
        kind,
        recipient: draft.to,
        content: vault.wrap('message', content),
        at,
        sentAt: transport || dropped ? null : at,
        droppedAt: dropped ? at : null,
      })
    },
    takesTexts: mailbox || textTransport !== undefined,
    async addText(open, { kind, to, senderName, text }) {
      const at = clock()
      const message: Mail = { to, from: senderName, subject: 'Text message', text, html: '' }
      await open.messages.add({
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
