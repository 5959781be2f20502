import { PUSH_LIFETIME_MS } from '@portico/contracts/push'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'

/** Mobile wallets' push subscriptions by the hash of their endpoint, and the hashed topics they are notified of. */
export function pushSubscriptionsStore(database: Database) {
  return {
    /** Inserts or renews a subscription. Its topics are replaced by `replaceTopics`, in one transaction. */
    async insert(subscription: {
      idHash: string
      wrapped: string
      network: string
      expiresAt: number
    }): Promise<void> {
      await database
        .insertInto('pushSubscriptions')
        .values(subscription)
        .onConflict((conflict) => conflict.column('idHash').doUpdateSet(subscription))
        .execute()
    },

    /** Until the transaction ends, no other transaction inserts a subscription for this network. */
    async lockNetwork(network: string, at: number): Promise<void> {
      await database
        .insertInto('counters')
        .values({ key: `push subscriptions ${network}`, windowStartedAt: at, count: 1 })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ windowStartedAt: at }))
        .execute()
    },

    async replaceTopics(idHash: string, topicHashes: readonly string[]): Promise<void> {
      await database.deleteFrom('pushTopics').where('idHash', '=', idHash).execute()
      await database
        .insertInto('pushTopics')
        .values(topicHashes.map((topicHash) => ({ topicHash, idHash })))
        // Two windows of one wallet may renew it concurrently.
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    /** How many other subscriptions of a network are valid. */
    async countOthers(network: string, idHash: string, at: number): Promise<number> {
      const { count } = await database
        .selectFrom('pushSubscriptions')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('network', '=', network)
        .where('idHash', '!=', idHash)
        .where('expiresAt', '>', at)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** The valid subscriptions to a topic. */
    listByTopic: (topicHash: string, at: number) =>
      database
        .selectFrom('pushTopics')
        .innerJoin('pushSubscriptions', 'pushSubscriptions.idHash', 'pushTopics.idHash')
        .select(['pushSubscriptions.idHash', 'pushSubscriptions.wrapped'])
        .where('pushTopics.topicHash', '=', topicHash)
        .where('pushSubscriptions.expiresAt', '>', at)
        .where('pushSubscriptions.expiresAt', '<=', latestExpiry(at, PUSH_LIFETIME_MS))
        .execute(),

    async delete(idHash: string): Promise<void> {
      await database.deleteFrom('pushSubscriptions').where('idHash', '=', idHash).execute()
    },
  }
}
