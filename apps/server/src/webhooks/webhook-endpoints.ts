/** Stores the endpoints that the data files describe. Every node then finds them in the database. */
import { KINDS_BY_TYPE } from '../audit/audit-events.ts'
import type { Vault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'
import type { Webhook } from './load-webhooks.ts'

const PURPOSE = 'webhook secrets'

export async function storeEndpoints(
  { stores, vault }: { stores: TransactionalStores<'webhookEndpoints'>; vault: Vault },
  webhooks: readonly Webhook[],
  at: number,
): Promise<void> {
  await stores.atomically(async ({ webhookEndpoints }) => {
    for (const { id, organization, url, secrets, events, contact } of webhooks) {
      const kinds = events?.map((type) => KINDS_BY_TYPE.get(type)) ?? [...KINDS_BY_TYPE.values()]
      await webhookEndpoints.upsert({
        id,
        organizationCode: organization,
        url,
        kinds: ` ${kinds.join(' ')} `,
        secrets: vault.wrap(PURPOSE, JSON.stringify(secrets)),
        contact,
        createdAt: at,
      })
    }
    await webhookEndpoints.removeExcept(
      webhooks.map(({ id }) => id),
      at,
    )
  })
}

/** The signing secrets of an endpoint, the current one first. */
export function secretsOf(vault: Vault, wrapped: string): readonly string[] {
  return JSON.parse(vault.unwrap(PURPOSE, wrapped)) as string[] // Written as a list.
}
