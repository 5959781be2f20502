/** What other features use of the directories. */
import { type RawBuilder, sql } from 'kysely'

/**
 * SQL for whether a directory locks the account in a column. Only an enabled provider that manages the account can: everyone else
 * has only connected the provider, and loses the logins there. `session` is a condition under which it locks other accounts too.
 */
export const isLockedByDirectory = (
  identityId: string,
  session: RawBuilder<unknown> = sql`1 = 0`,
) => sql<boolean>`exists (
  select 1 from directory_users
  join identity_providers on identity_providers.id = directory_users.provider_id
  where directory_users.identity_id = ${sql.ref(identityId)}
    and (directory_users.deactivated_at is not null or directory_users.left_group_at is not null)
    and identity_providers.enabled_at is not null
    and (${session} or exists (
      select 1 from provider_subjects
      where provider_subjects.provider_id = directory_users.provider_id
        and provider_subjects.identity_id = directory_users.identity_id
        and provider_subjects.managed_at is not null)))`
