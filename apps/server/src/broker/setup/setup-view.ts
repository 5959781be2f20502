import { X509Certificate } from 'node:crypto'
import { ROUTER_BASE } from '@portico/contracts/limits'
import { parseJson } from '@portico/contracts/parse-json'
import { AttributeMapping, SCIM_PATH, type Setup, SetupTest } from '@portico/contracts/sso-setup'
import { type Experiments, PROVIDER_EXPERIMENTS } from '../../experiments/experiments.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Stores } from '../../stores.ts'
import { OpenIdSettings } from '../openid-connect.ts'
import { serviceProviderOf } from '../providers.ts'
import { certificatePem, SamlSettings } from '../saml-metadata.ts'
import type { SetupRow } from './provider-setups.store.ts'
import { recordNameOf, recordValueOf } from './setup-domains.ts'
import type { SetupSession } from './setup-session.ts'

/** The setup as its administrator sees it, without secrets. */
export async function viewOf(
  { link, provider, setup }: SetupSession,
  {
    stores,
    vault,
    experiments,
    visitor,
  }: {
    readonly stores: Pick<Stores, 'directoryTokens' | 'providers'>
    readonly vault: Vault
    readonly experiments: Pick<Experiments, 'decide'>
    readonly visitor: Pick<Visitor, 'linkOrigin'>
  },
): Promise<Setup> {
  const { callbackUrl, entityId } = serviceProviderOf(provider, visitor)
  const domains = await stores.providers.listDomains(provider.id)
  const directoryTokens = await stores.directoryTokens.list(provider.id)
  return {
    organizationCode: provider.organizationCode,
    userType: provider.userType,
    expiresAt: link.expiresAt,
    version: setup.version,
    service: {
      callbackUrl,
      entityId,
      logoutUrl: `${visitor.linkOrigin}${ROUTER_BASE}/login`,
      directoryUrl: `${visitor.linkOrigin}${SCIM_PATH}`,
    },
    product: setup.product,
    protocol: setup.protocol,
    name: setup.name,
    oidc: openIdOf(setup),
    saml: samlOf(setup),
    attributes: AttributeMapping.parse(parseJson(setup.attributeMapping)),
    requiredGroup: setup.requiredGroup ?? '',
    domains: domains.map(({ domain, verifiedAt, challenge }) => ({
      domain,
      verifiedAt,
      record:
        challenge === null ? null : { name: recordNameOf(domain), value: recordValueOf(challenge) },
    })),
    directoryTokens: directoryTokens.map(({ id, createdAt, lastUsedAt }) => ({
      id,
      createdAt,
      lastUsedAt,
    })),
    test:
      setup.test === null
        ? null
        : SetupTest.parse(parseJson(vault.unwrap('provider test', setup.test))),
    enabledAt: provider.enabledAt,
    isApplied: provider.enabledAt !== null && setup.appliedVersion === setup.version,
    isOffered: isOffered(provider, experiments),
  }
}

/** Whether the experiment includes the organization. It may show the button to only a share of its visitors. */
function isOffered(
  { organizationCode: orgCode, userType }: SetupSession['provider'],
  experiments: Pick<Experiments, 'decide'>,
): boolean {
  const subject = { trackerUuid: 'untracked', orgCode }
  const { enabled, variant } = experiments.decide(PROVIDER_EXPERIMENTS[userType], subject)
  return enabled || variant !== undefined
}

function openIdOf({ protocol, settings, secret }: SetupRow): Setup['oidc'] {
  if (protocol !== 'oidc') return null
  const saved = OpenIdSettings.safeParse(parseJson(settings)).data
  return saved === undefined ? null : { ...saved, hasSecret: secret !== null }
}

function samlOf({ protocol, settings }: SetupRow): Setup['saml'] {
  if (protocol !== 'saml') return null
  const saved = SamlSettings.safeParse(parseJson(settings)).data
  if (saved === undefined) return null
  const certificates = saved.certificates.map((certificate) => {
    const pem = certificatePem(certificate)
    const { fingerprint256, validToDate } = new X509Certificate(pem)
    return { pem, fingerprint: fingerprint256, expiresAt: validToDate.getTime() }
  })
  return { ...saved, certificates, unreadable: saved.unreadable ?? [] }
}
