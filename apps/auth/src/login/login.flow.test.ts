import { after, walk } from '@portico/flow/testing'
import type { LoginOutcome } from '@portico/rules/login-outcome'
import { ACCOUNT_LOCKED, UNEXPECTED } from '@portico/shell/failure'
import { expect, test } from 'vitest'
import { type Event, login, type Method } from './login.flow.ts'
import { events, inputs } from './login.samples.ts'

const email = 'ada@example.com'
const submitted: Event = { type: 'passwordSubmitted', email, password: 'secret' }
const signedIn = { kind: 'signedIn', jwt: 'jwt' } as const
const twoFactor = {
  kind: 'twoFactor' as const,
  options: { loginUuid: 'uuid', aliases: [], emailFactorSupported: true, totpEnabled: false },
} satisfies LoginOutcome
const codeRequested = (method: Method): Event[] => [
  { type: 'methodChosen', method },
  { type: 'emailSubmitted', email },
  { type: 'codeSent', loginUuid: 'uuid' },
]

test('4.4 the user enters email and password', () => {
  expect(after(login, {}, [submitted])).toEqual([
    { step: 'loggingIn', method: 'password', email },
    { type: 'logIn', email, password: 'secret' },
  ])
})

test('a mailed link offers a code, and only a press sends it, because mail scanners open links too', () => {
  expect(after(login, { offersCode: true }, [])).toEqual([
    { step: 'filling', method: 'passcode' },
    { type: 'restoreProgress' },
  ])
  const nothing = { type: 'nothingToRestore', sentAlready: false } as const
  const [state, ...commands] = after(login, { offersCode: true }, [nothing])
  expect([state, commands]).toEqual([{ step: 'filling', method: 'passcode' }, []])
  expect(after(login, { offersCode: true }, [nothing, { type: 'emailSubmitted', email }])).toEqual([
    { step: 'sendingCode', method: 'passcode', email },
    { type: 'sendCode', email, method: 'passcode' },
  ])
})

test('4.4 a jwt leads to session start', () => {
  expect(after(login, {}, [submitted, { type: 'loggedIn', outcome: signedIn }])).toEqual([
    { step: 'startingSession', method: 'password', email, jwt: 'jwt' },
  ])
})

test('4.4 a locked account shows an error', () => {
  expect(after(login, {}, [submitted, { type: 'loggedIn', outcome: { kind: 'locked' } }])).toEqual([
    { step: 'filling', method: 'password', failure: ACCOUNT_LOCKED },
  ])
})

test('4.4 a redirectUrl navigates away', () => {
  const outcome = { kind: 'redirected', to: '/account/heloc' } as const
  expect(after(login, {}, [submitted, { type: 'loggedIn', outcome }])).toEqual([
    { step: 'redirecting', method: 'password', to: '/account/heloc' },
    { type: 'leave', to: '/account/heloc' },
  ])
})

test('4.4 two-factor options open the 2-step modal', () => {
  const prompted: Event[] = [submitted, { type: 'loggedIn', outcome: twoFactor }]
  const [state] = after(login, {}, prompted)
  expect(state).toMatchObject({ step: 'secondFactor', options: { loginUuid: 'uuid' } })
  const redeemed: Event = { type: 'secondFactorRedeemed', jwt: 'jwt' }
  expect(after(login, {}, [...prompted, redeemed])).toEqual([
    { step: 'startingSession', method: 'password', email, jwt: 'jwt' },
  ])
  expect(after(login, {}, [...prompted, { type: 'secondFactorClosed' }])).toEqual([
    { step: 'filling', method: 'password' },
  ])
})

test('4.4 the two-factor options of a redeemed code open the modal too, and a password is requested afterwards', () => {
  const redeemed = (newUser: boolean): Event[] => [
    { type: 'codeRedeemed', outcome: twoFactor, newUser },
    { type: 'secondFactorRedeemed', jwt: 'jwt' },
  ]
  const read: Event = { type: 'passwordRead', hasPassword: true }
  const step = (method: Method, newUser: boolean) =>
    after(login, {}, [...codeRequested(method), ...redeemed(newUser), read])[0].step
  expect(step('passcode', false)).toBe('startingSession')
  expect(step('passcode', true)).toBe('choosingPassword')
  expect(step('forgotten', false)).toBe('choosingPassword')
})

test('4.5 a page discarded during the second step returns to it', () => {
  const context = {
    method: 'password',
    email,
    newUser: false,
    options: twoFactor.options,
    position: { step: 'entering', method: 'totp', sentAt: {} },
  } as const
  for (const sendTo of [undefined, email]) {
    expect(after(login, { sendTo }, [{ type: 'secondFactorRestored', context }])).toEqual([
      { step: 'secondFactor', ...context },
    ])
  }
})

test('8 an expired first factor closes the modal, and the page says so', () => {
  const failure = { notices: ['First factor is expired, please start a new login.'] }
  const [state, ...commands] = after(login, {}, [
    submitted,
    { type: 'loggedIn', outcome: twoFactor },
    { type: 'refused', failure },
  ])
  expect(state).toEqual({ step: 'filling', method: 'password', failure })
  expect(commands).toEqual([])
})

