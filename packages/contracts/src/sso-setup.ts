/** Setup of an organization's identity provider by its administrator, in the session of a mailed link. */
import * as z from 'zod/mini'
import { BROKER_PATH, UserType } from './broker.ts'
import { call } from './call.ts'
import { emailDomain } from './email-domain.ts'
import { MAX_METADATA_BYTES } from './limits.ts'
import { typedText } from './text.ts'

/** The base path of SCIM, which directories call. */
export const SCIM_PATH = '/scim/v2'

/** The identity products with setup instructions. */
export const PROVIDER_PRODUCTS = ['okta', 'entra', 'google', 'ping', 'other'] as const

const ProviderProduct = z.enum(PROVIDER_PRODUCTS)

export type ProviderProduct = z.output<typeof ProviderProduct>

const Protocol = z.enum(['oidc', 'saml'])

export type ProviderProtocol = z.output<typeof Protocol>

/** The scopes requested by default. */
export const DEFAULT_SCOPE = 'openid email profile'

/** The names of claims or attributes. The common names are read by default. */
export const AttributeMapping = z.object({
  email: z.optional(z.string()),
  firstName: z.optional(z.string()),
  lastName: z.optional(z.string()),
  groups: z.optional(z.string()),
})

export type AttributeMapping = z.output<typeof AttributeMapping>

/** Why a test failed. */
export const TestProblem = z.enum([
  /** The provider cannot be reached, or its metadata is unusable. */
  'unavailable',
  /** The user or the provider declined. */
  'declined',
  'invalid-answer',
  'email-missing',
  /** The provider states that it has not verified the address. */
  'email-unverified',
  'group-missing',
  /** The provider left the groups out because the person is in too many. */
  'groups-omitted',
])

export type TestProblem = z.output<typeof TestProblem>

/** A test sign-in, which starts no session. */
export const SetupTest = z.object({
  /** `begun`: the browser was sent to the provider, and no response has arrived. */
  status: z.enum(['begun', 'passed', 'failed']),
  at: z.number(),
  problem: z.optional(TestProblem),
  /** A technical message from the libraries. */
  detail: z.optional(z.string()),
  mismatch: z.optional(z.object({ field: z.string(), expected: z.string(), found: z.string() })),
  /** The person as the provider described them. */
  person: z.optional(
    z.object({
      subject: z.string(),
      email: z.optional(z.string()),
      firstName: z.optional(z.string()),
      lastName: z.optional(z.string()),
      groups: z.array(z.string()),
      /** Whether the provider left groups out because there are too many; absent in tests of earlier versions. */
      groupsOmitted: z.optional(z.boolean()),
      /** Whether the address belongs to a verified domain. */
      isDomainVerified: z.boolean(),
    }),
  ),
  /** All claims or attributes that the provider sent. */
  claims: z.array(z.object({ name: z.string(), value: z.string() })),
})

export type SetupTest = z.output<typeof SetupTest>

/** A setup as the administrator sees it. Secrets are never part of it. */
export const Setup = z.object({
  organizationCode: z.string(),
  userType: UserType,
  /** When this browser's session ends. */
  expiresAt: z.number(),
  /** Changes with every change of the settings. */
  version: z.number(),
  /** The values to enter at the provider. */
  service: z.object({
    callbackUrl: z.string(),
    entityId: z.string(),
    logoutUrl: z.string(),
    /** The base URL of SCIM. */
    directoryUrl: z.string(),
  }),
  product: z.nullable(ProviderProduct),
  protocol: z.nullable(Protocol),
  /** On the button of the login page. */
  name: z.string(),
  oidc: z.nullable(
    z.object({
      issuer: z.string(),
      clientId: z.string(),
      scope: z.string(),
      hasSecret: z.boolean(),
    }),
  ),
  saml: z.nullable(
    z.object({
      issuer: z.string(),
      signInUrl: z.string(),
      certificates: z.array(
        z.object({ pem: z.string(), fingerprint: z.string(), expiresAt: z.number() }),
      ),
      /** The names of certificates that could not be read, and are not used. */
      unreadable: z.array(z.string()),
    }),
  ),
  attributes: AttributeMapping,
  requiredGroup: z.string(),
  domains: z.array(
    z.object({
      domain: z.string(),
      verifiedAt: z.nullable(z.number()),
      /** The TXT record that proves ownership; null for a domain that was verified without one. */
      record: z.nullable(z.object({ name: z.string(), value: z.string() })),
    }),
  ),
  /** The directory's SCIM tokens, newest first. Creating a third revokes the oldest. */
  directoryTokens: z.array(
    z.object({ id: z.string(), createdAt: z.number(), lastUsedAt: z.nullable(z.number()) }),
  ),
  test: z.nullable(SetupTest),
  /** When logins with the provider were turned on. */
  enabledAt: z.nullable(z.number()),
  /** Whether logins use these settings; false while saved changes are not applied. */
  isApplied: z.boolean(),
  /**
   * Whether the login page shows the button of an enabled provider; false if the experiment excludes the organization
   * (§7.8).
   */
  isOffered: z.boolean(),
})

