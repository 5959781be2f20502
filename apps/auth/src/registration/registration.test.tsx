import { fakeClient, refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import { emailError } from '@portico/rules/field-errors'
import { ACCOUNT_LOCKED } from '@portico/shell/failure'
import { memoryStorage, neverAborted, pageData } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { memoryJwt, memoryTelemetry, renderStatic } from '../testing.tsx'
import { afterRegistration } from './after-registration.ts'
import { type Event, registration, type State } from './registration.flow.ts'
import { events, inputs } from './registration.samples.ts'
import { registrationServices } from './registration.services.ts'
import { RegistrationView } from './registration.view.tsx'

const email = 'ada@example.com'
const session = { after: { kind: 'session' } } as const
const wallet = { after: { kind: 'wallet', to: '/auth/wallet/create-wallet' } } as const
const requested: Event[] = [
  { type: 'emailSubmitted', email },
  { type: 'codeSent', loginUuid: 'uuid' },
]
const redeemed: Event[] = [
  ...requested,
  { type: 'codeRedeemed', outcome: { kind: 'signedIn', jwt: 'jwt' } },
]
const fresh: Event = { type: 'identityRead', passwordExpired: true }

test('4.6 email, then token', () => {
  expect(after(registration, session, requested.slice(0, 1))[1]).toEqual({
    type: 'register',
    email,
  })
  expect(after(registration, session, requested)[0]).toMatchObject({ step: 'token', email })
})

test('4.6 then password, only if the password is expired; otherwise done', () => {
  expect(after(registration, session, redeemed)[0].step).toBe('checking')
  expect(after(registration, session, [...redeemed, fresh])[0].step).toBe('password')
  const owner: Event = { type: 'identityRead', passwordExpired: false }
  expect(after(registration, session, [...redeemed, owner])[0].step).toBe('startingSession')
})

test('4.6 then flow=wallet leads to /wallet/create-wallet; otherwise session start', () => {
  const finished: Event[] = [...redeemed, fresh, { type: 'passwordSet' }]
  expect(after(registration, session, finished)[0].step).toBe('startingSession')
  expect(after(registration, wallet, finished)).toEqual([
    { step: 'leaving' },
    { type: 'trackRegistration' },
    { type: 'enterWallet', jwt: 'jwt', to: '/auth/wallet/create-wallet' },
  ])
})

test('7.8 a register event is sent when the password is set, but not when an existing user logs in here', () => {
  const finished: Event[] = [...redeemed, fresh, { type: 'passwordSet' }]
  expect(after(registration, session, finished).slice(1)).toEqual([{ type: 'trackRegistration' }])
  const owner: Event = { type: 'identityRead', passwordExpired: false }
  expect(after(registration, session, [...redeemed, owner])).toHaveLength(1)
  const { open, telemetry } = world({})
  void open().trackRegistration({ type: 'trackRegistration' }, neverAborted)
  expect(telemetry.events).toEqual(['registered'])
})

test.each([
  ['', { kind: 'session' }],
  ['flow=new-user', { kind: 'session' }],
  ['flow=wallet', { kind: 'wallet', to: '/auth/wallet/create-wallet' }],
  [
    'flow=wallet&redirectUrl=%2Floans%3Fa%3Db',
    { kind: 'wallet', to: '/auth/wallet/create-wallet?redirectUrl=%2Floans%3Fa%3Db' },
  ],
])('4.6 the query %j leads to %j', (query, expected) => {
  expect(afterRegistration(new URLSearchParams(query))).toEqual(expected)
})

test('4.6 the owner of a locked account is informed after entering the right code', () => {
  const [state] = after(registration, session, [
    ...requested,
    { type: 'codeRedeemed', outcome: { kind: 'locked' } },
  ])
  expect(state).toEqual({ step: 'email', ...session, typed: email, failure: ACCOUNT_LOCKED })
})

test('4.6 random walk: a password is requested only after a correct code', () => {
  walk(
    registration,
    { inputs, events },
    {
      steps: 5000,
      invariant(state, _, before) {
        if (state.step === 'password' && before.step !== 'password') {
          expect(before.step).toBe('checking')
        }
        if ('jwt' in state) expect(state.jwt).not.toBe('')
      },
    },
  )
})

function world(answers: Record<string, unknown>, emailParameter = '') {
  const { client, calls } = fakeClient(answers)
  const jwt = memoryJwt()
  const redirects: string[] = []
  const storage = memoryStorage()
  const telemetry = memoryTelemetry()
  const open = () =>
    registrationServices({
      client,
      jwt,
      storage,
      telemetry,
      clock: () => 0,
      navigate: (to) => redirects.push(to),
      wait: async () => undefined,
      email: emailParameter,
    })
  return { open, calls, jwt, redirects, telemetry }
}

const register = { type: 'register', email } as const

test('7.2 register returns a jwt, which authorizes sending the token', async () => {
  const { open, calls, jwt } = world({ register: { jwt: 'begun' }, sendToken: { uuid: 'uuid' } })
  expect(await open().register(register, neverAborted)).toEqual({
    type: 'codeSent',
    loginUuid: 'uuid',
  })
  expect(calls).toEqual([
    { name: 'register', body: { email } },
    { name: 'sendToken', body: { email }, headers: { authorization: 'Bearer begun' } },
  ])
  expect(jwt.read()).toBeUndefined()
})

test('4.6 a page discarded after the code was sent asks for that code again', async () => {
  const { open } = world({ register: { jwt: 'begun' }, sendToken: { uuid: 'uuid' } })
  await open().register(register, neverAborted)
  expect(open().restoreProgress({ type: 'restoreProgress' }, neverAborted)).toEqual({
    type: 'codeRestored',
    email,
    loginUuid: 'uuid',
  })
  void open().clearPendingCode({ type: 'clearPendingCode' }, neverAborted)
  expect(open().restoreProgress({ type: 'restoreProgress' }, neverAborted)).toBeUndefined()
})

test('8 registration identity fetch 401 is ignored', async () => {
  const { open } = world({ readIdentity: refusal('session-ended') })
  expect(await open().readIdentity({ type: 'readIdentity', jwt: 'jwt' }, neverAborted)).toEqual({
    type: 'identityRead',
    passwordExpired: false,
  })
})

test('8 any other failure of that fetch is shown', async () => {
  const { open } = world({ readIdentity: refusal('server-fault') })
  expect(
    await open().readIdentity({ type: 'readIdentity', jwt: 'jwt' }, neverAborted),
  ).toMatchObject({
    type: 'refused',
  })
})

test('4.6 the jwt is stored before the wallet page opens', () => {
  const { open, jwt, redirects } = world({})
  void open().enterWallet({ type: 'enterWallet', jwt: 'jwt', to: '/auth/wallet' }, neverAborted)
  expect([jwt.read(), redirects]).toEqual(['jwt', ['/auth/wallet']])
})

function view(state: State, parameter = '') {
  return renderStatic(
    <RegistrationView
      state={state}
      send={() => undefined}
      email={parameter}
      invited={emailError(parameter) === undefined}
      loginHref="/auth/login"
      documents={pageData().organization.orgMetaData.companyInfo}
      supportPhone="8005550142"
      onIntent={() => undefined}
    >
      {null}
    </RegistrationView>,
    '/auth/register',
  )
}
const EMAIL: State = { step: 'email', ...session }

test("2.4 'Create your login' and its fields", () => {
  const { text } = view(EMAIL)
  expect(text).toContain('Create your login')
  expect(text).toContain("We'll need you to verify your email address and set a unique password.")
  expect(text).toContain('Log in here')
})

test('2.4 links to Terms, Privacy and Electronic Communications', () => {
  const { html } = view(EMAIL)
  expect(html).toMatch(/href="\/legal\/terms"[^>]*>Terms</)
  expect(html).toMatch(/href="\/legal\/privacy"[^>]*>Privacy</)
  expect(html).toMatch(/href="\/legal\/electronic-communications"[^>]*>Electronic Communications</)
})

test('2.4 with an email parameter the field is prefilled and disabled, with a note', () => {
  const { html, text } = view(EMAIL, email)
  expect(html).toMatch(/<input[^>]* disabled=""[^>]*value="ada@example.com"/)
  expect(text).toContain('Ask the sender for a new invite')
})

test('2.4 an invalid address in the parameter is prefilled, but can be corrected', () => {
  const { html } = view(EMAIL, 'ada')
  expect(html).toContain('value="ada"')
  expect(html).not.toContain('disabled')
})

test('2.4 three steps, and the page shows the current one', () => {
  const jwt = 'jwt'
  expect(view(EMAIL).text).toContain('Step 1 of 3')
  expect(
    view({ step: 'token', ...session, email, loginUuid: 'uuid', justSent: true }).text,
  ).toContain('Step 2 of 3')
  expect(view({ step: 'password', ...session, email, jwt }).text).toContain('Step 3 of 3')
})

test('4.6 a reload at the second step returns to it', () => {
  const options = {
    loginUuid: '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10',
    aliases: [],
    emailFactorSupported: true,
    totpEnabled: false,
  }
  const input = { after: { kind: 'session' } } as const
  const steps: Event[] = [
    { type: 'emailSubmitted', email },
    { type: 'codeSent', loginUuid: 'uuid' },
    { type: 'codeRedeemed', outcome: { kind: 'twoFactor', options } },
  ]
  const [state, ...commands] = after(registration, input, steps)
  expect(state.step).toBe('secondFactor')
  expect(commands).toContainEqual({ type: 'savePendingStep', email, options })

  const first = world({}).open()
  void first.savePendingStep({ type: 'savePendingStep', email, options }, neverAborted)
  const restored = first.restoreProgress({ type: 'restoreProgress' }, neverAborted)
  const position = { step: 'selecting', sentAt: {} } as const
  expect(restored).toEqual({ type: 'secondFactorRestored', email, options, position })
  expect(after(registration, input, [restored as Event])[0]).toEqual({
    step: 'secondFactor',
    ...input,
    email,
    options,
    position,
  })
})

test("2.4 'Use a different email' returns to the address that was typed", () => {
  const [state] = after(registration, { after: { kind: 'session' } }, [
    { type: 'emailSubmitted', email },
    { type: 'codeSent', loginUuid: 'uuid' },
    { type: 'codeClosed' },
  ])
  expect(state).toMatchObject({ step: 'email', typed: email })
  expect(view(state).html).toContain(`value="${email}"`)
})
