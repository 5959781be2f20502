/** Grants and revokes operators' roles for `npm run operator`, which also appoints the first operator. */
import { ALL_ORGANIZATIONS, type OperatorRole } from '@portico/contracts/admin/permissions'
import { emailAddress } from '@portico/contracts/email-address'
import type { Organizations } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { ConfigError } from '../../config-error.ts'
import { openExistingDatabase } from '../../database/database.ts'
import { loadData } from '../../load-data.ts'
import { allStores, type TransactionalStores } from '../../stores.ts'

interface GrantDeps {
  readonly stores: TransactionalStores<'audit' | 'identities' | 'identityRoles' | 'passkeys'>
  readonly organizations: Pick<Organizations, 'withCode'>
  readonly clock: Clock
}

interface GrantChange {
  readonly action: 'grant' | 'revoke'
  readonly email: string
  readonly role: OperatorRole
  /** Codes, or `*` for all. The default is all for an admin, otherwise the account's own. */
  readonly organizationCodes?: readonly string[]
}

/**
 * Runs `work` on the configured database.
 *
 * @throws ConfigError - when there is no embedded database yet
 */
export async function withGrants<Result>(
  config: Config,
  work: (deps: GrantDeps) => Promise<Result>,
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
 * Changes an account's grants, effective with the account's next call.
 *
 * @returns the organizations, those for which anything changed, and whether the account has a passkey or authenticator app
 * @throws ConfigError - when the account or an organization does not exist
 */
export function changeGrants(
  { stores, organizations, clock }: GrantDeps,
  change: GrantChange,
): Promise<{
  readonly organizationCodes: readonly string[]
  readonly changed: readonly string[]
  readonly hasFactor: boolean
}> {
  const { action, role } = change
  const email = emailAddress(change.email) ?? change.email.trim().toLowerCase()
  return stores.atomically(async ({ audit, identities, identityRoles, passkeys }) => {
    const identity = await identities.findByEmail(email)
    if (identity === undefined) {
      throw new ConfigError([`No account has the address ${email}. The person must register first`])
    }
    const {
      organizationCodes = [role === 'admin' ? ALL_ORGANIZATIONS : identity.organizationCode],
    } = change
    const unknown = organizationCodes.filter(
      (code) => code !== ALL_ORGANIZATIONS && organizations.withCode(code) === undefined,
    )
    // A role for a removed organization can still be revoked.
    if (unknown.length > 0 && action === 'grant') {
      throw new ConfigError(unknown.map((code) => `There is no organization with the code ${code}`))
    }
    const at = clock()
    const changed: string[] = []
    for (const organizationCode of new Set(organizationCodes)) {
      const grant = { identityId: identity.id, role, organizationCode }
      const isChanged =
        action === 'grant'
          ? await identityRoles.insert({ ...grant, createdAt: at })
          : await identityRoles.delete(grant)
      if (!isChanged) continue
      changed.push(organizationCode)
      await audit.record(
        action === 'grant' ? 'role-granted' : 'role-revoked',
        { identityId: identity.id, at, organizationCode, details: { role } },
        { network: 'operator', organization: { orgCode: organizationCode } },
      )
    }
    const aliases = await identities.listAliases(identity.id)
    const hasFactor =
      aliases.some(({ type }) => type === 'TOTP') || (await passkeys.list(identity.id)).length > 0
    return { organizationCodes, changed, hasFactor }
  })
}
