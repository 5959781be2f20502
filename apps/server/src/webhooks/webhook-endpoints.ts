/** Stores the data files' endpoints in the database, where every node finds them. */
import { KINDS_BY_TYPE } from '../audit/audit-events.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores, TransactionalStores } from '../stores.ts'
import type { Webhook } from './load-webhooks.ts'

const PURPOSE = 'webhook secrets'

export async function storeEndpoints(
  { stores, vault }: { stores: TransactionalStores<'webhookEndpoints'>; vault: Vault },
  webhooks: readonly Webhook[],
  at: number,
): Promise<void> {
  await stores.atomically(async (transaction) => {
    for (const webhook of webhooks) await storeEndpoint({ stores: transaction, vault }, webhook, at)
    await transaction.webhookEndpoints.removeExcept(
      webhooks.map(({ id }) => id),
      at,
    )
  })
}

/** Adds an endpoint, or changes its settings and keeps its state. */
export async function storeEndpoint(
  { stores, vault }: { stores: Pick<Stores, 'webhookEndpoints'>; vault: Vault },
  { id, organization, url, secrets, events, contact }: Webhook,
  at: number,
): Promise<void> {
  const kinds = events?.map((type) => KINDS_BY_TYPE.get(type)) ?? [...KINDS_BY_TYPE.values()]
  await stores.webhookEndpoints.upsert({
    id,
    organizationCode: organization,
    url,
    kinds: ` ${kinds.join(' ')} `,
    secrets: vault.wrap(PURPOSE, JSON.stringify(secrets)),
    contact,
    createdAt: at,
  })
}

/** The signing secrets of an endpoint, the current one first. */
export function secretsOf(vault: Vault, wrapped: string): readonly string[] {
  return JSON.parse(vault.unwrap(PURPOSE, wrapped)) as string[] // Stored as a list.
}
