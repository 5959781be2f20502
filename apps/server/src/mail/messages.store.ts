import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { MessagesTable, Tables } from '../database/tables.ts'

/** How long a node that claimed a message has to send it or renew the claim. */
export const CLAIM_MS = 60_000

export type MessageRow = Selectable<MessagesTable>

const isDue =
  (at: number, latest: number) =>
  ({ eb }: ExpressionBuilder<Tables, 'messages'>) =>
    eb.or([eb('nextAttemptAt', '<=', at), eb('nextAttemptAt', '>', latest)])

/** The outbox, which survives restarts. */
export function messagesStore(database: Database) {
  const makeDue = (at: number) =>
    database
      .updateTable('messages')
      .set({ nextAttemptAt: at })
      .where('sentAt', 'is', null)
      .where('droppedAt', 'is', null)
      .where('nextAttemptAt', '>', at + CLAIM_MS)

  return {
    async insert(message: {
      channel: MessagesTable['channel']
      kind: string
      recipient: string
      content: string
      at: number
      sentAt: number | null
      droppedAt: number | null
    }): Promise<void> {
      await database
        .insertInto('messages')
        .values({
          id: randomUUID(),
          channel: message.channel,
          kind: message.kind,
          recipient: message.recipient,
          content: message.content,
          createdAt: message.at,
          sentAt: message.sentAt,
          droppedAt: message.droppedAt,
          attempts: 0,
          nextAttemptAt: message.at,
        })
        .execute()
    },

    /**
     * Claims due messages, so that no other node sends them before `until`. A message due after `latest` was postponed
     * while a clock was wrong, and is due now.
     */
    claim: ({
      channels,
      limit,
      at,
      until,
      latest,
    }: {
      channels: readonly MessagesTable['channel'][]
      limit: number
      at: number
      until: number
      latest: number
    }): Promise<MessageRow[]> =>
      database
        .updateTable('messages')
        .set((column) => ({ attempts: column('attempts', '+', 1), nextAttemptAt: until }))
        .where(isDue(at, latest))
        .where('sentAt', 'is', null)
        .where('droppedAt', 'is', null)
        .where('id', 'in', (query) =>
          query
            .selectFrom('messages')
            .select('id')
            .where('channel', 'in', channels)
            .where('sentAt', 'is', null)
            .where('droppedAt', 'is', null)
            .where(isDue(at, latest))
            .orderBy('nextAttemptAt')
            .limit(limit),
        )
        .returningAll()
        .execute(),

    /** How many messages are waiting, counted up to `limit`, and when the oldest was created. */
    backlog: (channel: MessagesTable['channel'], limit: number) =>
      database
        .selectFrom((query) =>
          query
            .selectFrom('messages')
            .select('createdAt')
            .where('channel', '=', channel)
            .where('sentAt', 'is', null)
            .where('droppedAt', 'is', null)
            .orderBy('nextAttemptAt')
            .limit(limit)
            .as('waiting'),
        )
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          fn.min<number | null>('createdAt').as('since'),
        ])
        .executeTakeFirstOrThrow(),

    /** A page of unsent messages, in the order in which they are due. */
    async listWaiting({
      after,
      limit,
    }: {
      readonly after: { readonly nextAttemptAt: number; readonly id: string } | undefined
      readonly limit: number
    }) {
      const query = database
        .selectFrom('messages')
        .select(['id', 'channel', 'kind', 'recipient', 'createdAt', 'attempts', 'nextAttemptAt'])
        .where('sentAt', 'is', null)
        .where('droppedAt', 'is', null)
        .orderBy('nextAttemptAt')
        .orderBy('id')
        .limit(limit)
      return after === undefined
        ? query.execute()
        : query
            .where(({ eb, refTuple, tuple }) =>
              eb(refTuple('nextAttemptAt', 'id'), '>', tuple(after.nextAttemptAt, after.id)),
            )
            .execute()
    },

    /**
     * Makes messages due that would wait longer than a claim lasts, and returns their number. The others are due soon or
     * already being sent.
     */
    async updateAllDue(at: number): Promise<number> {
      const { numUpdatedRows } = await makeDue(at).executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },

    /** The same for one message to one of the recipients. Returns whether it was waiting. */
    async updateDue(id: string, recipients: readonly string[], at: number): Promise<boolean> {
      const { numUpdatedRows } = await makeDue(at)
        .where('id', '=', id)
        .where('recipient', 'in', recipients)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0
    },

    /** Marks a message as sent and deletes its content. */
    async updateSent(id: string, at: number): Promise<void> {
      await database
        .updateTable('messages')
        .set({ sentAt: at, content: '' })
        .where('id', '=', id)
        .execute()
    },

    async updateNextAttempt(id: string, at: number): Promise<void> {
      await database
        .updateTable('messages')
        .set({ nextAttemptAt: at })
        .where('id', '=', id)
        .execute()
    },

    /** Gives up on a message and deletes its content. */
    async updateDropped(id: string, at: number): Promise<void> {
      await database
        .updateTable('messages')
        .set({ droppedAt: at, content: '' })
        .where('id', '=', id)
        .execute()
    },
  }
}
