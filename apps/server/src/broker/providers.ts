/** Opens organizations' identity providers by protocol, with their settings and secret. */
import { BROKER_PATH } from '@portico/contracts/broker'
import { parseJson } from '@portico/contracts/parse-json'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import type { OutboundHosts } from '../http/outbound-post.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { ClaimNames, OpenIdSettings, openIdConnect } from './openid-connect.ts'
import type { ProviderLoginRow } from './provider-logins.store.ts'
import type { ProviderRow } from './providers.store.ts'
import { AttributeNames, samlProvider } from './saml.ts'
import type { SamlServiceProvider } from './saml-messages.ts'
import { SamlSettings } from './saml-metadata.ts'

export type OpenProvider = (
  row: ProviderRow,
  visitor: Pick<Visitor, 'linkOrigin'>,
) => IdentityProvider

/**
 * @param deps.hosts - the hosts where providers may be
 * @param deps.allowsOwnOrigin - whether they may also be at this installation's own address, as in the demonstration
 */
export function openProviders(deps: {
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Logger
  readonly hosts: OutboundHosts
  readonly allowsOwnOrigin: boolean
}): OpenProvider {
  const { vault, hosts, allowsOwnOrigin } = deps
  const openIdProvider = openIdConnect(deps)
  return (row, { linkOrigin }) => {
    switch (row.protocol) {
      case 'saml':
        return samlProvider({
          settings: withOwnAddresses(linkOrigin, SamlSettings.parse(parseJson(row.settings))),
          service: serviceProviderOf(row, { linkOrigin }),
          attributes: AttributeNames.parse(parseJson(row.attributeMapping)),
        })
      case 'oidc':
        return openOpenIdProvider(row, linkOrigin)
    }
  }

  function openOpenIdProvider(row: ProviderRow, linkOrigin: string): IdentityProvider {
    const { issuer: issuerText, ...settings } = OpenIdSettings.parse(parseJson(row.settings))
    const issuer = new URL(issuerText, linkOrigin)
    // A path is a provider of this installation itself, such as the demonstration's.
    const isOwn =
      issuerText.startsWith('/') ||
      (allowsOwnOrigin && issuer.origin === new URL(linkOrigin).origin)
    return openIdProvider({
      ...settings,
      id: row.id,
      version: row.updatedAt,
      issuer,
      clientSecret: row.secret === null ? undefined : vault.unwrap('provider secret', row.secret),
      claims: ClaimNames.parse(parseJson(row.attributeMapping)),
      requiresGroup: row.requiredGroup !== null,
      hosts: isOwn ? [issuer.host] : hosts,
    })
  }
}

/** A path is a provider of this installation itself, such as the demonstration's. */
function withOwnAddresses(linkOrigin: string, settings: SamlSettings): SamlSettings {
  const { signInUrl, signOutUrl } = settings
  return {
    ...settings,
    signInUrl: new URL(signInUrl, linkOrigin).href,
    ...(signOutUrl === undefined ? {} : { signOutUrl: new URL(signOutUrl, linkOrigin).href }),
  }
}

const WithIssuer = z.object({ issuer: z.optional(z.string()) })

/**
 * The authority that assigns subjects: the protocol and the issuer. Another one may assign the same subjects to other
 * people.
 */
export function issuerOf({
  protocol,
  settings,
}: Pick<ProviderRow, 'protocol' | 'settings'>): string {
  const { issuer = '' } = WithIssuer.parse(parseJson(settings))
  return `${protocol} ${issuer.replace(/\/$/, '')}`
}

/**
 * Whether the provider still has the issuer with which a login began. Locks the provider until the transaction ends, so that
 * the issuer cannot change before a subject is linked.
 */
export async function hasSameIssuer(
  { providers }: Pick<Stores, 'providers'>,
  { providerId, issuer }: Pick<ProviderLoginRow, 'providerId' | 'issuer'>,
): Promise<boolean> {
  const provider = await providers.findForUpdate(providerId)
  return provider !== undefined && provider.enabledAt !== null && issuerOf(provider) === issuer
}

/** Where a provider sends its responses. Each provider has its own path, which prevents mix-up attacks. */
export function returnUrlOf(
  { id, userType }: Pick<ProviderRow, 'id' | 'userType'>,
  { linkOrigin }: Pick<Visitor, 'linkOrigin'>,
): string {
  return `${linkOrigin}${BROKER_PATH}/${userType}/callback/${id}`
}

/** What a SAML provider needs to know about us. The entity ID is also the address of our metadata. */
export function serviceProviderOf(
  provider: Pick<ProviderRow, 'id' | 'userType'>,
  visitor: Pick<Visitor, 'linkOrigin'>,
): SamlServiceProvider {
  const { id, userType } = provider
  const base = `${visitor.linkOrigin}${BROKER_PATH}/${userType}`
  return {
    entityId: `${base}/metadata/${id}`,
    callbackUrl: returnUrlOf(provider, visitor),
    logoutCallbackUrl: `${base}/logout/${id}`,
  }
}