export type Setup = z.output<typeof Setup>

/** The version that the administrator saw, so that two administrators cannot overwrite each other's changes. */
const version = z.int()

/** Which of the organization's setups, because a browser may have opened both. */
const ofSetup = z.strictObject({ userType: UserType })

const base = `${BROKER_PATH}/setup/api/v1`
const refusals = ['setup-ended'] as const

export const openSetup = call({
  name: 'openProviderSetup',
  summary: 'Open the setup of an identity provider with a mailed link, once.',
  method: 'POST',
  path: `${base}/open`,
  auth: 'none',
  // Longer than any token, so that a link that a mail program extended is refused as an invalid link.
  body: z.strictObject({ token: typedText({ max: 2048 }) }),
  answer: Setup,
  refusals: ['setup-link-refused'],
})

export const readSetup = call({
  name: 'readProviderSetup',
  summary: 'Read the setup that this browser opened.',
  method: 'GET',
  path: `${base}/setup`,
  auth: 'none',
  query: ofSetup,
  answer: Setup,
  refusals,
})

export const chooseProvider = call({
  name: 'chooseProvider',
  summary: 'Choose the product and the protocol.',
  method: 'PUT',
  path: `${base}/product`,
  auth: 'none',
  query: ofSetup,
  body: z.strictObject({ version, product: ProviderProduct, protocol: Protocol }),
  answer: Setup,
  refusals: ['setup-ended', 'setup-changed'],
})

const providerName = typedText({ max: 40 })
const address = typedText({ max: 1024 })

export const saveOpenId = call({
  name: 'saveOpenIdProvider',
  summary:
    'Save the settings of an OpenID Connect provider. Without a secret, the saved one stays.',
  method: 'PUT',
  path: `${base}/openid-connect`,
  auth: 'none',
  query: ofSetup,
  body: z.strictObject({
    version,
    name: providerName,
    issuer: address,
    clientId: typedText({ max: 256 }),
    clientSecret: z.optional(typedText({ max: 1024 })),
    scope: typedText({ max: 256 }),
  }),
  answer: Setup,
  refusals: ['setup-ended', 'setup-changed', 'provider-address-refused'],
})

export const saveSaml = call({
  name: 'saveSamlProvider',
  summary: 'Save the settings of a SAML provider: its metadata, their address, or single values.',
  method: 'PUT',
  path: `${base}/saml`,
  auth: 'none',
  query: ofSetup,
  // In JSON, the line breaks and quotes of the metadata take two bytes each.
  bodyBytesMaximum: 2 * MAX_METADATA_BYTES,
  body: z.strictObject({
    version,
    name: providerName,
    provider: z.union([
      z.strictObject({ metadata: z.string() }),
      z.strictObject({ metadataUrl: address }),
      z.strictObject({
        issuer: address,
        signInUrl: address,
        certificate: z.string().check(z.minLength(1), z.maxLength(32 * 1024)),
      }),
    ]),
  }),
  answer: Setup,
  refusals: ['setup-ended', 'setup-changed', 'provider-address-refused', 'metadata-unusable'],
})

const attribute = z.optional(typedText({ max: 256 }))

export const saveAttributes = call({
  name: 'saveProviderAttributes',
  summary: 'Save the names of claims or attributes, and the group that people must belong to.',
  method: 'PUT',
  path: `${base}/attributes`,
  auth: 'none',
  query: ofSetup,
  body: z.strictObject({
    version,
    email: attribute,
    firstName: attribute,
    lastName: attribute,
    groups: attribute,
    requiredGroup: attribute,
  }),
  answer: Setup,
  refusals: ['setup-ended', 'setup-changed'],
})

