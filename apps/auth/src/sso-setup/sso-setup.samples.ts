import type { Setup } from '@portico/contracts/sso-setup'
import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './sso-setup.flow.ts'

/** A setup just begun. */
export const newSetup: Setup = {
  organizationCode: 'NORTHGALE',
  userType: 'customer',
  expiresAt: Date.UTC(2030, 0, 15, 9),
  version: 1,
  service: {
    callbackUrl:
      'https://login.northgale-mortgage.example/identity-broker/customer/callback/5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b01',
    entityId:
      'https://login.northgale-mortgage.example/identity-broker/customer/metadata/5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b01',
    logoutUrl: 'https://login.northgale-mortgage.example/auth/login',
    directoryUrl: 'https://login.northgale-mortgage.example/scim/v2',
  },
  product: null,
  protocol: null,
  name: '',
  oidc: null,
  saml: null,
  attributes: {},
  requiredGroup: '',
  domains: [],
  directoryTokens: [],
  test: null,
  enabledAt: null,
  isOffered: true,
  isApplied: false,
}

/** A setup with a connected provider, a verified domain and one that waits. */
export const connectedSetup: Setup = {
  ...newSetup,
  version: 3,
  product: 'okta',
  protocol: 'oidc',
  name: 'Northgale ID',
  oidc: {
    issuer: 'https://northgale.okta.example',
    clientId: '0oa1b2c3d4e5f6g7h8i9',
    scope: 'openid email profile groups',
    hasSecret: true,
  },
  domains: [
    { domain: 'northgale.example', verifiedAt: Date.UTC(2030, 0, 14, 9), record: null },
    {
      domain: 'wholesale.northgale-mortgage.example',
      verifiedAt: null,
      record: {
        name: '_sso-verification.wholesale.northgale-mortgage.example',
        value: 'sso-verification=rkS5C0gXPzO4mFJ8sVbYtJ3xM2a1nQeWuHcL6dTiK9o',
      },
    },
  ],
}

export const inputs = [{ token: undefined }, { token: 'token' }] as const

const check = { domain: 'northgale.example', result: 'missing' as const, found: [] }

export const events: readonly Event[] = [
  { type: 'startPressed' },
  { type: 'loaded', setup: connectedSetup },
  { type: 'retried' },
  { type: 'requested', job: { type: 'test' } },
  { type: 'requested', job: { type: 'choose', product: 'okta', protocol: 'oidc' } },
  { type: 'requested', job: { type: 'checkDomain', domain: 'northgale.example' } },
  { type: 'saved', setup: connectedSetup },
  { type: 'domainChecked', setup: connectedSetup, check },
  { type: 'recheckDue', domain: 'northgale.example' },
  { type: 'requested', job: { type: 'createToken' } },
  { type: 'requested', job: { type: 'revokeToken', id: '7a3f5a4e-1c7f-4a4c-9a53-0f3f5f1f5c11' } },
  { type: 'tokenCreated', setup: connectedSetup, token: 'portico_scim_token' },
  { type: 'testBegun', redirect: 'https://northgale.okta.example/authorize' },
  { type: 'changedElsewhere', setup: connectedSetup, failure: UNEXPECTED },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'refused', failure: { notices: [], reason: 'setup-ended' } },
]
