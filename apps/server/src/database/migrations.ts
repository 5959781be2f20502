import type { Migration } from 'kysely/migration'
import { baseline } from './migrations/0001-baseline.ts'
import { push } from './migrations/0002-push.ts'
import { organizationMembers } from './migrations/0003-organization-members.ts'
import { groupVersions } from './migrations/0004-group-versions.ts'
import { addedAuthorizations } from './migrations/0005-added-authorizations.ts'
import { broker } from './migrations/0006-broker.ts'
import { passport } from './migrations/0007-passport.ts'
import { directories } from './migrations/0008-directories.ts'
import { passportReviews } from './migrations/0009-passport-reviews.ts'
import { providerSetup } from './migrations/0010-provider-setup.ts'
import { passportFiles } from './migrations/0011-passport-files.ts'
import { reviewPages } from './migrations/0012-review-pages.ts'
import { webhooks } from './migrations/0013-webhooks.ts'
import { compatibleVersions } from './migrations/0014-compatible-versions.ts'
import { providerPeople } from './migrations/0015-provider-people.ts'
import { openidProvider } from './migrations/0016-openid-provider.ts'
import { openidLogouts } from './migrations/0017-openid-logouts.ts'
import { operators } from './migrations/0018-operators.ts'
import { organizations } from './migrations/0019-organizations.ts'
import { insight } from './migrations/0020-insight.ts'
import { auditChain } from './migrations/0021-audit-chain.ts'
import { consoleIndexes } from './migrations/0024-console-indexes.ts'
import { nodes } from './migrations/0025-nodes.ts'
import { actRequests } from './migrations/0027-act-requests.ts'
import { impersonation } from './migrations/0028-impersonation.ts'
import { nodeState } from './migrations/0029-node-state.ts'
import { actFingerprints } from './migrations/0030-act-fingerprints.ts'
import { factorOrigins } from './migrations/0034-factor-origins.ts'
import { managedAccounts } from './migrations/0037-managed-accounts.ts'
import { directoryLimits } from './migrations/0038-directory-limits.ts'
import { queryIndexes } from './migrations/0040-query-indexes.ts'
import { deviceRetention } from './migrations/0041-device-retention.ts'
import { outcomesOfIdentities } from './migrations/0042-outcomes-of-identities.ts'
import { organizationInvitations } from './migrations/0048-organization-invitations.ts'
import { verifiedAddresses } from './migrations/0051-verified-addresses.ts'
import { peopleSearch } from './migrations/0052-people-search.ts'
import { directoryGroupPages } from './migrations/0061-directory-group-pages.ts'
import { directoryRefusals } from './migrations/0062-directory-refusals.ts'
import { refreshSuccessors } from './migrations/0064-refresh-successors.ts'

/** Forward migrations by name, applied in the order of their names. A released migration is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-baseline': baseline,
  '0002-push': push,
  '0003-organization-members': organizationMembers,
  '0004-group-versions': groupVersions,
  '0005-added-authorizations': addedAuthorizations,
  '0006-broker': broker,
  '0007-passport': passport,
  '0008-directories': directories,
  '0009-passport-reviews': passportReviews,
  '0010-provider-setup': providerSetup,
  '0011-passport-files': passportFiles,
  '0012-review-pages': reviewPages,
  '0013-webhooks': webhooks,
  '0014-compatible-versions': compatibleVersions,
  '0015-provider-people': providerPeople,
  '0016-openid-provider': openidProvider,
  '0017-openid-logouts': openidLogouts,
  '0018-operators': operators,
  '0019-organizations': organizations,
  '0020-insight': insight,
  '0021-audit-chain': auditChain,
  '0024-console-indexes': consoleIndexes,
  '0025-nodes': nodes,
  '0027-act-requests': actRequests,
  '0028-impersonation': impersonation,
  '0029-node-state': nodeState,
  '0030-act-fingerprints': actFingerprints,
  '0034-factor-origins': factorOrigins,
  '0037-managed-accounts': managedAccounts,
  '0038-directory-limits': directoryLimits,
  '0040-query-indexes': queryIndexes,
  '0041-device-retention': deviceRetention,
  '0042-outcomes-of-identities': outcomesOfIdentities,
  '0048-organization-invitations': organizationInvitations,
  '0051-verified-addresses': verifiedAddresses,
  '0052-people-search': peopleSearch,
  '0061-directory-group-pages': directoryGroupPages,
  '0062-directory-refusals': directoryRefusals,
  '0064-refresh-successors': refreshSuccessors,
}

/**
 * Versions with this migration, or a later one, work on today's schema: they run beside this version during an upgrade,
 * and after it is rolled back. A migration that removes or renames something raises this to the first version without
 * the removed name in its code.
 */
export const COMPATIBLE_FROM = '0014-compatible-versions'
