import { fakeClient, refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import { loginPasscodeError } from '@portico/rules/field-errors'
import { neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { renderStatic } from '../testing.tsx'
import { type Event, oneTimeCode, type Result } from './one-time-code.flow.ts'
import { events, inputs } from './one-time-code.samples.ts'
import { oneTimeCodeServices } from './one-time-code.services.ts'
import { OneTimeCodeView } from './one-time-code.view.tsx'

const sentLogin = { loginUuid: 'first', justSent: true }
const outcome = { kind: 'signedIn', jwt: 'jwt' } as const
const failure = { notices: ['The passcode is incorrect. Please check it and try again.'] }

test('4.4 a submitted code is redeemed once', () => {
  const submitted: Event = { type: 'codeSubmitted', code: '123456' }
  const [state, ...commands] = after(oneTimeCode, sentLogin, [submitted])
  expect(commands).toEqual([{ type: 'redeem', loginUuid: 'first', code: '123456' }])
  expect(state).toMatchObject({ step: 'entering', busy: true })
  expect(after(oneTimeCode, sentLogin, [submitted, submitted])).toHaveLength(1)
})

test('4.4 a rejected code keeps the input and shows why', () => {
  const [state, ...commands] = after(oneTimeCode, sentLogin, [
    { type: 'codeSubmitted', code: '123456' },
    { type: 'refused', failure },
  ])
  expect(state).toMatchObject({ step: 'entering', busy: false, failure })
  expect(commands).toEqual([])
})

test("4.4 after a send the resend button is disabled for 5 s and reads 'Code Sent'", async () => {
  const [state, ...commands] = after(oneTimeCode, sentLogin)
  expect(state).toMatchObject({ resend: 'coolingDown' })
  expect(commands).toEqual([{ type: 'startCooldown' }])
  expect(after(oneTimeCode, sentLogin, [{ type: 'resendRequested' }])).toEqual([state])

  const { services, waited } = world()
  expect(await services.startCooldown({ type: 'startCooldown' }, neverAborted)).toEqual({
    type: 'cooldownEnded',
  })
  expect(waited).toEqual([5000])
  expect(after(oneTimeCode, sentLogin, [{ type: 'cooldownEnded' }])[0]).toMatchObject({
    resend: 'ready',
  })
})

test("8 code resent: 'Code successfully resent.' as a success notice, and the button is disabled again", () => {
  const [state, ...commands] = after(oneTimeCode, sentLogin, [
    { type: 'cooldownEnded' },
    { type: 'resendRequested' },
    { type: 'resent', loginUuid: 'second' },
  ])
  expect(state).toMatchObject({ loginUuid: 'second', resend: 'coolingDown' })
  expect(commands).toEqual([
    { type: 'startCooldown' },
    { type: 'notify', notice: 'Code successfully resent.' },
  ])
})

test('4.4 a code is redeemed with the login of the last send', () => {
  const [, command] = after(oneTimeCode, sentLogin, [
    { type: 'cooldownEnded' },
    { type: 'resendRequested' },
    { type: 'resent', loginUuid: 'second' },
    { type: 'codeSubmitted', code: '123456' },
  ])
  expect(command).toEqual({ type: 'redeem', loginUuid: 'second', code: '123456' })
})

test('4.4 a failed send can be requested again', () => {
  const [state] = after(oneTimeCode, sentLogin, [
    { type: 'cooldownEnded' },
    { type: 'resendRequested' },
    { type: 'resendRefused', failure },
  ])
  expect(state).toMatchObject({ resend: 'ready', failure })
})

test('4.4 it returns one result', () => {
  expect(after(oneTimeCode, sentLogin, [{ type: 'closed' }])[1]).toEqual({
    type: 'returnResult',
    result: { kind: 'closed' },
  })
  expect(
    after(oneTimeCode, sentLogin, [{ type: 'redeemed', outcome }, { type: 'closed' }]),
  ).toHaveLength(1)
})

test('4.4 random walk: no button stays busy, and the result is returned once', () => {
  walk(
    oneTimeCode,
    { inputs, events },
    {
      steps: 5000,
      invariant(state, commands, before) {
        const returned = commands.filter(({ type }) => type === 'returnResult')
        expect(returned).toHaveLength(state.step === 'left' && before.step !== 'left' ? 1 : 0)
        if (state.step === 'entering' && commands.some(({ type }) => type === 'redeem')) {
          expect(state.busy).toBe(true)
        }
      },
    },
  )
})

function world(answers: Record<string, unknown> = {}) {
  const { client, calls } = fakeClient(answers)
  const waited: number[] = []
  const resent: string[] = []
  const results: Result[] = []
  const visited: string[] = []
  const services = oneTimeCodeServices({
    client,
    navigate: (to) => void visited.push(to),
    wait: async (milliseconds) => void waited.push(milliseconds),
    email: 'ada@example.com',
    showToast: () => undefined,
    onResent: (loginUuid) => resent.push(loginUuid),
    onResult: (result) => results.push(result),
  })
  return { services, calls, waited, resent, visited }
}

test('7.2 token/send: if the login has moved, "Resend code" leads there and reports no code', async () => {
  const { services, resent, visited } = world({
    sendToken: { uuid: 'second', redirect: 'https://new.lender.example/login' },
  })
  const moved = await services.resend({ type: 'resend' }, neverAborted)
  expect(moved).toEqual({ type: 'loginRedirected', to: 'https://new.lender.example/login' })
  expect(resent).toEqual([])
  const [state, ...commands] = after(oneTimeCode, sentLogin, [
    { type: 'cooldownEnded' },
    { type: 'resendRequested' },
    { type: 'loginRedirected', to: '/moved' },
  ])
  expect(state).toMatchObject({ step: 'entering', resend: 'sending' })
  expect(commands).toEqual([{ type: 'leave', to: '/moved' }])
  await services.leave({ type: 'leave', to: '/moved' }, neverAborted)
  expect(visited).toEqual(['/moved'])
})

test('7.2 token/redeem: sends loginUuid and token, and returns a jwt', async () => {
  const { services, calls } = world({ redeemToken: { jwt: 'jwt' } })
  const command = { type: 'redeem', loginUuid: 'first', code: '123456' } as const
  expect(await services.redeem(command, neverAborted)).toEqual({ type: 'redeemed', outcome })
  expect(calls).toEqual([{ name: 'redeemToken', body: { loginUuid: 'first', token: '123456' } }])
})

test.each(['code-wrong', 'code-expired', 'code-used'] as const)(
  "7.2 token/redeem: %s shows the server's message",
  async (code) => {
    const { services } = world({ redeemToken: refusal(code) })
    const command = { type: 'redeem', loginUuid: 'first', code: '123456' } as const
    expect(await services.redeem(command, neverAborted)).toMatchObject({
      type: 'refused',
      failure: { reason: code },
    })
  },
)

test('7.2 token/send again: the page stores the new login', async () => {
  const { services, resent } = world({ sendToken: { uuid: 'second' } })
  expect(await services.resend({ type: 'resend' }, neverAborted)).toEqual({
    type: 'resent',
    loginUuid: 'second',
  })
  expect(resent).toEqual(['second'])
})

function view(resend: 'ready' | 'sending' | 'coolingDown') {
  return renderStatic(
    <OneTimeCodeView
      state={{ step: 'entering', loginUuid: 'first', resend, busy: false }}
      send={() => undefined}
      email="ada@example.com"
      codeError={loginPasscodeError}
      supportPhone="8005550142"
    />,
  )
}

test("2.3 the code entry has 'Resend code', disabled after a send", () => {
  expect(view('ready').text).toContain('Resend code')
  expect(view('coolingDown').text).toContain('Code Sent')
  expect(view('coolingDown').html).toMatch(/<button[^>]* aria-disabled="true"[^>]*>Code Sent/)
  expect(view('ready').html).not.toMatch(/<button[^>]* aria-disabled="true"[^>]*>Resend code/)
})

test('5 the passcode field is one numeric input with one-time-code autocomplete', () => {
  expect(view('ready').html).toMatch(/autoComplete="one-time-code"[^>]*inputMode="numeric"/i)
})

test('9 the text says that the code is valid for 10 minutes', () => {
  expect(view('ready').text).toContain('It is valid for 10 minutes')
})
