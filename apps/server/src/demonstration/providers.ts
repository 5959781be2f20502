import type { UserType } from '@portico/contracts/broker'
import type { Clock } from '../clock.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'

/** The path of the demonstration's identity provider. */
export const IDP_PATH = '/idp'

/** An identity provider of a demonstration organization. Its people have its `clientId` in `people.ts`. */
export interface DemonstrationProvider {
  readonly id: string
  readonly organizationCode: string
  readonly userType: UserType
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  /** The domain of e-mail addresses that the organization owns. */
  readonly domain: string
}

export const DEMONSTRATION_PROVIDERS: readonly DemonstrationProvider[] = [
  {
    id: '5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b01',
    organizationCode: 'NORTHGALE',
    userType: 'customer',
    name: 'Northgale ID',
    clientId: 'northgale-customers',
    clientSecret: 'demonstration-secret-of-northgale-customers',
    domain: 'northgale.example',
  },
  {
    id: '5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b02',
    organizationCode: 'FIGURE_WHOLESALE',
    userType: 'agent',
    name: 'Willow Brokers',
    clientId: 'willow-brokers',
    clientSecret: 'demonstration-secret-of-willow-brokers',
    domain: 'willow-brokers.example',
  },
]

/** Adds the identity providers that do not exist yet. */
export async function seedProviders({
  stores,
  vault,
  clock,
}: {
  readonly stores: Pick<AllStores, 'providers'>
  readonly vault: Vault
  readonly clock: Clock
}): Promise<void> {
  const at = clock()
  for (const provider of DEMONSTRATION_PROVIDERS) {
    const { id, organizationCode, userType, name, clientId, clientSecret, domain } = provider
    await stores.providers.insert({
      id,
      organizationCode,
      userType,
      protocol: 'oidc',
      name,
      settings: JSON.stringify({
        issuer: IDP_PATH,
        clientId,
        scope: 'openid email profile groups',
      }),
      secret: vault.wrap('provider secret', clientSecret),
      attributeMapping: JSON.stringify({ email: 'email', groups: 'groups' }),
      requiredGroup: clientId,
      enabledAt: at,
      createdAt: at,
      updatedAt: at,
    })
    await stores.providers.insertDomain({ providerId: id, domain, verifiedAt: at })
  }
}
