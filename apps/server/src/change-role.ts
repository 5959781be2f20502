/** Grants and revokes roles. Only an operator can, because a role opens the data of an organization's investors. */
import type { Organizations } from './brands/brands.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { openExistingDatabase } from './database/existing-database.ts'
import { loadData } from './load-data.ts'
import { allStores, type TransactionalStores } from './stores.ts'

interface RoleDeps {
  readonly stores: TransactionalStores<'audit' | 'identities' | 'identityRoles'>
  readonly organizations: Pick<Organizations, 'withCode'>
  readonly clock: Clock
}

interface RoleChange {
  readonly action: 'grant' | 'revoke'
  readonly email: string
  readonly role: 'reviewer'
  /** By default the account's own. */
  readonly organizationCode?: string | undefined
}

/**
 * Opens the configured database and runs `work` on it.
 *
 * @throws ConfigError - when there is no embedded database yet
 */
export async function withRoles<Result>(
  config: Config,
  work: (deps: RoleDeps) => Promise<Result>,
): Promise<Result> {
  const { organizations } = (await loadData(config)).brands
  const database = await openExistingDatabase(config)
  try {
    return await work({ stores: allStores(database), organizations, clock: Date.now })
  } finally {
    await database.destroy()
  }
}

/**
 * Changes the role of an account; it takes effect with the account's next call.
 *
 * @returns the organization of the role, and whether anything changed
 * @throws ConfigError - when the account or the organization does not exist
 */
export function changeRole(
  { stores, organizations, clock }: RoleDeps,
  change: RoleChange,
): Promise<{ readonly organizationCode: string; readonly isChanged: boolean }> {
  const { action, role } = change
  const email = change.email.trim().toLowerCase()
  return stores.atomically(async ({ audit, identities, identityRoles }) => {
    const identity = await identities.findByEmail(email)
    if (identity === undefined) {
      throw new ConfigError([`No account has the address ${email}. The person registers first`])
    }
    const { organizationCode = identity.organizationCode } = change
    if (organizations.withCode(organizationCode) === undefined) {
      throw new ConfigError([`There is no organization with the code ${organizationCode}`])
    }
    const granted = { identityId: identity.id, role, organizationCode }
    const at = clock()
    const isChanged =
      action === 'grant'
        ? await identityRoles.insert({ ...granted, createdAt: at })
        : await identityRoles.delete(granted)
    if (isChanged) {
      await audit.record(
        action === 'grant' ? 'role-granted' : 'role-revoked',
        { identityId: identity.id, at, organizationCode, details: { role } },
        { network: 'operator', organization: { orgCode: organizationCode } },
      )
    }
    return { organizationCode, isChanged }
  })
}
