import type { Database } from '../database/database.ts'
import type { MessageRow } from '../mail/messages.store.ts'

/** The sent messages that still have their content. */
export function mailboxStore(database: Database) {
  const messages = () =>
    database
      .selectFrom('messages')
      .selectAll()
      .where('sentAt', 'is not', null)
      .where('content', '!=', '')

  return {
    find: (id: string): Promise<MessageRow | undefined> =>
      messages().where('id', '=', id).executeTakeFirst(),

    /** Newest first. */
    list: (recipient: string | undefined, limit: number): Promise<MessageRow[]> =>
      messages()
        .$if(recipient !== undefined, (query) => query.where('recipient', '=', recipient ?? ''))
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute(),
  }
}
