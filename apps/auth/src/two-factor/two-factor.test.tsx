import { fakeClient, refusal } from '@portico/client/testing'
import { after as afterAll, walk } from '@portico/flow/testing'
import type { SecondFactor, SecondFactors } from '@portico/rules/second-factor'
import type { Passkeys } from '@portico/shell/passkeys'
import { neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { renderStatic } from '../testing.tsx'
import { type Event, type Input, positionOf, type State, twoFactor } from './two-factor.flow.ts'
import { events, inputs } from './two-factor.samples.ts'
import { twoFactorServices } from './two-factor.services.ts'
import { TwoFactorView } from './two-factor.view.tsx'

const EMAIL: SecondFactor = { kind: 'email', alias: 'e', value: 'a•••@example.com' }
const PHONE: SecondFactor = { kind: 'phone', alias: 'p', value: '•••• 0142' }
const TOTP: SecondFactor = { kind: 'totp' }
const PASSKEY: SecondFactor = { kind: 'passkey' }
const RECOVERY_CODE: SecondFactor = { kind: 'recoveryCode' }

/** The state after a sequence of events, with the commands of the last one. Stored positions have their own test. */
const after: typeof afterAll = (...parameters) => {
  const [state, ...commands] = afterAll(...parameters)
  return [state, ...commands.filter(({ type }) => type !== 'storePosition')]
}

const having = (methods: SecondFactor[], additional: SecondFactor[] = []): Input => {
  const offersRecovery = !methods.includes(EMAIL)
  return { loginUuid: 'login', factors: { methods, additional, offersRecovery }, at: 0 }
}
const chosen = (method: SecondFactor, at = 0): Event => ({ type: 'methodChosen', method, at })
const back = (at = 0): Event => ({ type: 'back', at })
const forgotten: Event = { type: 'forgotten' }
const questions = ['one', 'two', 'three', 'four'].map((question) => ({ uuid: question, question }))
const expired = {
  notices: ['First factor is expired, please start a new login.'],
  reason: 'first-factor-expired',
}

test('4.5 selecting (when more than one method)', () => {
  expect(after(twoFactor, having([EMAIL, TOTP]))).toEqual([
    { step: 'selecting', ...having([EMAIL, TOTP]), at: undefined, sentAt: {}, asked: undefined },
  ])
})

test('4.5 if exactly one method exists and it is not TOTP, a code is sent automatically', () => {
  for (const method of [EMAIL, PHONE]) {
    const [state, ...commands] = after(twoFactor, having([method]))
    expect(state).toMatchObject({ step: 'entering', method, resend: 'sending' })
    expect(commands).toEqual([
      {
        type: 'sendCode',
        loginUuid: 'login',
        alias: 'alias' in method ? method.alias : '',
        again: false,
      },
    ])
  }
  expect(after(twoFactor, having([TOTP]))).toHaveLength(1)
})

test('4.5 additional methods do not count as more than one method', () => {
  const additional = [PASSKEY, RECOVERY_CODE]
  expect(after(twoFactor, having([EMAIL], additional))[1]).toMatchObject({ type: 'sendCode' })
  expect(after(twoFactor, having([TOTP], additional))[0]).toMatchObject({ method: TOTP })
})

test('4.5 selecting a TOTP method sends no code', () => {
  const [state, ...commands] = after(twoFactor, having([EMAIL, TOTP]), [chosen(TOTP)])
  expect(state).toMatchObject({ step: 'entering', method: TOTP, resend: 'none' })
  expect(commands).toEqual([])
})

test('4.5 selecting another method sends a code', () => {
  const [, ...commands] = after(twoFactor, having([EMAIL, TOTP]), [chosen(EMAIL)])
  expect(commands).toMatchObject([{ type: 'sendCode', alias: 'e' }])
})

test("4.5 'Forgot 2FA?' (shown only when no e-mail method exists) goes to answering", () => {
  const [state, ...commands] = after(twoFactor, having([TOTP]), [forgotten])
  expect(state.step).toBe('answering')
  expect(commands).toEqual([{ type: 'readQuestions', loginUuid: 'login' }])
  expect(view(having([TOTP])).text).toContain('Forgot 2FA?')
  expect(view(having([PHONE, TOTP])).text).toContain('Forgot 2FA?')
  expect(view(having([EMAIL])).text).not.toContain('Forgot 2FA?')
  expect(view(having([EMAIL, TOTP])).text).not.toContain('Forgot 2FA?')
})

test('4.5 Back from entering goes to selecting', () => {
  const [state] = after(twoFactor, having([EMAIL, TOTP]), [chosen(TOTP), back()])
  expect(state.step).toBe('selecting')
})

test('4.5 with exactly one method there is no Back from entering', () => {
  const [state] = after(twoFactor, having([TOTP]))
  expect(after(twoFactor, having([TOTP]), [back()])).toEqual([state])
  expect(view(having([TOTP])).text).not.toContain('Back')
  expect(view(having([EMAIL, TOTP]), [chosen(TOTP)]).text).toContain('Back')
})

test('4.5 Back from a method leads to that method in the selection', () => {
  const [state] = after(twoFactor, having([EMAIL, TOTP]), [
    { type: 'methodChosen', method: TOTP, at: 0 },
    back(),
  ])
  expect(state).toMatchObject({ step: 'selecting', left: TOTP })
})

test('4.5 Back from answering goes to selecting if more than one method, else entering', () => {
  expect(after(twoFactor, having([PHONE, TOTP]), [forgotten, back()])[0].step).toBe('selecting')
  expect(after(twoFactor, having([TOTP]), [forgotten, back()])[0]).toMatchObject({
    step: 'entering',
    method: TOTP,
  })
})

test('4.5 with exactly one method, Back from a additional method goes to that one', () => {
  const input = having([TOTP], [RECOVERY_CODE])
  const [state] = after(twoFactor, input, [chosen(RECOVERY_CODE), back()])
  expect(state).toMatchObject({ step: 'entering', method: TOTP })
})

test('4.5 going Back sends no new code while the one sent is valid', () => {
  const returned = [chosen(EMAIL), { type: 'codeSent', again: false } as const, back()]
  const [state, ...commands] = after(twoFactor, having([EMAIL, TOTP]), [
    ...returned,
    chosen(EMAIL, 599_999),
  ])
  expect(commands).toEqual([{ type: 'startCooldown' }])
  expect(state).toMatchObject({ sentBefore: true })
  expect(seenOf(state).text).toContain('a•••@example.com earlier is still valid')
  expect(
    after(twoFactor, having([EMAIL, TOTP]), [...returned, chosen(EMAIL, 600_000)])[1],
  ).toMatchObject({ type: 'sendCode' })
})

test('4.5 after a rejected send, returning sends a code', () => {
  const [, ...commands] = after(twoFactor, having([EMAIL, TOTP]), [
    chosen(EMAIL),
    { type: 'sendRefused', failure: { notices: ['Later'] } },
    back(),
    chosen(EMAIL),
  ])
  expect(commands).toMatchObject([{ type: 'sendCode' }])
})

test('4.5 a random one of the first three security questions is asked', () => {
  const read = (random: number): Event => ({ type: 'questionsRead', questions, random })
  expect(after(twoFactor, having([TOTP]), [forgotten, read(0.5)])[0]).toMatchObject({
    asked: { question: 'two' },
  })
  expect(after(twoFactor, having([TOTP]), [forgotten, read(0.999)])[0]).toMatchObject({
    asked: { question: 'three' },
  })
})

test('4.5 going Back and forth asks the same question', () => {
  const [state, ...commands] = after(twoFactor, having([TOTP]), [
    forgotten,
    { type: 'questionsRead', questions, random: 0.5 },
    back(),
    forgotten,
  ])
  expect(state).toMatchObject({ step: 'answering', asked: { question: 'two' } })
  expect(commands).toEqual([])
})

test('4.5 if the first factor expired, the modal closes', () => {
  const result = { kind: 'expired', failure: expired }
  for (const events of [
    [{ type: 'codeSubmitted', code: '123456', remember: false } as const],
    [forgotten],
  ]) {
    expect(
      after(twoFactor, having([TOTP]), [...events, { type: 'refused', failure: expired }]),
    ).toEqual([
      { step: 'left', result },
      { type: 'returnResult', result },
    ])
  }
  expect(
    after(twoFactor, having([EMAIL]), [{ type: 'sendRefused', failure: expired }])[0].step,
  ).toBe('left')
})

test('4.5 with no recovery questions, the user is told to contact support', () => {
  const { html, text } = view(having([TOTP]), [
    forgotten,
    { type: 'questionsRead', questions: [], random: 0 },
  ])
  expect(text).toContain(
    'You do not have any two-factor recovery methods configured. Please contact customer support for assistance.',
  )
  expect(html).toContain('href="tel:+18005550142"')
})

test("8 code resent: 'Code successfully resent.', and resend is disabled for 5 s", async () => {
  const [state, ...commands] = after(twoFactor, having([EMAIL]), [
    { type: 'codeSent', again: false },
    { type: 'cooldownEnded' },
    { type: 'resendRequested', at: 7 },
    { type: 'codeSent', again: true },
  ])
  expect(state).toMatchObject({ resend: 'coolingDown', sentAt: { e: 7 } })
  expect(commands).toEqual([
    { type: 'startCooldown' },
    { type: 'notify', notice: 'Code successfully resent.' },
  ])
  const { services, waited } = world()
  expect(await services.startCooldown({ type: 'startCooldown' }, neverAborted)).toEqual({
    type: 'cooldownEnded',
  })
  expect(waited).toEqual([5000])
  const coolingDown = after(twoFactor, having([EMAIL]), [{ type: 'codeSent', again: false }])[0]
  expect(seenOf(coolingDown).html).toMatch(/<button[^>]* aria-disabled="true"[^>]*>Code Sent/)
})

test.each([
  ['selecting', []],
  ['entering', [chosen(EMAIL), { type: 'codeSent', again: false }]],
  ['entering', [chosen(RECOVERY_CODE)]],
  ['answering', [forgotten, { type: 'questionsRead', questions, random: 0.5 }]],
] as const)('4.5 a reload while %s comes back to it and sends no new code', (step, events) => {
  const input = having([EMAIL, PHONE], [RECOVERY_CODE])
  const [before] = after(twoFactor, input, [...events])
  if (before.step === 'left') throw new Error('The modal is gone')
  const [state, ...commands] = after(twoFactor, {
    ...input,
    at: 60_000,
    position: positionOf(before),
  })
  expect(state).toMatchObject({ step, sentAt: before.sentAt, asked: before.asked })
  if (before.step === 'entering') expect(state).toMatchObject({ method: before.method })
  expect(commands.filter(({ type }) => type !== 'startCooldown')).toEqual([])
})

test('4.5 each change of position is stored, before a reload can lose it', () => {
  walk(
    twoFactor,
    { inputs, events },
    {
      steps: 3000,
      invariant(state, commands, before) {
        if (state.step === 'left') return
        const stored = commands.find(({ type }) => type === 'storePosition')
        const position = positionOf(state)
        if (stored !== undefined) expect(stored).toEqual({ type: 'storePosition', position })
        else expect(before).toMatchObject({ step: state.step, sentAt: position.sentAt })
      },
    },
  )
  const [, ...commands] = afterAll(twoFactor, having([EMAIL]))
  expect(commands).toContainEqual({
    type: 'storePosition',
    position: { step: 'entering', method: 'e', sentAt: { e: 0 }, asked: undefined },
  })
})

test('4.5 a reload with exactly one method sends no second code by itself', () => {
  const [before] = after(twoFactor, having([EMAIL]))
  if (before.step === 'left') throw new Error('The modal is gone')
  const again = after(twoFactor, { ...having([EMAIL]), at: 60_000, position: positionOf(before) })
  expect(again).toMatchObject([{ step: 'entering', sentBefore: true }, { type: 'startCooldown' }])
})

test('4.5 a stored position with a method that is no longer offered starts over', () => {
  const position = { step: 'entering', method: 'gone', sentAt: {} } as const
  expect(after(twoFactor, { ...having([EMAIL, TOTP]), position })[0].step).toBe('selecting')
})

test('4.5 a submitted code is redeemed once, with the choice to remember the device', () => {
  const submitted: Event = { type: 'codeSubmitted', code: '123456', remember: true }
  expect(after(twoFactor, having([TOTP]), [submitted]).slice(1)).toEqual([
    { type: 'redeemCode', loginUuid: 'login', kind: 'totp', code: '123456', remember: true },
  ])
  expect(after(twoFactor, having([TOTP]), [submitted, submitted])).toHaveLength(1)
})

test('4.5 random walk: the result is returned once, and codes are sent only to email and phone', () => {
  walk(
    twoFactor,
    { inputs, events },
    {
      steps: 8000,
      invariant(state, commands, before) {
        const returned = commands.filter(({ type }) => type === 'returnResult')
        expect(returned).toHaveLength(state.step === 'left' && before.step !== 'left' ? 1 : 0)
        if (state.step === 'selecting') expect(state.factors.methods.length).toBeGreaterThan(1)
        if (commands.some(({ type }) => type === 'sendCode')) {
          expect(state).toMatchObject({ step: 'entering', resend: 'sending' })
          if (state.step === 'entering') expect('alias' in state.method).toBe(true)
        }
      },
    },
  )
})

function world(answers: Record<string, unknown> = {}, passkey?: Record<string, unknown>) {
  const { client, calls } = fakeClient(answers)
  const waited: number[] = []
  const passkeys: Passkeys = {
    supported: () => true,
    supportsAutofill: async () => true,
    request: async () => passkey,
    offer: async () => passkey,
    create: async () => passkey,
  }
  const services = twoFactorServices({
    random: () => 0.5,
    client,
    passkeys,
    wait: async (milliseconds) => void waited.push(milliseconds),
    showToast: () => undefined,
    onResult: () => undefined,
  })
  return { services, calls, waited }
}

const redeem = { type: 'redeemCode', loginUuid: 'login', code: '123456', remember: true } as const

test.each([
  ['email', 'redeemSecondFactor', { token: '123456', rememberDevice: true }],
  ['phone', 'redeemSecondFactor', { token: '123456', rememberDevice: true }],
  ['totp', 'redeemTotp', { code: '123456', rememberDevice: true }],
  ['recoveryCode', 'redeemRecoveryCode', { code: '123456' }],
] as const)('7.2 the code of %s goes to %s', async (kind, name, body) => {
  const { services, calls } = world({ [name]: { jwt: 'jwt' } })
  expect(await services.redeemCode({ ...redeem, kind }, neverAborted)).toEqual({
    type: 'redeemed',
    jwt: 'jwt',
  })
  expect(calls).toEqual([{ name, body: { loginUuid: 'login', ...body } }])
})

test('7.2 2fa/send: loginUuid and alias', async () => {
  const { services, calls } = world({ sendSecondFactor: undefined })
  const command = { type: 'sendCode', loginUuid: 'login', alias: 'e', again: true } as const
  expect(await services.sendCode(command, neverAborted)).toEqual({ type: 'codeSent', again: true })
  expect(calls).toEqual([{ name: 'sendSecondFactor', body: { loginUuid: 'login', alias: 'e' } }])
})

test('7.2 question/retrieve and question', async () => {
  const { services, calls } = world({
    retrieveQuestions: questions,
    answerQuestion: { jwt: 'jwt' },
  })
  expect(
    await services.readQuestions({ type: 'readQuestions', loginUuid: 'login' }, neverAborted),
  ).toEqual({ type: 'questionsRead', questions, random: 0.5 })
  const command = {
    type: 'redeemAnswer',
    loginUuid: 'login',
    question: 'one',
    answer: 'Rex',
  } as const
  await services.redeemAnswer(command, neverAborted)
  expect(calls[1]?.body).toEqual({
    loginUuid: 'login',
    answers: [{ securityQuestionUuid: 'one', answer: 'Rex' }],
  })
})

test.each(['code-wrong', 'code-used', 'first-factor-expired'] as const)(
  '7.2 %s is rejected with its reason',
  async (code) => {
    const { services } = world({ redeemTotp: refusal(code) })
    expect(await services.redeemCode({ ...redeem, kind: 'totp' }, neverAborted)).toMatchObject({
      type: 'refused',
      failure: { reason: code },
    })
  },
)

const byPasskey = { type: 'redeemPasskey', loginUuid: 'login', remember: false } as const

test("4.5 a passkey as a additional method: the browser's response is redeemed", async () => {
  const answers = {
    readPasskeySecondFactor: { options: {} },
    redeemPasskeySecondFactor: { jwt: 'jwt' },
  }
  const { services, calls } = world(answers, { id: 'credential' })
  expect(await services.redeemPasskey(byPasskey, neverAborted)).toEqual({
    type: 'redeemed',
    jwt: 'jwt',
  })
  expect(calls[1]?.body).toMatchObject({ response: { id: 'credential' } })
})

test('4.5 a canceled passkey prompt shows a notice and can be reopened', async () => {
  const { services } = world({ readPasskeySecondFactor: { options: {} } })
  expect(await services.redeemPasskey(byPasskey, neverAborted)).toEqual({ type: 'passkeyCanceled' })
  const passkeyRequested: Event = { type: 'passkeyRequested', remember: false }
  const [state] = after(twoFactor, having([PASSKEY]), [
    passkeyRequested,
    { type: 'passkeyCanceled' },
  ])
  const { html, text } = seenOf(state)
  expect(text).toContain('No passkey was used.')
  expect(html).not.toContain('role="alert"')
})

function seenOf(state: State) {
  if (state.step === 'left') throw new Error('The modal is gone')
  return renderStatic(
    <TwoFactorView
      state={state}
      send={() => undefined}
      clock={() => 0}
      supportPhone="8005550142"
    />,
  )
}
const view = (input: Input, events: Event[] = []) => seenOf(after(twoFactor, input, events)[0])

test('4.5 each method has its own label', () => {
  const factors: SecondFactors = {
    methods: [EMAIL, PHONE, TOTP],
    additional: [PASSKEY, RECOVERY_CODE],
    offersRecovery: false,
  }
  const { text } = view({ loginUuid: 'login', factors, at: 0 })
  for (const words of [
    'Email a code to a•••@example.com',
    'Text a code to •••• 0142',
    'Use your authenticator app',
    'Use a passkey',
    'Use a recovery code',
  ]) {
    expect(text).toContain(words)
  }
})

test('4.5 remembering this browser for 30 days is offered, but not with a recovery code', () => {
  expect(view(having([TOTP])).text).toContain('Remember this browser for 30 days')
  expect(view(having([RECOVERY_CODE])).text).not.toContain('Remember this browser')
})

test('4.5 a code that could not be sent is not shown as sent', () => {
  const refused: Event = { type: 'sendRefused', failure: { notices: ['Later'] } }
  const { text } = view(having([EMAIL]), [refused])
  expect(text).toContain('We could not send a code to')
  expect(text).not.toContain('We sent a code')
  expect(view(having([EMAIL]), [{ type: 'codeSent', again: false }]).text).toContain(
    'We sent a code to',
  )
})
