import { Refusal } from '@portico/contracts/errors'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { endSessionsOf } from '../../sessions/sessions.ts'
import type { TransactionalStores } from '../../stores.ts'
import { issuerOf } from '../providers.ts'
import type { SetupSession } from './setup-session.ts'

export function enableProviders({
  stores,
  clock,
}: {
  readonly stores: TransactionalStores<
    'audit' | 'directoryUsers' | 'providers' | 'providerSetups' | 'sessions'
  >
  readonly clock: Clock
}) {
  return {
    /**
     * Applies a version of the settings, which logins use from then on. Requires a passed test and a verified domain.
     *
     * @throws Refusal - `setup-changed`, `setup-incomplete`
     */
    async enable({ provider }: SetupSession, version: number, visitor: Visitor): Promise<void> {
      const at = clock()
      await stores.atomically(async (transaction) => {
        const seen = { providerId: provider.id, version }
        const setup = await transaction.providerSetups.update(seen, { appliedVersion: version })
        // Read again under a lock, because another window may have applied the same version.
        const before = await transaction.providers.findForUpdate(provider.id)
        if (setup === undefined || before === undefined) throw new Refusal('setup-changed')
        const domains = await transaction.providers.listDomains(provider.id)
        const { protocol, name, settings, secret, attributeMapping, requiredGroup } = setup
        const isComplete =
          setup.testPassedAt !== null && domains.some(({ verifiedAt }) => verifiedAt !== null)
        if (protocol === null || !isComplete) throw new Refusal('setup-incomplete')
        await transaction.providers.update(provider.id, {
          protocol,
          name,
          settings,
          secret,
          attributeMapping,
          requiredGroup,
          enabledAt: before.enabledAt ?? at,
          updatedAt: at,
        })
        if (issuerOf({ protocol, settings }) !== issuerOf(before)) {
          await transaction.providers.retireSubjects(provider.id)
        }
        if (requiredGroup !== before.requiredGroup) {
          // Users who left the earlier group have not left this one. Their ended sessions stay ended.
          const identityIds = await transaction.directoryUsers.clearLeftGroup(provider.id)
          await endSessionsOf(transaction, identityIds, at)
        }
        const event = { identityId: null, at, details: { protocol, version } }
        await transaction.audit.record('provider-enabled', event, visitor)
      })
    },

    /** Stops logins with the provider. Existing sessions stay. @throws Refusal - `setup-changed` */
    async disable({ provider }: SetupSession, version: number, visitor: Visitor): Promise<void> {
      const at = clock()
      await stores.atomically(async (transaction) => {
        const seen = { providerId: provider.id, version }
        if (!(await transaction.providerSetups.update(seen, { appliedVersion: null }))) {
          throw new Refusal('setup-changed')
        }
        await transaction.providers.update(provider.id, { enabledAt: null, updatedAt: at })
        await transaction.audit.record('provider-disabled', { identityId: null, at }, visitor)
      })
    },
  }
}
