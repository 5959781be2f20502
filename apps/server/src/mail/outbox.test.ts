import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLog } from '../operations/log.ts'
import { vault as openVault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'
import type { MessageRow } from './messages.store.ts'
import { openOutbox } from './outbox.ts'
import type { Mail, MailTransport } from './transport.ts'

const DRAFT = {
  kind: 'passcode',
  to: 'a@people.example',
  senderName: 'Lender "<evil@x>"\r\nBcc: all',
  subject: 'Subject',
  text: 'Text',
  html: '<p>Text</p>',
}
const HOUR_MS = 60 * 60 * 1000

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

/** An in-memory message store. */
function messagesInMemory() {
  const rows: MessageRow[] = []
  const change = (id: string, values: Partial<MessageRow>) => {
    Object.assign(rows.find((row) => row.id === id) ?? {}, values)
  }
  const messages = {
    insert: async (message: Parameters<Stores['messages']['insert']>[0]) =>
      void rows.push({
        id: `m${rows.length}`,
        channel: message.channel,
        kind: message.kind,
        recipient: message.recipient,
        content: message.content,
        createdAt: message.at,
        sentAt: message.sentAt,
        droppedAt: message.droppedAt,
        attempts: 0,
        nextAttemptAt: message.at,
      }),
    claim: async ({ limit, at, until, latest }: Parameters<Stores['messages']['claim']>[0]) => {
      const due = rows
        .filter((row) => row.sentAt === null && row.droppedAt === null)
        .filter((row) => row.nextAttemptAt <= at || row.nextAttemptAt > latest)
        .slice(0, limit)
      for (const row of due) change(row.id, { attempts: row.attempts + 1, nextAttemptAt: until })
      return due.map((row) => ({ ...row }))
    },
    updateSent: async (id: string, at: number) => change(id, { sentAt: at, content: '' }),
    updateNextAttempt: async (id: string, at: number) => change(id, { nextAttemptAt: at }),
    updateDropped: async (id: string, at: number) => change(id, { droppedAt: at, content: '' }),
  }
  // The outbox uses only these methods of the store.
  return { rows, stores: { messages } as unknown as Pick<Stores, 'messages'> }
}

function anOutbox(
  transport: MailTransport | undefined,
  { sends = true, database = messagesInMemory() } = {},
) {
  const { rows, stores } = database
  const log: string[] = []
  const outbox = openOutbox({
    mailbox: true,
    stores,
    vault: openVault([Buffer.alloc(32, 1).toString('base64')]),
    clock: Date.now,
    from: 'login@lender.example',
    transport,
    sends,
    log: openLog('info', (line) => log.push(line)),
  })
  return { rows, stores, outbox, log }
}

function aTransport(send: (mail: Mail) => Promise<void>) {
  return { send: vi.fn<MailTransport['send']>(send), close: vi.fn<MailTransport['close']>() }
}

test('4 without a mail server a message stays readable in the mailbox, and its sender cannot be forged', async () => {
  const { outbox, rows, stores } = anOutbox(undefined)
  await outbox.add(stores, DRAFT)
  const [row] = rows
  if (row === undefined) throw new Error('No message was stored')
  expect(row.sentAt).toBe(0)
  expect(row.content).not.toContain('Text')
  expect(outbox.read(row)).toEqual({
    to: 'a@people.example',
    from: '"Lender evil@xBcc: all" <login@lender.example>',
    subject: 'Subject',
    text: 'Text',
    html: '<p>Text</p>',
  })
  await outbox.stop()
})

test('7 a brand may have its own sender address; a name with a comma stays one sender', async () => {
  const { outbox, rows, stores } = anOutbox(undefined)
  const senders = [
    { senderName: 'Smith, Jones & Co.', senderAddress: 'mail@smith.example' },
    { senderName: 'Étoile Home Loans', senderAddress: undefined },
    { senderName: 'A\\", B <b@x.example>, "', senderAddress: undefined },
  ]
  for (const sender of senders) await outbox.add(stores, { ...DRAFT, ...sender })
  expect(rows.map((row) => outbox.read(row).from)).toEqual([
    '"Smith, Jones & Co." <mail@smith.example>',
    'Étoile Home Loans <login@lender.example>',
    '"A, B b@x.example, " <login@lender.example>',
  ])
  await outbox.stop()
})

test('4 a message is sent once, and its content is deleted', async () => {
  const transport = aTransport(async () => undefined)
  const { outbox, rows, stores } = anOutbox(transport)
  await outbox.add(stores, DRAFT)
  await vi.advanceTimersByTimeAsync(5000)
  expect(transport.send).toHaveBeenCalledTimes(1)
  expect(rows[0]).toMatchObject({ sentAt: 1000, content: '', attempts: 1 })
  await outbox.stop()
  expect(transport.close).toHaveBeenCalledTimes(1)
})

test('4 a command that only stores a message leaves it to the server to send', async () => {
  const transport = aTransport(async () => undefined)
  const { outbox, rows, stores } = anOutbox(transport, { sends: false })
  await outbox.add(stores, DRAFT)
  await vi.advanceTimersByTimeAsync(5000)
  expect(transport.send).not.toHaveBeenCalled()
  expect(rows[0]).toMatchObject({ sentAt: null, attempts: 0 })
  await outbox.stop()
})

test('7.2 a dropped message is stored like any other and never sent', async () => {
  const transport = aTransport(async () => undefined)
  const { outbox, rows, stores } = anOutbox(transport)
  await outbox.add(stores, DRAFT, { dropped: true })
  await vi.advanceTimersByTimeAsync(5000)
  expect(transport.send).not.toHaveBeenCalled()
  expect(rows).toHaveLength(1)
  await outbox.stop()
})

test('4 a rejected message is retried after 2, 4, 8 … seconds, and dropped after a day', async () => {
  const tries: number[] = []
  const transport = aTransport(() => {
    tries.push(Math.round(Date.now() / 1000))
    return Promise.reject(new Error('550 no'))
  })
  const { outbox, rows, stores, log } = anOutbox(transport)
  await outbox.add(stores, DRAFT)
  await vi.advanceTimersByTimeAsync(64_000)
  expect(tries).toEqual([1, 3, 7, 15, 31, 63])
  await vi.advanceTimersByTimeAsync(26 * HOUR_MS)
  expect(rows[0]).toMatchObject({ sentAt: null, content: '' })
  expect(rows[0]?.droppedAt).toBeGreaterThan(22 * HOUR_MS)
  const triesBefore = tries.length
  await vi.advanceTimersByTimeAsync(26 * HOUR_MS)
  expect(tries).toHaveLength(triesBefore)
  expect(log.join('')).toContain('mail not sent')
  await outbox.stop()
})

test('4 a message that was sent is not sent again if the database fails before it is marked', async () => {
  const transport = aTransport(async () => undefined)
  const { outbox, rows, stores, log } = anOutbox(transport)
  const { updateSent } = stores.messages
  let failures = 2
  stores.messages.updateSent = async (id, at) => {
    failures -= 1
    if (failures >= 0) throw new Error('no connection')
    await updateSent(id, at)
  }
  await outbox.add(stores, DRAFT)
  // It is marked long before its claim expires, after which another node could send it.
  await vi.advanceTimersByTimeAsync(4000)
  expect(transport.send).toHaveBeenCalledTimes(1)
  expect(rows[0]).toMatchObject({ sentAt: 3000, content: '', attempts: 1 })
  expect(log.join('')).not.toContain('mail not sent')
  await outbox.stop()
})

test('4 a message that takes a slow mail server minutes is not also sent by another node', async () => {
  const database = messagesInMemory()
  const transport = aTransport(() => new Promise((resolve) => setTimeout(resolve, 180_000)))
  const nodes = [anOutbox(transport, { database }), anOutbox(transport, { database })]
  await nodes[0]?.outbox.add(database.stores, DRAFT)
  await vi.advanceTimersByTimeAsync(240_000)
  expect(transport.send).toHaveBeenCalledTimes(1)
  expect(database.rows[0]).toMatchObject({ content: '', attempts: 1 })
  for (const { outbox } of nodes) await outbox.stop()
})

test('4 messages are sent in batches, and stopping waits for those in progress', async () => {
  const finish: (() => void)[] = []
  const transport = aTransport(() => new Promise<void>((resolve) => finish.push(resolve)))
  const { outbox, rows, stores } = anOutbox(transport)
  for (let each = 0; each < 10; each += 1) await outbox.add(stores, DRAFT)
  await vi.advanceTimersByTimeAsync(1000)
  expect(transport.send).toHaveBeenCalledTimes(8)
  const stopped = outbox.stop()
  for (const done of finish) done()
  await stopped
  expect(rows.filter(({ sentAt }) => sentAt !== null)).toHaveLength(8)
  expect(transport.send).toHaveBeenCalledTimes(8)
})
