import { hash } from 'node:crypto'
import type { UserType } from '@portico/contracts/broker'
import { SETUP_LINK_LIFETIME_MS } from '@portico/contracts/limits'
import type { Sender } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import { providerSetupMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { randomSecret, sha256 } from '../../secrets/hashes.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import { newProvider } from '../providers.store.ts'

type SetupLinkStores = 'audit' | 'messages' | 'providers' | 'providerSetups' | 'setupLinks'

export interface SetupLinkDeps {
  readonly stores: TransactionalStores<SetupLinkStores>
  readonly outbox: Pick<Outbox, 'add'>
  readonly clock: Clock
}

/**
 * Mails an administrator the link to set up the identity provider of an organization's customers or agents: the one that
 * exists, or a new one.
 */
export function createSetupLink({ stores, outbox, clock }: SetupLinkDeps) {
  return async (
    sender: Sender,
    { userType, email }: { userType: UserType; email: string },
  ): Promise<void> => {
    const at = clock()
    const { orgCode } = sender.organization
    const token = randomSecret()
    await stores.atomically(async (transaction) => {
      const subject = { organizationCode: orgCode, userType, at }
      const providerId = await setupOf(transaction, subject)
      await transaction.setupLinks.insert({
        tokenHash: sha256(token),
        providerId,
        email,
        createdAt: at,
        expiresAt: at + SETUP_LINK_LIFETIME_MS,
      })
      await outbox.add(transaction, providerSetupMail(sender, { email, token, userType }))
      const source = { organization: sender.organization, network: 'operator' }
      const event = { identityId: null, at, details: { userType } }
      await transaction.audit.record('provider-setup-invited', event, source)
    })
  }
}

/** Deterministic, so that links created at the same moment are for the same provider. */
function firstProviderId(organizationCode: string, userType: UserType): string {
  const hex = hash('sha256', `first provider ${organizationCode} ${userType}`)
  // A UUID of version 8 (RFC 9562 5.8).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Returns the provider to set up, with its setup. */
async function setupOf(
  { providers, providerSetups }: Pick<Stores, 'providers' | 'providerSetups'>,
  { organizationCode, userType, at }: { organizationCode: string; userType: UserType; at: number },
): Promise<string> {
  const existing = await providers.findToSetUp(organizationCode, userType)
  const firstId = firstProviderId(organizationCode, userType)
  const provider = existing ?? newProvider({ id: firstId, organizationCode, userType }, at)
  if (existing === undefined) await providers.insert(provider)
  const { id, protocol, name, settings, secret, attributeMapping, requiredGroup, enabledAt } =
    provider
  await providerSetups.insert({
    providerId: id,
    product: null,
    protocol: settings === '{}' ? null : protocol,
    name,
    settings,
    secret,
    attributeMapping,
    requiredGroup,
    version: 1,
    appliedVersion: enabledAt === null ? null : 1,
    testPassedAt: null,
    test: null,
    updatedAt: at,
  })
  return id
}
