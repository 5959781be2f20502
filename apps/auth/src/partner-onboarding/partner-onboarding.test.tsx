import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import { fakeClient, refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import { ACCOUNT_LOCKED, type Failure, UNEXPECTED } from '@portico/shell/failure'
import { neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { memoryJwt, memoryTelemetry, renderStatic } from '../testing.tsx'
import { type Arrival, arrivalOf, queryAfter } from './arrival.ts'
import {
  type Command,
  type Event,
  partnerOnboarding,
  type State,
} from './partner-onboarding.flow.ts'
import { events, inputs } from './partner-onboarding.samples.ts'
import {
  firstFailureOf,
  partnerOnboardingServices,
  sendAnother,
} from './partner-onboarding.services.ts'
import { codePrompt, PartnerOnboardingView } from './partner-onboarding.view.tsx'

const email = 'ada@example.com'
const organization = 'FIGURE'
const loginUuid = '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10'
const identityUuid = '0b8f4c1e-2a57-4d0e-9c53-61f0a7d3b201'
const borrower = { email, identityUuid: undefined, organization }
const byUuid = { email: undefined, identityUuid, organization }
const fresh = { borrower, loginUuid: undefined }
const owner = { uuid: identityUuid, email, passwordExpired: true }

const arrived: Event = { type: 'nothingFound' }
const verified = (next: Extract<Event, { type: 'verified' }>['next']): Event => ({
  type: 'verified',
  next,
})
const codeSent: Event = { type: 'codeSent', loginUuid }
const redeemed: Event = { type: 'codeRedeemed', outcome: { kind: 'signedIn', jwt: 'jwt' } }
const atCode = [arrived, verified('sendContinueEmail'), codeSent]
const atPassword: Event[] = [...atCode, redeemed, { type: 'identityRead', owner }]

test('4.7 on load the verification status is queried', () => {
  expect(after(partnerOnboarding, fresh, [arrived])).toEqual([
    { step: 'verifying', ...fresh },
    { type: 'verify', ...fresh },
  ])
})

test('4.7 if the identity is registered, go to login', () => {
  expect(after(partnerOnboarding, fresh, [arrived, verified('goToLogin')])).toEqual([
    { step: 'leaving' },
    { type: 'goToLogin' },
  ])
})

test.each<[string, Arrival, Event, Command]>([
  ['a new token', fresh, verified('sendToken'), { type: 'sendToken', email }],
  [
    'the continue-application e-mail',
    fresh,
    verified('sendContinueEmail'),
    { type: 'sendContinueEmail', borrower },
  ],
  [
    'a new token to an identity without a known address',
    { borrower: byUuid, loginUuid },
    verified('sendToken'),
    { type: 'sendContinueEmail', borrower: byUuid },
  ],
])('4.7 %s is sent', (_, input, next, command) => {
  const [state, ...commands] = after(partnerOnboarding, input, [arrived, next])
  expect(state.step).toBe('sending')
  expect(commands).toEqual([command])
})

test('4.7 a valid login of a welcomed borrower continues, and nothing is sent', () => {
  expect(
    after(partnerOnboarding, { borrower, loginUuid }, [arrived, verified('enterCode')]),
  ).toEqual([
    { step: 'code', borrower, loginUuid, justSent: false },
    { type: 'updateAddress', loginUuid, step: 1 },
  ])
})

test('4.7 the login uuid is stored in the URL', () => {
  expect(after(partnerOnboarding, fresh, atCode)).toEqual([
    { step: 'code', borrower, loginUuid, justSent: true },
    { type: 'updateAddress', loginUuid, step: 1 },
  ])
  const [, ...commands] = after(partnerOnboarding, fresh, [
    ...atCode,
    { type: 'codeResent', loginUuid: 'another' },
  ])
  expect(commands).toEqual([{ type: 'updateAddress', loginUuid: 'another', step: 1 }])
})

test('4.7 a valid code stores the jwt and moves to step=2', () => {
  expect(after(partnerOnboarding, fresh, [...atCode, redeemed])).toEqual([
    { step: 'checking', borrower, loginUuid, jwt: 'jwt' },
    { type: 'storeJwt', jwt: 'jwt' },
    { type: 'updateAddress', loginUuid, step: 2 },
    { type: 'readIdentity', jwt: 'jwt' },
  ])
  expect(after(partnerOnboarding, fresh, atPassword)[0].step).toBe('password')
})

test('7.8 a register event is sent when the password is set', () => {
  const [, ...commands] = after(partnerOnboarding, fresh, [...atPassword, { type: 'passwordSet' }])
  expect(commands).toEqual([{ type: 'trackRegistration' }])
  const { services, telemetry } = world({})
  void services.trackRegistration({ type: 'trackRegistration' }, neverAborted)
  expect(telemetry.events).toEqual(['registered'])
})

test('4.6 the password is requested only if it is expired; then the session starts', () => {
  const finished: Event = { type: 'passwordSet' }
  expect(after(partnerOnboarding, fresh, [...atPassword, finished])[0]).toMatchObject({
    step: 'startingSession',
    jwt: 'jwt',
    email,
  })
  const identityRead: Event = { type: 'identityRead', owner: { ...owner, passwordExpired: false } }
  expect(after(partnerOnboarding, fresh, [...atCode, redeemed, identityRead])[0].step).toBe(
    'startingSession',
  )
})

test('8 a 401 of the identity fetch is ignored: the session start reports it', () => {
  const [state] = after(partnerOnboarding, fresh, [
    ...atCode,
    redeemed,
    { type: 'identityUnavailable' },
  ])
  expect(state).toMatchObject({ step: 'startingSession', email })
})

test('2.5 a reload at step 2 returns to it, whatever step the URL names', () => {
  const found: Event = { type: 'sessionFound', jwt: 'jwt', owner }
  expect(after(partnerOnboarding, { borrower, loginUuid }, [found])).toEqual([
    { step: 'password', borrower, loginUuid, jwt: 'jwt', email },
    { type: 'updateAddress', loginUuid, step: 2 },
  ])
})

const eve = { ...owner, email: 'eve@example.com' }
const foundEve: Event = { type: 'sessionFound', jwt: 'jwt', owner: eve }

test("4.4 a link for one user does not end another user's session without asking", () => {
  const arrival = { borrower, loginUuid }
  expect(after(partnerOnboarding, arrival, [foundEve])).toEqual([
    { step: 'otherSession', borrower, loginUuid, email: 'eve@example.com' },
    { type: 'updateAddress', loginUuid, step: 1 },
  ])
  expect(after(partnerOnboarding, arrival, [foundEve, { type: 'sessionKept' }])).toEqual([
    { step: 'leaving' },
    { type: 'goToDashboard' },
  ])
  const replaced: Event[] = [foundEve, { type: 'replacementConfirmed' }]
  const [state, ...commands] = after(partnerOnboarding, arrival, replaced)
  expect([state.step, commands]).toEqual(['endingSession', [{ type: 'logOut' }]])
  const [then] = after(partnerOnboarding, arrival, [...replaced, { type: 'sessionEnded' }])
  expect(then.step).toBe('verifying')
})

test("4.7 a link that names one user and carries another user's code signs in neither", () => {
  const steps: Event[] = [
    { type: 'linkOpened', loginUuid, code: '123456' },
    { type: 'continued' },
    redeemed,
    { type: 'identityRead', owner: eve },
  ]
  const [state, ...commands] = after(partnerOnboarding, { borrower, loginUuid }, steps)
  expect([state.step, commands]).toEqual(['endingSession', [{ type: 'logOut' }]])
})

test('7.3 the emailed link is redeemed once, by pressing a button', () => {
  const opened: Event = { type: 'linkOpened', loginUuid, code: '123456' }
  const [state, ...commands] = after(partnerOnboarding, { borrower, loginUuid }, [opened])
  expect(state).toMatchObject({ step: 'confirming', busy: false })
  // The code is removed from the URL immediately.
  expect(commands).toEqual([{ type: 'updateAddress', loginUuid, step: 1 }])
  const pressed = after(partnerOnboarding, { borrower, loginUuid }, [opened, { type: 'continued' }])
  expect(pressed[1]).toEqual({ type: 'redeem', loginUuid, code: '123456' })
  expect(
    after(partnerOnboarding, { borrower, loginUuid }, [
      opened,
      { type: 'continued' },
      { type: 'continued' },
    ]),
  ).toHaveLength(1)
})

test.each([
  ['code-used', 'stopped'],
  ['code-expired', 'stopped'],
  ['code-wrong', 'stopped'],
  ['unreachable', 'confirming'],
  ['too-many-requests', 'confirming'],
])('7.3 after %s the link is %s', (reason, step) => {
  const failure: Failure = { notices: ['No'], reason }
  const steps: Event[] = [
    { type: 'linkOpened', loginUuid, code: '123456' },
    { type: 'continued' },
    { type: 'refused', failure },
  ]
  const [state, ...commands] = after(partnerOnboarding, { borrower, loginUuid }, steps)
  expect(state).toMatchObject({ step, failure })
  expect(commands).toEqual([])
})

test('4.7 a failure is shown, and a retry starts with the verification', () => {
  for (const steps of [[arrived], [arrived, verified('sendToken')]]) {
    const [state] = after(partnerOnboarding, fresh, [
      ...steps,
      { type: 'refused', failure: UNEXPECTED },
    ])
    expect(state).toMatchObject({ step: 'stopped', failure: UNEXPECTED })
    const [again] = after(partnerOnboarding, fresh, [
      ...steps,
      { type: 'refused', failure: UNEXPECTED },
      { type: 'retried' },
    ])
    expect(again.step).toBe('verifying')
  }
})

test('8 the owner of a locked account is informed after entering the right code', () => {
  const locked: Event = { type: 'codeRedeemed', outcome: { kind: 'locked' } }
  expect(after(partnerOnboarding, fresh, [...atCode, locked])[0]).toMatchObject({
    step: 'stopped',
    failure: ACCOUNT_LOCKED,
  })
})

test('4.7 random walk: a password is requested only from the borrower, and only after a code or a session', () => {
  walk(
    partnerOnboarding,
    { inputs, events },
    {
      steps: 10_000,
      invariant(state, commands, before) {
        if (state.step === 'password' && before.step !== 'password') {
          expect(['arriving', 'checking']).toContain(before.step)
          expect(state.borrower.email ?? email).toBe(state.email)
        }
        if (commands.some(({ type }) => type === 'storeJwt')) expect(state.step).toBe('checking')
        if (commands.some(({ type }) => type === 'logOut')) {
          expect(['otherSession', 'checking']).toContain(before.step)
        }
      },
    },
  )
})

test.each([
  ['email=ada%40example.com', borrower, undefined],
  [`identityUuid=${identityUuid}`, byUuid, undefined],
  [`email=ada%40example.com&loginUuid=${loginUuid}`, borrower, loginUuid],
  [`email=ada&identityUuid=${identityUuid}`, byUuid, undefined],
  ['email=ada%40example.com&loginUuid=1', borrower, undefined],
])('3 the query %s names the borrower', (query, expected, login) => {
  expect(arrivalOf(new URLSearchParams(query), organization)).toEqual({
    borrower: expected,
    loginUuid: login,
  })
})

test.each(['', 'email=ada', 'identityUuid=1', 'step=2'])(
  '3 the query %j identifies no borrower',
  (query) => {
    expect(arrivalOf(new URLSearchParams(query), organization)).toBeUndefined()
  },
)

test('3 parameters used only by the onboarding are not passed on', () => {
  const query = `email=a&step=2&loginUuid=1&identityUuid=2&redirectUrl=%2Floans&utm_source=score`
  expect(queryAfter(new URLSearchParams(query)).toString()).toBe(
    'email=a&redirectUrl=%2Floans&utm_source=score',
  )
})

function world(
  answers: Record<string, unknown>,
  {
    hash = '',
    session = false,
    token = async () => undefined,
    ...given
  }: {
    hash?: string
    session?: boolean
    client?: Client
    token?: () => Promise<string | undefined>
  } = {},
) {
  const reported: unknown[] = []
  const botCheck = { prepare: () => undefined, token }
  const reportError = (error: unknown) => void reported.push(error)
  const { client: fake, calls } = fakeClient(answers)
  const { client = fake } = given
  const jwt = memoryJwt(session ? 'Bearer kept' : undefined)
  const telemetry = memoryTelemetry()
  const queries: string[] = []
  const redirects: string[] = []
  const at = `https://lender.example/auth/credit-karma/register?email=${email}&step=2${hash}`
  const services = partnerOnboardingServices({
    botCheck,
    client,
    jwt,
    reportError,
    hasSession: session,
    location: () => new URL(at),
    navigate: (to) => redirects.push(to),
    telemetry,
    wait: async () => undefined,
    replaceQuery: (query) => queries.push(query.toString()),
  })
  const sendDeps = { botCheck, client, reportError }
  return { sendDeps, services, calls, jwt, queries, redirects, telemetry, reported }
}

const findSession = { type: 'findSession', borrower, loginUuid } as const
const identity = { uuid: identityUuid, aliases: [{ uuid: 'alias', type: 'Email', value: email }] }

test('4.7 the existing session of this browser is found', async () => {
  const answers = { readIdentity: { identity, passwordExpired: true } }
  const { services } = world(answers, { session: true })
  expect(await services.findSession(findSession, neverAborted)).toEqual({
    type: 'sessionFound',
    jwt: 'kept',
    owner,
  })
  expect(await world(answers).services.findSession(findSession, neverAborted)).toEqual(arrived)
})

test('4.7 step=2 without a session starts with the code', async () => {
  const { services } = world({ readIdentity: refusal('session-ended') }, { session: true })
  expect(await services.findSession(findSession, neverAborted)).toEqual(arrived)
})

test('7.3 the emailed link carries its code in the fragment', async () => {
  const { services } = world({}, { hash: '#code=123456' })
  expect(await services.findSession(findSession, neverAborted)).toEqual({
    type: 'linkOpened',
    loginUuid,
    code: '123456',
  })
  const withoutLogin = { ...findSession, loginUuid: undefined }
  expect(await services.findSession(withoutLogin, neverAborted)).toEqual(arrived)
})

test('7.3 a link that does not name its borrower is not redeemed', async () => {
  const { services } = world({}, { hash: '#code=123456' })
  expect(await services.findSession({ ...findSession, borrower: byUuid }, neverAborted)).toEqual(
    arrived,
  )
})

test('4.4 the user is told which session a link would replace, and with which account', () => {
  const { text, html } = view({ step: 'otherSession', borrower, loginUuid, email: eve.email })
  expect(text).toContain(
    `You are logged in as ${eve.email}. This link continues an application with Figure as ${email}.`,
  )
  expect(html.match(/<button/g)).toHaveLength(2)
})

const verification = {
  isIdentityRegistered: false,
  isInquiryWelcomeEmailSent: true,
  isTokenExpired: false,
}

test('7.2 registration/verification is queried by identityUuid, or by borrowerEmail with organization', async () => {
  const queries: unknown[] = []
  const client: Client = async (_, { query }) => {
    queries.push(query)
    return verification as never // No other call is made.
  }
  const { services } = world({}, { client })
  const verify = { type: 'verify', borrower, loginUuid } as const
  expect(await services.verify(verify, neverAborted)).toEqual(verified('enterCode'))
  await services.verify({ type: 'verify', borrower: byUuid, loginUuid: undefined }, neverAborted)
  expect(queries).toEqual([{ borrowerEmail: email, organization, loginUuid }, { identityUuid }])
})

test('7.3 the continue-application e-mail takes borrowerIdentityUuid or borrowerIdentifier', async () => {
  const { services, sendDeps, calls } = world({ sendContinueApplicationEmail: { loginUuid } })
  expect(
    await services.sendContinueEmail({ type: 'sendContinueEmail', borrower }, neverAborted),
  ).toEqual(codeSent)
  expect(await sendAnother(sendDeps, byUuid, neverAborted)).toEqual({ uuid: loginUuid })
  expect(calls.map(({ body }) => body)).toEqual([
    { borrowerIdentifier: { borrowerEmail: email, organization } },
    { borrowerIdentityUuid: identityUuid },
  ])
})

test('7.3 the continue-application e-mail carries the solved bot check, as the login does', async () => {
  const sending = { type: 'sendContinueEmail', borrower } as const
  const headers: unknown[] = []
  const { client } = fakeClient({ sendContinueApplicationEmail: { loginUuid } })
  const solved = world(
    {},
    {
      client: (call, input) => {
        headers.push(input.headers)
        return client(call, input)
      },
      token: async () => 'solved',
    },
  )
  expect(await solved.services.sendContinueEmail(sending, neverAborted)).toEqual(codeSent)
  expect(headers).toEqual([{ 'x-recaptcha-token': 'solved' }])

  const blocked = new Error('The script was blocked')
  const without = world({}, { token: () => Promise.reject(blocked) })
  expect(await without.services.sendContinueEmail(sending, neverAborted)).toMatchObject({
    type: 'refused',
    failure: { reason: 'bot-check-failed' },
  })
  expect(without.reported).toEqual([blocked])
  expect(without.calls).toEqual([])
})

test('7.2 a new token redirects the login if the organization is configured so', async () => {
  const send = { type: 'sendToken', email } as const
  expect(
    await world({ sendToken: { uuid: loginUuid } }).services.sendToken(send, neverAborted),
  ).toEqual(codeSent)
  const moved = world({ sendToken: { uuid: loginUuid, redirect: '/account' } })
  expect(await moved.services.sendToken(send, neverAborted)).toEqual({
    type: 'loginRedirected',
    to: '/account',
  })
})

test('4.7 loginUuid and step are kept in the URL until the login', () => {
  const { services, queries, redirects } = world({})
  void services.updateAddress({ type: 'updateAddress', loginUuid, step: 1 }, neverAborted)
  void services.updateAddress({ type: 'updateAddress', loginUuid, step: 2 }, neverAborted)
  void services.goToLogin({ type: 'goToLogin' }, neverAborted)
  const keptQuery = `email=${encodeURIComponent(email)}`
  expect(queries).toEqual([
    `${keptQuery}&loginUuid=${loginUuid}`,
    `${keptQuery}&step=2&loginUuid=${loginUuid}`,
  ])
  expect(redirects).toEqual([`/auth/login?${keptQuery}`])
})

test('8 partner redeem failure: the first server error is shown', async () => {
  const errors = ['The first.', 'The second.']
  const failed = new ApiError('refused', 'Refused', {
    response: new Response(null, { status: 400 }),
    data: { code: 'code-used', message: 'Refused', errors },
  })
  const { services } = world({ redeemToken: failed })
  const redeem = { type: 'redeem', loginUuid, code: '123456' } as const
  expect(await services.redeem(redeem, neverAborted)).toEqual({
    type: 'refused',
    failure: firstFailureOf(failed),
  })
  expect(firstFailureOf(failed)).toMatchObject({ notices: ['The first.'], reason: 'code-used' })
})

function view(state: State) {
  return renderStatic(
    <PartnerOnboardingView
      state={state}
      send={() => undefined}
      company="Figure"
      registerHref="/auth/register"
      loginHref="/auth/login"
      supportPhone="8005550142"
    >
      {null}
    </PartnerOnboardingView>,
    '/auth/credit-karma/register',
  )
}

test("2.5 step 1: 'You've got mail!' and 'Enter the code sent to {email}'", () => {
  const { text } = view({ step: 'code', borrower, loginUuid, justSent: true })
  expect(text).toContain("You've got mail!")
  expect(codePrompt(email, 'Figure').label).toBe('Enter the code sent to ada@example.com')
})

test("2.5 step 2: 'Create Password'", () => {
  const { text } = view({ step: 'password', borrower, loginUuid, jwt: 'jwt', email })
  expect(text).toContain('Create Password')
})

test("7.3 the link's page names its account and has one button", () => {
  const { html, text } = view({
    step: 'confirming',
    borrower,
    loginUuid,
    code: '123456',
    busy: false,
  })
  expect(text).toContain(`You are about to continue with Figure as ${email}.`)
  expect(html.match(/<button/g)).toHaveLength(1)
  expect(html).not.toContain('123456')
})

test.each([
  ['code-expired', 'Get a new code'],
  ['unreachable', 'Try again'],
])('4.7 after %s the user can continue: %s', (reason, button) => {
  const failure: Failure = { notices: ['No'], reason }
  const { text } = view({ step: 'stopped', borrower, loginUuid, failure })
  expect(text).toContain(button)
  expect(text).toContain('Log in here')
})

test('8 a locked account shows the support phone and no retry', () => {
  const { text } = view({ step: 'stopped', borrower, loginUuid, failure: ACCOUNT_LOCKED })
  expect(text).toContain('(800) 555-0142')
  expect(text).not.toContain('Try again')
})