test('4.4 passkey autofill is offered once, and a selected passkey logs in', () => {
  const engaged: Event = { type: 'userEngaged' }
  const [state, ...commands] = after(login, {}, [engaged])
  expect(commands).toEqual([{ type: 'offerPasskeys' }])
  expect(after(login, {}, [engaged, engaged])).toEqual([state])
  const methodChosen: Event = { type: 'methodChosen', method: 'passcode' }
  expect(after(login, {}, [engaged, methodChosen, engaged])).toHaveLength(1)
  const chosen: Event = { type: 'passkeySelected', challengeUuid: 'challenge', response: {} }
  expect(after(login, {}, [engaged, chosen])).toEqual([
    { step: 'loggingIn', method: 'password', email: '' },
    { type: 'logInByPasskey', challengeUuid: 'challenge', response: {} },
  ])
})

test('4.4 one-time passcode login: send token, then a modal asks for the code', () => {
  expect(after(login, {}, codeRequested('passcode'))).toEqual([
    { step: 'enteringCode', method: 'passcode', email, loginUuid: 'uuid', justSent: true },
  ])
})

test.each([
  ['in new-user flows the password modal appears', 'passcode', true, 'choosingPassword'],
  ['otherwise the normal login outcome runs', 'passcode', false, 'startingSession'],
] as const)('4.4 after redeeming, %s', (_, method, newUser, step) => {
  const redeemed: Event = { type: 'codeRedeemed', outcome: signedIn, newUser }
  const [state, ...commands] = after(login, {}, [...codeRequested(method), redeemed])
  expect(state.step).toBe(step)
  expect(commands).toEqual([{ type: 'clearPendingCode' }])
})

test('4.4 after redeeming, after Forgot Password a new one can be set, and it is called the first if there was none', () => {
  const redeemed: Event = { type: 'codeRedeemed', outcome: signedIn, newUser: false }
  const forgotten = [...codeRequested('forgotten'), redeemed]
  const [state, ...commands] = after(login, {}, forgotten)
  expect(state.step).toBe('readingPassword')
  expect(commands).toEqual([{ type: 'readPassword', jwt: 'jwt' }, { type: 'clearPendingCode' }])
  const chosen = (event: Event) => after(login, {}, [...forgotten, event])[0]
  expect(chosen({ type: 'passwordRead', hasPassword: true })).toMatchObject({
    step: 'choosingPassword',
    first: false,
  })
  expect(chosen({ type: 'passwordRead', hasPassword: false })).toMatchObject({
    step: 'choosingPassword',
    first: true,
  })
  // A password can also be set if the account could not be read.
  expect(chosen({ type: 'refused', failure: UNEXPECTED }).step).toBe('choosingPassword')
  const closed: Event[] = [{ type: 'passwordRead', hasPassword: false }, { type: 'passwordClosed' }]
  // Someone who declined a first password is not asked again.
  expect(after(login, {}, [...forgotten, ...closed])[0]).toMatchObject({
    step: 'startingSession',
    passwordOffered: true,
  })
})

test('4.4 a new-user flow without a jwt runs the normal outcome', () => {
  const redeemed: Event = { type: 'codeRedeemed', outcome: { kind: 'locked' }, newUser: true }
  const [state] = after(login, {}, [...codeRequested('passcode'), redeemed])
  expect(state).toEqual({ step: 'filling', method: 'passcode', failure: ACCOUNT_LOCKED })
})

test('2.3 Forgot Password switches to one-time-code mode', () => {
  const [state] = after(login, {}, [{ type: 'methodChosen', method: 'forgotten' }])
  expect(state).toEqual({ step: 'filling', method: 'forgotten' })
})

test('3 otp=true triggers automatic code sending', () => {
  const [state, ...commands] = after(login, { sendTo: email }, [
    { type: 'nothingToRestore', sentAlready: false },
  ])
  expect(state).toEqual({ step: 'sendingCode', method: 'passcode', email })
  expect(commands).toEqual([{ type: 'sendCode', email, method: 'passcode' }])
})

test('3 otp=true sends once, not again on reload or Back', () => {
  expect(
    after(login, { sendTo: email }, [{ type: 'nothingToRestore', sentAlready: true }]),
  ).toEqual([{ step: 'filling', method: 'passcode' }])
})

test('4.4 a page discarded after a code was sent asks for that code again', () => {
  const restored: Event = { type: 'codeRestored', method: 'forgotten', email, loginUuid: 'uuid' }
  expect(after(login, {}, [restored])).toEqual([
    { step: 'enteringCode', method: 'forgotten', email, loginUuid: 'uuid', justSent: false },
  ])
})

test('8 each string of the errors list is kept for the alert, and the page stays on the form', () => {
  const failure = { notices: ['One', 'Two'] }
  expect(after(login, {}, [submitted, { type: 'refused', failure }])).toEqual([
    { step: 'filling', method: 'password', failure },
  ])
})

test('4.4 random walk: no login without a jwt, and no code sent without a request', () => {
  walk(
    login,
    { inputs, events },
    {
      steps: 5000,
      invariant(state, commands, before) {
        if (state.step === 'startingSession') expect(state.jwt).not.toBe('')
        if (commands.some(({ type }) => type === 'sendCode')) {
          expect(['arriving', 'filling']).toContain(before.step)
        }
        if (before.step === 'redirecting') expect(state).toBe(before)
      },
    },
  )
})

test('4.4 a defect in any step returns to the form with a generic message', () => {
  const [state] = after(login, {}, [submitted, login.failed])
  expect(state).toEqual({ step: 'filling', method: 'password', failure: UNEXPECTED })
})
