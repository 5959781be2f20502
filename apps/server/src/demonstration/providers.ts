import type { UserType } from '@portico/contracts/broker'
import { newProvider } from '../broker/providers.store.ts'
import type { SamlSigningKey } from '../broker/saml-responses.ts'
import type { Clock } from '../clock.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'

/** The path of the demonstration's OpenID Connect provider. */
export const IDP_PATH = '/idp'
/** The path of its SAML provider. */
export const SAML_IDP_PATH = '/saml-idp'

/** An identity provider of a demonstration organization. Its people have its `clientId` in `people.ts`. */
export type DemonstrationProvider = {
  readonly id: string
  readonly organizationCode: string
  readonly userType: UserType
  readonly name: string
  /** For SAML, the part of the path after `SAML_IDP_PATH`. */
  readonly clientId: string
  /** The domain of e-mail addresses that the organization owns. */
  readonly domain: string
} & ({ readonly protocol: 'oidc'; readonly clientSecret: string } | { readonly protocol: 'saml' })

export const DEMONSTRATION_PROVIDERS = [
  {
    id: '5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b01',
    organizationCode: 'NORTHGALE',
    userType: 'customer',
    protocol: 'oidc',
    name: 'Northgale ID',
    clientId: 'northgale-customers',
    clientSecret: 'demonstration-secret-of-northgale-customers',
    domain: 'northgale.example',
  },
  {
    id: '5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b02',
    organizationCode: 'FIGURE_WHOLESALE',
    userType: 'agent',
    protocol: 'oidc',
    name: 'Willow Brokers',
    clientId: 'willow-brokers',
    clientSecret: 'demonstration-secret-of-willow-brokers',
    domain: 'willow-brokers.example',
  },
  {
    id: '5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b03',
    organizationCode: 'FERNHOLLOW',
    userType: 'customer',
    protocol: 'saml',
    name: 'Fernhollow ID',
    clientId: 'fernhollow-customers',
    domain: 'fernhollow.example',
  },
  {
    id: '5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b04',
    organizationCode: 'GRANITE_LOOP',
    userType: 'agent',
    protocol: 'saml',
    name: 'Quarry Brokers',
    clientId: 'quarry-brokers',
    domain: 'quarry-brokers.example',
  },
] as const satisfies readonly DemonstrationProvider[]

/** A provider that is not set up yet: visitors of the demonstration set it up with a mailed link, by either protocol. */
export const NEW_PROVIDER = {
  id: '5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b05',
  organizationCode: 'CEDAR_POINT',
  userType: 'customer',
  protocol: 'oidc',
  name: 'Cedar Point ID',
  clientId: 'cedar-point-customers',
  clientSecret: 'demonstration-secret-of-cedar-point-customers',
  domain: 'cedar-point.example',
} as const satisfies DemonstrationProvider

interface SeedDeps {
  readonly stores: Pick<AllStores, 'providers'>
  readonly vault: Vault
  readonly clock: Clock
}

/** Adds the identity providers that do not exist yet. */
export async function seedProviders(deps: SeedDeps): Promise<void> {
  const { stores, clock } = deps
  const at = clock()
  for (const provider of DEMONSTRATION_PROVIDERS) {
    const { id, organizationCode, userType, protocol, name, clientId, domain } = provider
    if ((await stores.providers.findEnabledById(id)) !== undefined) continue
    await stores.providers.insert({
      id,
      organizationCode,
      userType,
      protocol,
      name,
      ...(await (protocol === 'oidc'
        ? openIdSettings(provider, deps)
        : samlSettings(provider, deps))),
      requiredGroup: clientId,
      enabledAt: at,
      createdAt: at,
      updatedAt: at,
    })
    await stores.providers.insertDomain({ providerId: id, domain, verifiedAt: at })
  }
  await stores.providers.insert(newProvider(NEW_PROVIDER, at))
}

type OpenIdProvider = Extract<DemonstrationProvider, { protocol: 'oidc' }>

async function openIdSettings({ clientId, clientSecret }: OpenIdProvider, { vault }: SeedDeps) {
  const settings = { issuer: IDP_PATH, clientId, scope: 'openid email profile groups' }
  return {
    settings: JSON.stringify(settings),
    secret: vault.wrap('provider secret', clientSecret),
    attributeMapping: JSON.stringify({ email: 'email', groups: 'groups' }),
  }
}

/** The SAML provider's own description of itself, without its certificate. */
export function samlAddresses({
  clientId,
  domain,
}: Pick<DemonstrationProvider, 'clientId' | 'domain'>) {
  const path = `${SAML_IDP_PATH}/${clientId}`
  return {
    issuer: `https://login.${domain}/saml`,
    signInUrl: `${path}/sign-in`,
    signOutUrl: `${path}/sign-out`,
  }
}

/** Also configures the provider's side: the secret is its signing key. */
async function samlSettings(provider: DemonstrationProvider, { vault }: SeedDeps) {
  signingKey ??= import('../broker/saml-responses.ts').then((module) => module.samlSigningKey())
  const { privateKey, certificate } = await signingKey
  return {
    settings: JSON.stringify({ ...samlAddresses(provider), certificates: [certificate] }),
    secret: vault.wrap('provider secret', privateKey),
    attributeMapping: JSON.stringify({ email: 'mail', groups: 'memberOf' }),
  }
}

/** Shared by all SAML providers and servers in this process, because generating it is slow. */
let signingKey: Promise<SamlSigningKey> | undefined
