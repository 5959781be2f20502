import { randomUUID } from 'node:crypto'
import type { UserType } from '@portico/contracts/broker'
import { SETUP_LINK_LIFETIME_MS } from '@portico/contracts/limits'
import type { Clock } from '../../clock.ts'
import type { Sender } from '../../mail/layout.ts'
import { providerSetupMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { randomSecret, sha256 } from '../../secrets/hashes.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'

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
    {
      userType,
      email,
      newProviderId = randomUUID(),
    }: { userType: UserType; email: string; newProviderId?: string },
  ): Promise<void> => {
    const at = clock()
    const { orgCode } = sender.organization
    const token = randomSecret()
    await stores.atomically(async (transaction) => {
      const providerId = await setupOf(transaction, {
        organizationCode: orgCode,
        userType,
        newProviderId,
        at,
      })
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

/** Returns the provider to set up, with its setup. */
async function setupOf(
  { providers, providerSetups }: Pick<Stores, 'providers' | 'providerSetups'>,
  {
    organizationCode,
    userType,
    newProviderId,
    at,
  }: { organizationCode: string; userType: UserType; newProviderId: string; at: number },
): Promise<string> {
  const existing = await providers.findToSetUp(organizationCode, userType)
  const draft = existing ?? {
    name: '',
    protocol: null,
    settings: '{}',
    secret: null,
    attributeMapping: '{}',
    requiredGroup: null,
    enabledAt: null,
  }
  const providerId = existing?.id ?? newProviderId
  const { name, protocol, settings, secret, attributeMapping, requiredGroup, enabledAt } = draft
  if (existing === undefined) {
    const live = { name, settings, secret, attributeMapping, requiredGroup, enabledAt }
    await providers.insert({
      ...live,
      id: providerId,
      organizationCode,
      userType,
      // Until the administrator chooses; nothing reads it before the provider is enabled.
      protocol: 'oidc',
      createdAt: at,
      updatedAt: at,
    })
  }
  await providerSetups.insert({
    providerId,
    product: null,
    protocol,
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
  return providerId
}