const Domain = z.pipe(
  z
    .string()
    .check(z.refine((text) => emailDomain(text) !== undefined, 'Please enter a valid domain.')),
  z.transform((text) => emailDomain(text) ?? text),
)

export const addDomain = call({
  name: 'addProviderDomain',
  summary: 'Add a domain of e-mail addresses, to be verified.',
  method: 'POST',
  path: `${base}/domains`,
  auth: 'none',
  query: ofSetup,
  body: z.strictObject({ domain: Domain }),
  answer: Setup,
  refusals: ['setup-ended', 'too-many-domains'],
})

export const removeDomain = call({
  name: 'removeProviderDomain',
  summary: 'Remove a domain. People with its addresses can no longer log in for the first time.',
  method: 'POST',
  path: `${base}/domains/remove`,
  auth: 'none',
  query: ofSetup,
  body: z.strictObject({ domain: Domain }),
  answer: Setup,
  refusals,
})

/** The result of looking up a domain's record. */
export const DomainCheck = z.object({
  result: z.enum([
    'verified',
    /** There is no record yet. */
    'missing',
    /** There are records, but none is the expected one. */
    'different',
    /** The name servers did not respond. */
    'unavailable',
  ]),
  /** The records that were found. */
  found: z.array(z.string()),
})

export type DomainCheck = z.output<typeof DomainCheck>

export const checkDomain = call({
  name: 'checkProviderDomain',
  summary: 'Look up the record that proves the ownership of a domain.',
  method: 'POST',
  path: `${base}/domains/check`,
  auth: 'none',
  query: ofSetup,
  body: z.strictObject({ domain: Domain }),
  answer: z.object({ setup: Setup, check: DomainCheck }),
  refusals: ['setup-ended', 'domain-taken', 'not-found'],
})

export const beginTest = call({
  name: 'testProvider',
  summary:
    'Begin a test sign-in, which starts no session. Without a redirect, the reason is in the setup.',
  method: 'POST',
  path: `${base}/test`,
  auth: 'none',
  query: ofSetup,
  body: z.strictObject({ version }),
  answer: z.object({ setup: Setup, redirect: z.optional(z.string()) }),
  refusals: ['setup-ended', 'setup-changed', 'setup-incomplete'],
})

export const enableProvider = call({
  name: 'enableProvider',
  summary: 'Let people log in with the provider and these settings.',
  method: 'POST',
  path: `${base}/enable`,
  auth: 'none',
  query: ofSetup,
  body: z.strictObject({ version }),
  answer: Setup,
  refusals: ['setup-ended', 'setup-changed', 'setup-incomplete'],
})

export const disableProvider = call({
  name: 'disableProvider',
  summary: 'Stop logins with the provider. Its settings stay.',
  method: 'POST',
  path: `${base}/disable`,
  auth: 'none',
  query: ofSetup,
  body: z.strictObject({ version }),
  answer: Setup,
  refusals: ['setup-ended', 'setup-changed'],
})

export const createDirectoryToken = call({
  name: 'createDirectoryToken',
  summary: 'Create a token with which the directory calls SCIM. It is shown once.',
  method: 'POST',
  path: `${base}/directory-tokens`,
  auth: 'none',
  query: ofSetup,
  answer: z.object({ setup: Setup, token: z.string() }),
  refusals,
})

export const revokeDirectoryToken = call({
  name: 'revokeDirectoryToken',
  summary: 'Revoke a token of the directory. Its next call is refused.',
  method: 'POST',
  path: `${base}/directory-tokens/revoke`,
  auth: 'none',
  query: ofSetup,
  body: z.strictObject({ id: z.uuid() }),
  answer: Setup,
  refusals,
})

/** The calls, in the order of the documentation. */
export const SSO_SETUP_CALLS = [
  openSetup,
  readSetup,
  chooseProvider,
  saveOpenId,
  saveSaml,
  addDomain,
  checkDomain,
  removeDomain,
  saveAttributes,
  beginTest,
  enableProvider,
  disableProvider,
  createDirectoryToken,
  revokeDirectoryToken,
]
