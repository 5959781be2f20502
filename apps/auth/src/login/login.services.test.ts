import { ApiError } from '@portico/client/api-error'
import { fakeClient, refusal } from '@portico/client/testing'
import type { PageProvider } from '@portico/contracts/page-data'
import type { Passkeys } from '@portico/shell/passkeys'
import { memoryStorage, neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { pendingStep } from '../pending-step.ts'
import type { PendingStep } from '../second-step.ts'
import { serverEnvironment } from '../server-environment.ts'
import { loginServices } from './login.services.ts'

const email = 'ada@example.com'

function world(
  answers: Record<string, unknown>,
  changes: {
    email?: string
    token?: string | Promise<never>
    passkeys?: Partial<Passkeys>
    providers?: readonly PageProvider[]
  } = {},
) {
  const { client, calls } = fakeClient(answers)
  const reported: unknown[] = []
  const redirects: string[] = []
  const waited: number[] = []
  let now = 0
  const storage = memoryStorage()
  const open = () =>
    loginServices({
      client,
      storage,
      passkeys: { ...serverEnvironment.passkeys, ...changes.passkeys },
      email: changes.email ?? '',
      providers: changes.providers ?? [],
      loadModule: (load) => load(),
      location: () =>
        new URL(
          'https://lender.example/auth/login?redirectUrl=%2Floans&email=hint@example.com#rates',
        ),
      telemetry: { ...serverEnvironment.telemetry, trackingId: () => 'visit' },
      botCheck: { prepare: () => undefined, token: async () => changes.token },
      clock: () => now,
      reportError: (error) => reported.push(error),
      navigate: (to) => redirects.push(to),
      wait: async (milliseconds) => void waited.push(milliseconds),
    })
  return {
    open,
    storage,
    calls,
    reported,
    redirects,
    waited,
    advance: (milliseconds: number) => (now += milliseconds),
  }
}

const logIn = { type: 'logIn', email, password: 'secret' } as const

test('7.2 login: the header carries the bot-check token', async () => {
  const { open, calls } = world({ login: { jwt: 'jwt' } }, { token: 'solved' })
  expect(await open().logIn(logIn, neverAborted)).toEqual({
    type: 'loggedIn',
    outcome: { kind: 'signedIn', jwt: 'jwt' },
  })
  expect(calls).toEqual([
    {
      name: 'login',
      body: { email, password: 'secret' },
      headers: { 'x-recaptcha-token': 'solved' },
    },
  ])
})

test('7.2 login: without a bot check no header is sent', async () => {
  const { open, calls } = world({ login: { jwt: 'jwt' } })
  await open().logIn(logIn, neverAborted)
  expect(calls[0]?.headers).toEqual({})
})

test('8 a bot check that fails to load its script has its own message and is not treated as a defect', async () => {
  const broken = new Error('The script did not load')
  const { open, calls, reported } = world({}, { token: Promise.reject(broken) })
  expect(await open().logIn(logIn, neverAborted)).toMatchObject({
    type: 'refused',
    failure: {
      notices: [
        'We could not confirm that you are a person. Please reload the page and try again.',
      ],
      reason: 'bot-check-failed',
    },
  })
  expect(calls).toEqual([])
  expect(reported).toEqual([broken])
})

test('8 a bot check without a response fails like the login does', async () => {
  const unreachable = new ApiError('unreachable', 'Error fetching')
  const { open } = world({}, { token: Promise.reject(unreachable) })
  expect(await open().logIn(logIn, neverAborted)).toMatchObject({
    failure: { reason: 'unreachable' },
  })
})

const secondStep: Omit<PendingStep, 'since'> = {
  method: 'password',
  email,
  newUser: false,
  options: {
    loginUuid: '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10',
    aliases: [],
    emailFactorSupported: false,
    totpEnabled: true,
  },
  position: { step: 'entering', method: 'totp', sentAt: {} },
}

test('4.5 a second step in progress is restored, but not for another user', () => {
  for (const [parameter, type] of [
    ['', 'secondFactorRestored'],
    [email, 'secondFactorRestored'],
    ['eve@example.com', 'nothingToRestore'],
  ] as const) {
    const { open, storage } = world({}, { email: parameter })
    pendingStep(storage, () => 0).write(secondStep)
    expect(open().restoreProgress({ type: 'restoreProgress' }, neverAborted)).toMatchObject({
      type,
    })
  }
})

test('8 an expired first factor is reported once, and the login starts again', () => {
  const { open, storage, advance } = world({})
  pendingStep(storage, () => 0).write(secondStep)
  advance(600_000)
  expect(open().restoreProgress({ type: 'restoreProgress' }, neverAborted)).toMatchObject({
    type: 'refused',
    failure: { notices: ['First factor is expired, please start a new login.'] },
  })
  expect(open().restoreProgress({ type: 'restoreProgress' }, neverAborted)).toMatchObject({
    type: 'nothingToRestore',
  })
})

test("8 a rejected login shows the server's message", async () => {
  const { open } = world({ login: refusal('wrong-credentials') })
  expect(await open().logIn(logIn, neverAborted)).toEqual({
    type: 'refused',
    failure: {
      notices: ['The email or password is incorrect.'],
      advice: undefined,
      reason: 'wrong-credentials',
    },
  })
})

test('8 HTTP 429 with a longer wait states that wait instead of a minute', async () => {
  const { open } = world({ login: refusal('too-many-requests', { 'retry-after': '540' }) })
  expect(await open().logIn(logIn, neverAborted)).toMatchObject({
    failure: {
      notices: ["You're submitting requests too quickly."],
      advice: 'You can try again in 9 minutes.',
    },
  })
})

test('8 without a response the user reads what happened and what to do', async () => {
  const { open } = world({ login: new ApiError('unreachable', 'Error fetching') })
  expect(await open().logIn(logIn, neverAborted)).toMatchObject({
    failure: {
      notices: ['Error fetching'],
      advice: 'We could not reach the server. Check your connection, then try again.',
    },
  })
})

test('8 a response that violates the contract is a defect, not a rejection', async () => {
  const { open } = world({ login: new ApiError('unreadable', 'Broken') })
  await expect(open().logIn(logIn, neverAborted)).rejects.toThrow('Broken')
  await expect(world({ login: {} }).open().logIn(logIn, neverAborted)).rejects.toThrow(
    'contains no outcome',
  )
})

test('4.4 a sent code is restored after a reload while it is valid', async () => {
  const { open, advance } = world({ sendToken: { uuid: 'uuid' } })
  expect(open().restoreProgress({ type: 'restoreProgress' }, neverAborted)).toMatchObject({
    type: 'nothingToRestore',
  })
  await open().sendCode({ type: 'sendCode', email, method: 'forgotten' }, neverAborted)
  expect(open().restoreProgress({ type: 'restoreProgress' }, neverAborted)).toEqual({
    type: 'codeRestored',
    method: 'forgotten',
    email,
    loginUuid: 'uuid',
  })
  advance(10 * 60 * 1000)
  expect(open().restoreProgress({ type: 'restoreProgress' }, neverAborted)).toMatchObject({
    type: 'nothingToRestore',
  })
})

test('3 email: a code sent to another address is not restored', async () => {
  const { open } = world({ sendToken: { uuid: 'uuid' } }, { email: 'bob@example.com' })
  await open().sendCode({ type: 'sendCode', email, method: 'passcode' }, neverAborted)
  expect(open().restoreProgress({ type: 'restoreProgress' }, neverAborted)).toEqual({
    type: 'nothingToRestore',
    sentAlready: false,
  })
})

test('3 otp=true: after the modal is closed, no other code is sent while the first is valid', async () => {
  const { open, advance } = world({ sendToken: { uuid: 'uuid' } }, { email })
  const services = open()
  await services.sendCode({ type: 'sendCode', email, method: 'passcode' }, neverAborted)
  void services.clearPendingCode({ type: 'clearPendingCode' }, neverAborted)
  expect(open().restoreProgress({ type: 'restoreProgress' }, neverAborted)).toEqual({
    type: 'nothingToRestore',
    sentAlready: true,
  })
  advance(600_000)
  expect(open().restoreProgress({ type: 'restoreProgress' }, neverAborted)).toEqual({
    type: 'nothingToRestore',
    sentAlready: false,
  })
})

test('7.2 token/send: a redirect in the response is followed after the notice was shown', async () => {
  const { open, redirects, waited } = world({
    sendToken: { uuid: 'uuid', redirect: '/account/heloc' },
  })
  const services = open()
  expect(
    await services.sendCode({ type: 'sendCode', email, method: 'passcode' }, neverAborted),
  ).toEqual({ type: 'loginRedirected', to: '/account/heloc' })
  await services.leave({ type: 'leave', to: '/account/heloc' }, neverAborted)
  expect(redirects).toEqual(['/account/heloc'])
  expect(waited[0]).toBeGreaterThan(1000)
})

const offer = { type: 'offerPasskeys' } as const
const offering = {
  supported: () => true,
  supportsAutofill: async () => true,
  offer: async () => ({ id: 'credential' }),
}

test('7.2 a passkey selected in the email field is submitted with its challenge', async () => {
  const { open } = world(
    { readPasskeyLogin: { challengeUuid: 'challenge', options: {} } },
    { passkeys: offering },
  )
  expect(await open().offerPasskeys(offer, neverAborted)).toEqual({
    type: 'passkeySelected',
    challengeUuid: 'challenge',
    response: { id: 'credential' },
  })
})

test.each([
  ['a browser without passkeys', { supported: () => false }],
  ['a browser that offers none in fields', { supportsAutofill: async () => false }],
  ['an offer without a selection', { offer: async () => undefined }],
])('4.4 %s shows no error', async (_, passkeys) => {
  const { open } = world(
    { readPasskeyLogin: { challengeUuid: 'challenge', options: {} } },
    { passkeys: { ...offering, ...passkeys } },
  )
  expect(await open().offerPasskeys(offer, neverAborted)).toBeUndefined()
})

test('4.4 passkey autofill rejected by the server shows no error', async () => {
  const { open } = world({ readPasskeyLogin: refusal('too-many-requests') }, { passkeys: offering })
  expect(await open().offerPasskeys(offer, neverAborted)).toBeUndefined()
})

test('7.2 a selected passkey has the outcomes of a login, or shows why it was rejected', async () => {
  const command = { type: 'logInByPasskey', challengeUuid: 'challenge', response: {} } as const
  const { open } = world({ passkeyLogin: { jwt: 'jwt' } })
  expect(await open().logInByPasskey(command, neverAborted)).toEqual({
    type: 'loggedIn',
    outcome: { kind: 'signedIn', jwt: 'jwt' },
  })
  const refused = world({ passkeyLogin: refusal('passkey-refused') })
  expect(await refused.open().logInByPasskey(command, neverAborted)).toMatchObject({
    type: 'refused',
    failure: { reason: 'passkey-refused' },
  })
})

const PROVIDERS: readonly PageProvider[] = [
  { userType: 'customer', name: 'Northgale ID', offered: true },
  { userType: 'agent', name: 'Willow Brokers', offered: true },
]
const NOT_OFFERED = PROVIDERS.map((provider) => ({ ...provider, offered: false }))
const AT_PROVIDER = { redirect: 'https://id.example/authorize', state: 'nonce' }

test('4.4 broker login: the address decides; the redirect target is stored under the state nonce', async () => {
  const { open, calls, storage } = world(
    { beginCustomerProviderLogin: {}, beginAgentProviderLogin: AT_PROVIDER },
    { providers: PROVIDERS },
  )
  expect(await open().logIn(logIn, neverAborted)).toEqual({
    type: 'loginRedirected',
    to: AT_PROVIDER.redirect,
  })
  expect(calls.map(({ name }) => name)).toEqual([
    'beginCustomerProviderLogin',
    'beginAgentProviderLogin',
  ])
  expect(calls[1]?.body).toEqual({
    email,
    queryParams: { email: 'hint@example.com' },
    telemetryTrackingId: 'visit',
  })
  expect(calls[1]?.headers).toEqual({ 'x-application-name': 'auth' })
  expect(JSON.stringify(calls)).not.toContain('secret')
  expect(JSON.parse(storage.read('provider-login nonce') ?? '')).toEqual({
    userType: 'agent',
    search: 'redirectUrl=%2Floans%23rates&email=hint%40example.com',
  })
})

test.each([
  ['for an address of no provider', {}],
  ['while the provider cannot be reached', refusal('provider-not-available')],
])('4.4 broker login: the legacy login is used %s', async (_, answer) => {
  const { open, calls } = world(
    { beginCustomerProviderLogin: answer, login: { jwt: 'jwt' }, sendToken: { uuid: 'uuid' } },
    { providers: PROVIDERS.slice(0, 1) },
  )
  expect(await open().logIn(logIn, neverAborted)).toMatchObject({ type: 'loggedIn' })
  const sendCode = { type: 'sendCode', email, method: 'passcode' } as const
  expect(await open().sendCode(sendCode, neverAborted)).toMatchObject({ type: 'codeSent' })
  expect(calls.map(({ name }) => name)).toEqual([
    'beginCustomerProviderLogin',
    'login',
    'beginCustomerProviderLogin',
    'sendToken',
  ])
})

test('4.4 broker login: the button needs no address, and says so if the provider is gone', async () => {
  const openProvider = { type: 'openProvider', userType: 'customer' } as const
  const { open, calls } = world(
    { beginCustomerProviderLogin: AT_PROVIDER },
    { providers: PROVIDERS },
  )
  expect(await open().openProvider(openProvider, neverAborted)).toEqual({
    type: 'loginRedirected',
    to: AT_PROVIDER.redirect,
  })
  expect(calls[0]?.body).not.toHaveProperty('email')
  const gone = world({ beginCustomerProviderLogin: {} }, { providers: PROVIDERS })
  expect(await gone.open().openProvider(openProvider, neverAborted)).toMatchObject({
    type: 'refused',
    failure: { reason: 'provider-not-available' },
  })
})

test('4.4 broker login: without the experiment, our own login comes first, and the provider serves those whom it refuses', async () => {
  const refused = world(
    { login: refusal('wrong-credentials'), beginCustomerProviderLogin: AT_PROVIDER },
    { providers: NOT_OFFERED },
  )
  expect(await refused.open().logIn(logIn, neverAborted)).toEqual({
    type: 'loginRedirected',
    to: AT_PROVIDER.redirect,
  })
  expect(refused.calls.map(({ name }) => name)).toEqual(['login', 'beginCustomerProviderLogin'])
  expect(refused.calls[1]?.body).toMatchObject({ email })

  const accepted = world({ login: { jwt: 'jwt' } }, { providers: NOT_OFFERED })
  expect(await accepted.open().logIn(logIn, neverAborted)).toMatchObject({ type: 'loggedIn' })
  expect(accepted.calls.map(({ name }) => name)).toEqual(['login'])

  const outside = world(
    {
      login: refusal('wrong-credentials'),
      beginCustomerProviderLogin: {},
      beginAgentProviderLogin: {},
    },
    { providers: NOT_OFFERED },
  )
  expect(await outside.open().logIn(logIn, neverAborted)).toMatchObject({
    type: 'refused',
    failure: { reason: 'wrong-credentials' },
  })
})

test('4.4 Forgot Password stays here: the provider does not reset passwords', async () => {
  const { open, calls } = world({ sendToken: { uuid: 'uuid' } }, { providers: PROVIDERS })
  await open().sendCode({ type: 'sendCode', email, method: 'forgotten' }, neverAborted)
  expect(calls.map(({ name }) => name)).toEqual(['sendToken'])
})

test('2.3 whether there is a password to reset is read with the session that the code started', async () => {
  const { open, calls } = world({ readIdentity: { hasPassword: false } })
  const event = await open().readPassword({ type: 'readPassword', jwt: 'new-jwt' }, neverAborted)
  expect(event).toEqual({ type: 'passwordRead', hasPassword: false })
  expect(calls).toMatchObject([
    { name: 'readIdentity', headers: { authorization: 'Bearer new-jwt' } },
  ])
})
