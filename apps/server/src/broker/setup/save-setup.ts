/** Saves an administrator's settings. They are stored at once, but logins use them only after they are applied. */

import type { Parsed } from '@portico/contracts/call'
import { Refusal } from '@portico/contracts/errors'
import { parseJson } from '@portico/contracts/parse-json'
import type {
  chooseProvider,
  saveAttributes,
  saveOpenId,
  saveSaml,
} from '@portico/contracts/sso-setup'
import type { Clock } from '../../clock.ts'
import { outboundFetch } from '../../http/outbound-fetch.ts'
import { type OutboundHosts, outboundUrl } from '../../http/outbound-post.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Stores } from '../../stores.ts'
import { OpenIdSettings } from '../openid-connect.ts'
import {
  InvalidMetadata,
  readSamlMetadata,
  SamlSettings,
  samlSettingsOf,
} from '../saml-metadata.ts'
import type { SetupRow } from './provider-setups.store.ts'
import type { SetupSession } from './setup-session.ts'

/** Administrators often paste the metadata URL. */
const METADATA_PATH = /\/\.well-known\/openid-configuration\/?$/

export interface SaveDeps {
  readonly stores: Pick<Stores, 'providerSetups'>
  readonly vault: Vault
  readonly clock: Clock
  /** The hosts where providers may be. */
  readonly hosts: OutboundHosts
  /** Whether they may also be at this installation's own address, as in the demonstration. */
  readonly allowsOwnOrigin: boolean
}

export function saveSetup({ stores, vault, clock, hosts, allowsOwnOrigin }: SaveDeps) {
  /** @throws Refusal - `setup-changed` if the setup no longer has the version that the administrator saw */
  async function save(
    { setup }: SetupSession,
    version: number,
    change: Partial<Omit<SetupRow, 'providerId' | 'version'>>,
  ): Promise<SetupRow> {
    const seen = { providerId: setup.providerId, version }
    const saved = await stores.providerSetups.update(seen, {
      ...change,
      version: version + 1,
      updatedAt: clock(),
    })
    if (saved === undefined) throw new Refusal('setup-changed')
    return saved
  }

  /** The allowed hosts for an address that the administrator typed. */
  const hostsFor = (address: string, { linkOrigin }: Visitor): OutboundHosts =>
    allowsOwnOrigin && URL.parse(address)?.origin === linkOrigin
      ? [new URL(linkOrigin).host]
      : hosts

  /** @throws Refusal - `provider-address-refused` unless the server may send requests there */
  function assertAllowed(address: string, visitor: Visitor): void {
    if (outboundUrl(address, hostsFor(address, visitor)) === undefined) {
      throw new Refusal('provider-address-refused')
    }
  }

  async function readMetadata(address: string, visitor: Visitor): Promise<string> {
    assertAllowed(address, visitor)
    const request = { method: 'GET', headers: {}, body: undefined, signal: undefined }
    const response = await outboundFetch(hostsFor(address, visitor))(address, request).catch(
      (error: unknown) => {
        throw invalidMetadata('The metadata could not be read from this address.', error)
      },
    )
    if (!response.ok) {
      throw invalidMetadata(
        `The server answered ${response.status} instead of the metadata. Redirects are not followed.`,
      )
    }
    return response.text()
  }

  return {
    choose(
      session: SetupSession,
      { version, product, protocol }: Parsed<typeof chooseProvider.body>,
    ): Promise<SetupRow> {
      const isOther = session.setup.protocol !== protocol
      return save(session, version, {
        product,
        protocol,
        ...(isOther ? { settings: '{}', secret: null, attributeMapping: '{}', ...UNTESTED } : {}),
      })
    },

    async saveOpenId(
      session: SetupSession,
      {
        version,
        name,
        issuer: typedIssuer,
        clientId: typedClientId,
        clientSecret,
        scope,
      }: Parsed<typeof saveOpenId.body>,
      visitor: Visitor,
    ): Promise<SetupRow> {
      const clientId = typedClientId.trim()
      const issuer = typedIssuer.trim().replace(METADATA_PATH, '')
      assertAllowed(issuer, visitor)
      const before = OpenIdSettings.safeParse(parseJson(session.setup.settings)).data
      // The saved secret is never sent to another provider, which the administrator may not have intended.
      const isSame = before?.issuer === issuer && before.clientId === clientId
      return save(session, version, {
        protocol: 'oidc',
        name,
        settings: JSON.stringify({ issuer, clientId, scope }),
        secret:
          clientSecret === undefined
            ? isSame
              ? session.setup.secret
              : null
            : vault.wrap('provider secret', clientSecret.trim()),
        ...UNTESTED,
      })
    },

    async saveSaml(
      session: SetupSession,
      { version, name, provider }: Parsed<typeof saveSaml.body>,
      visitor: Visitor,
    ): Promise<SetupRow> {
      const before = SamlSettings.safeParse(parseJson(session.setup.settings)).data
      const read = await samlSettings(provider, visitor)
      // The form has no field for it; it comes from metadata only.
      const isKept = 'issuer' in provider && before?.issuer === read.issuer
      const settings = { ...(isKept ? { signOutUrl: before.signOutUrl } : {}), ...read }
      return save(session, version, {
        protocol: 'saml',
        name,
        settings: JSON.stringify(settings),
        secret: null,
        ...UNTESTED,
      })
    },

    saveAttributes(
      session: SetupSession,
      { version, requiredGroup, ...mapping }: Parsed<typeof saveAttributes.body>,
    ): Promise<SetupRow> {
      return save(session, version, {
        attributeMapping: JSON.stringify(mapping),
        requiredGroup: requiredGroup ?? null,
        ...UNTESTED,
      })
    },
  }

  async function samlSettings(
    provider: Parsed<typeof saveSaml.body>['provider'],
    visitor: Visitor,
  ): Promise<SamlSettings> {
    const text =
      'metadata' in provider
        ? provider.metadata
        : 'metadataUrl' in provider
          ? await readMetadata(provider.metadataUrl, visitor)
          : undefined
    try {
      const allowed = { allowsLoopback: allowsOwnOrigin }
      return 'issuer' in provider
        ? samlSettingsOf(provider, allowed)
        : readSamlMetadata(text ?? '', allowed)
    } catch (error) {
      if (error instanceof InvalidMetadata) throw invalidMetadata(error.message, error)
      throw error
    }
  }
}

/** Earlier test results do not apply to new settings. */
const UNTESTED = { test: null, testPassedAt: null } as const

const invalidMetadata = (message: string, cause?: unknown) =>
  new Refusal('metadata-unusable', { errors: [message], cause })
