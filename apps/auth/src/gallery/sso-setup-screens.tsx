import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import type { Setup, SetupTest } from '@portico/contracts/sso-setup'
import { hyphenatedName } from '@portico/rules/branding'
import { SignedInFrame } from '@portico/shell/signed-in-frame'
import { Router } from 'wouter'
import { EnvironmentContext } from '../environment.ts'
import { serverEnvironment } from '../server-environment.ts'
import type { SetupStep } from '../sso-setup/setup-steps.ts'
import type { State } from '../sso-setup/sso-setup.flow.ts'
import { connectedSetup, newSetup } from '../sso-setup/sso-setup.samples.ts'
import { SsoSetupView } from '../sso-setup/sso-setup.view.tsx'
import { nothing } from './framed.tsx'

const NOW = Date.UTC(2030, 0, 14, 9)

function setupScreen(at: SetupStep, state: State) {
  return (page: PageData) => (
    <Router base={ROUTER_BASE}>
      <SignedInFrame page={page} navigation={[]}>
        <EnvironmentContext value={serverEnvironment}>
          <SsoSetupView
            state={state}
            send={nothing}
            at={at}
            onStep={nothing}
            company={hyphenatedName(page.organization.orgMetaData.companyInfo)}
            now={NOW}
            supportPhone={page.supportPhone}
          />
        </EnvironmentContext>
      </SignedInFrame>
    </Router>
  )
}

const editing = (setup: Setup): State => ({ step: 'editing', setup })

const FAILED: SetupTest = {
  status: 'failed',
  at: NOW,
  problem: 'unavailable',
  detail: 'The metadata could not be read: unexpected property "issuer" in the response',
  mismatch: {
    field: 'issuer',
    expected: 'https://northgale.okta.example',
    found: 'https://northgale.okta.example/oauth2/default',
  },
  claims: [],
}

const PASSED: SetupTest = {
  status: 'passed',
  at: NOW,
  person: {
    subject: '00u1a2b3c4d5e6f7g8h9',
    email: 'maximiliane.hohenstein@longest-mail-domain.example',
    firstName: 'Maximiliane',
    lastName: 'Hohenstein',
    groups: ['loan-officers', 'everyone'],
    isDomainVerified: false,
  },
  claims: [
    { name: 'sub', value: '00u1a2b3c4d5e6f7g8h9' },
    { name: 'groups', value: '["loan-officers","everyone"]' },
  ],
}

const SAML: Setup = {
  ...connectedSetup,
  protocol: 'saml',
  product: 'entra',
  oidc: null,
  saml: {
    issuer: 'https://sts.windows.example/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0/',
    signInUrl: 'https://login.microsoftonline.example/0f1e2d3c/saml2',
    certificates: [
      {
        pem: '-----BEGIN CERTIFICATE-----\nMIIC8DCCAdigAwIBAgIQ\n-----END CERTIFICATE-----',
        fingerprint: '',
        expiresAt: NOW + 12 * 24 * 60 * 60 * 1000,
      },
    ],
    unreadable: [],
  },
}

export const SSO_SETUP_SCREENS = {
  'sso-setup': setupScreen('provider', { step: 'invited', token: '' }),
  'sso-setup-refused': setupScreen('provider', {
    step: 'refused',
    failure: {
      notices: [
        'This link cannot be used. It was opened in another browser, has expired, or is for another organization. Please ask for a new one.',
      ],
      reason: 'setup-link-refused',
    },
  }),
  'sso-setup-provider': setupScreen('provider', editing(newSetup)),
  'sso-setup-connection': setupScreen('connection', editing(connectedSetup)),
  'sso-setup-saml': setupScreen('connection', editing(SAML)),
  'sso-setup-domains': setupScreen('domains', {
    step: 'editing',
    setup: connectedSetup,
    check: {
      domain: 'wholesale.northgale-mortgage.example',
      result: 'different',
      found: ['v=spf1 include:_spf.northgale.example -all'],
    },
  }),
  'sso-setup-attributes': setupScreen('attributes', editing(connectedSetup)),
  'sso-setup-failed': setupScreen('test', editing({ ...connectedSetup, test: FAILED })),
  'sso-setup-passed': setupScreen('test', editing({ ...connectedSetup, test: PASSED })),
  'sso-setup-enable': setupScreen('enable', editing({ ...connectedSetup, test: PASSED })),
  'sso-setup-on': setupScreen(
    'enable',
    editing({ ...connectedSetup, test: PASSED, enabledAt: NOW, isApplied: true }),
  ),
  'sso-setup-hidden': setupScreen(
    'enable',
    editing({ ...connectedSetup, enabledAt: NOW, isApplied: true, isOffered: false }),
  ),
  'sso-setup-directory': setupScreen('directory', {
    step: 'editing',
    setup: {
      ...connectedSetup,
      directoryTokens: [{ id: 'token', createdAt: NOW, lastUsedAt: null }],
    },
    token: 'portico_scim_rkS5C0gXPzO4mFJ8sVbYtJ3xM2a1nQeWuHcL6dTiK9o',
  }),
}
