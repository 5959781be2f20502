import { fakeClient, refusal } from '@portico/client/testing'
import type { SetupTest } from '@portico/contracts/sso-setup'
import { after, walk } from '@portico/flow/testing'
import { neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { completeSteps, openSteps, SETUP_STEPS, shownStep } from './setup-steps.ts'
import { DIRECTORY_INSTRUCTIONS, INSTRUCTIONS, PRODUCTS, testAdvice } from './setup-texts.ts'
import { type Event, ssoSetup } from './sso-setup.flow.ts'
import { connectedSetup, events, inputs, newSetup } from './sso-setup.samples.ts'
import { ssoSetupServices } from './sso-setup.services.ts'

const { userType } = connectedSetup
const loaded: Event = { type: 'loaded', setup: connectedSetup }
const refusedTest = (detail: string): SetupTest => ({
  status: 'failed',
  at: 0,
  problem: 'invalid-answer',
  detail,
  claims: [],
})

test('only a press of the button opens the link, because mail scanners open links too', () => {
  expect(after(ssoSetup, { token: 'token' }, [])).toEqual([{ step: 'invited', token: 'token' }])
  const [, ...commands] = after(ssoSetup, { token: 'token' }, [{ type: 'startPressed' }])
  expect(commands).toEqual([{ type: 'open', token: 'token' }])
})

test('the first step is named in the address, so that Back from the next one returns to it', () => {
  const [, ...commands] = after(ssoSetup, { token: 'token' }, [
    { type: 'startPressed' },
    { type: 'loaded', setup: newSetup },
  ])
  expect(commands).toEqual([{ type: 'proceed', to: 'provider', userType, first: true }])
})

test('a job carries the version that the administrator saw; a form leads to the next step', () => {
  const job = { type: 'choose', product: 'okta', protocol: 'oidc' } as const
  const requested: Event = { type: 'requested', job }
  const [, ...commands] = after(ssoSetup, { token: undefined }, [loaded, requested])
  expect(commands).toEqual([{ type: 'run', job, version: 3, userType }])
  const saved: Event = { type: 'saved', setup: { ...connectedSetup, version: 4 } }
  const [, ...next] = after(ssoSetup, { token: undefined }, [loaded, requested, saved])
  expect(next).toEqual([{ type: 'proceed', to: 'connection', userType }])
})

test('a failure belongs to the step that asked for the job', () => {
  const failure = { notices: [], reason: 'provider-address-refused' } as const
  const job = { type: 'saveSaml', name: 'Okta', provider: { metadata: '' } } as const
  const [state] = after(ssoSetup, { token: undefined }, [
    loaded,
    { type: 'requested', job },
    { type: 'refused', failure },
  ])
  expect(state).toMatchObject({ step: 'editing', failure: { ...failure, at: 'connection' } })
})

test.each([
  [
    'The provider answered invalid_client AADSTS7000215: The secret of the issuer is wrong.',
    'client ID',
  ],
  ['The provider answered status 401', 'client ID'],
  ['unexpected JWT "iss" (issuer) claim value', 'The issuer is different'],
  ['The user info could not be read: The provider answered status 401', 'user info'],
  ['The user info could not be read: JWE decryption is not configured', 'user info'],
])('a refused test says what to correct: %s', (detail, title) => {
  expect(testAdvice(refusedTest(detail), connectedSetup).title).toContain(title)
})

test.each([
  ['okta', 'Assertion Signature', 'Assertion Encryption'],
  ['entra', 'Signing Option', 'Token encryption'],
  ['google', 'Signed response', 'unencrypted'],
  ['ping', 'Sign Assertion', 'Enable Encryption'],
  ['other', 'Keycloak: Keys and Signing > Sign assertions', 'Encrypt assertions'],
  ['other', 'AD FS: Set-AdfsRelyingPartyTrust with -SamlResponseSignature', '-EncryptClaims'],
  ['other', 'Shibboleth: p:signAssertions', 'p:encryptAssertions'],
] as const)(
  'a refused SAML test names the setting at %s: %s, %s',
  (product, signing, encryption) => {
    const setup = { ...connectedSetup, product, protocol: 'saml' } as const
    const adviceOf = (detail: string) => testAdvice(refusedTest(detail), setup).advice
    for (const detail of [
      'The response is signed with SHA-1. Choose SHA-256 at the provider.',
      'Invalid input: one of response or assertion must be signed',
      'Invalid signature: neither the assertion nor the response has a signature of its own.',
    ]) {
      expect(adviceOf(detail)).toContain(signing)
    }
    expect(adviceOf('The assertion is encrypted, and we have no key for it.')).toContain(encryption)
    expect(
      adviceOf('The assertion was not made for https://a.example: its Recipient is x'),
    ).toContain('Copy our address')
  },
)

test('the setup opens at the first step that is not complete, or at the one in the address', () => {
  expect(shownStep(newSetup, null)).toBe('provider')
  expect(shownStep(newSetup, 'test')).toBe('provider')
  expect(openSteps({ ...newSetup, protocol: 'saml' })).toEqual(['provider', 'connection'])
  expect(shownStep(connectedSetup, null)).toBe('test')
  expect(shownStep(connectedSetup, 'domains')).toBe('domains')
  const directoryTokens = [{ id: 'token', createdAt: 1, lastUsedAt: 2 }]
  const done = { ...connectedSetup, enabledAt: 1, isApplied: true, directoryTokens }
  expect(completeSteps(done)).toEqual(SETUP_STEPS)
  expect(shownStep(done, null)).toBe('enable')
  // The directory is optional.
  expect(shownStep({ ...done, directoryTokens: [] }, null)).toBe('enable')
})

test('after a change of another administrator the current setup is shown, with the reason', async () => {
  const answers = { disableProvider: refusal('setup-changed'), readProviderSetup: connectedSetup }
  const services = ssoSetupServices({
    client: fakeClient(answers).client,
    navigate: () => undefined,
    userType,
    openStep: () => undefined,
  })
  const command = { type: 'run', job: { type: 'disable' }, version: 2, userType } as const
  expect(await services.run(command, neverAborted)).toMatchObject({
    type: 'changedElsewhere',
    setup: connectedSetup,
    failure: { reason: 'setup-changed' },
  })
})

test('Okta, Entra ID, Google, Ping and any other provider have instructions for both protocols and the directory', () => {
  expect(Object.values(PRODUCTS).map(({ name }) => name)).toEqual([
    'Okta',
    'Microsoft Entra ID',
    'Google Workspace',
    'PingOne',
    'Another provider',
  ])
  for (const { oidc, saml } of Object.values(INSTRUCTIONS)) {
    for (const steps of [oidc, saml]) {
      expect(steps.length).toBeGreaterThan(3)
      expect(steps.join(' ')).toContain('below')
    }
  }
  for (const steps of Object.values(DIRECTORY_INSTRUCTIONS)) expect(steps).not.toEqual([])
})

test('random walk: a job is done exactly while the step is working', () => {
  walk(
    ssoSetup,
    { inputs, events },
    {
      steps: 3000,
      invariant(state, commands) {
        if (commands.some(({ type }) => type === 'run')) expect(state.step).toBe('working')
        if (commands.some(({ type }) => type === 'leave')) expect(state.step).toBe('leaving')
      },
    },
  )
})
