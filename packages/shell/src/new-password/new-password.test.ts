import { fakeClient, refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import { expect, test } from 'vitest'
import { neverAborted } from '../testing.tsx'
import { type Event, newPassword } from './new-password.flow.ts'
import { events, inputs } from './new-password.samples.ts'
import { newPasswordServices } from './new-password.services.ts'
import { strengthMeter } from './strength.ts'

const password = 'quiet-harbour-71-lantern'
const submitted: Event = { type: 'passwordSubmitted', password }

test('2.3 a submitted password is saved, and the modal returns the result', () => {
  expect(after(newPassword, null, [submitted])).toEqual([
    { step: 'saving', password, strength: undefined },
    { type: 'save', password },
  ])
  expect(after(newPassword, null, [submitted, { type: 'saved' }])).toEqual([
    { step: 'left', result: 'set' },
    { type: 'returnResult', result: 'set' },
  ])
})

test('5 every change of the password is measured', () => {
  const strength = { score: 2, advice: 'Almost there.' } as const
  const [state, ...commands] = after(newPassword, null, [
    { type: 'measured', strength },
    { type: 'passwordTyped', password: 'quiet' },
  ])
  expect(state).toEqual({ step: 'choosing', strength })
  expect(commands).toEqual([{ type: 'measure', password: 'quiet' }])
})

test("5 the server's weak-password error is shown until another password is typed", () => {
  const refuse = (reason: string) =>
    after(newPassword, null, [
      submitted,
      { type: 'refused', failure: { notices: ['No.'], reason } },
      { type: 'passwordTyped', password: 'quiet' },
    ])[0]
  expect(refuse('weak-password')).not.toHaveProperty('failure.reason')
  expect(refuse('session-ended')).toHaveProperty('failure.reason', 'session-ended')
})

test('7.2 pw: an error is shown above the form, which stays', () => {
  const failure = { notices: ['Please enter a stronger password.'] }
  expect(after(newPassword, null, [submitted, { type: 'refused', failure }])).toEqual([
    { step: 'choosing', strength: undefined, failure },
  ])
})

test('2.3 while it is saved the modal cannot be closed', () => {
  const saving = after(newPassword, null, [submitted])[0]
  expect(after(newPassword, null, [submitted, { type: 'closed' }])).toEqual([saving])
})

test('2.3 random walk: the result is returned exactly once', () => {
  walk(
    newPassword,
    { inputs, events },
    {
      steps: 3000,
      invariant(state, commands, before) {
        const results = commands.filter(({ type }) => type === 'returnResult')
        expect(results).toHaveLength(state.step === 'left' && before.step !== 'left' ? 1 : 0)
      },
    },
  )
})

test('7.2 pw: newPassword, authorized with the jwt that is not stored yet', async () => {
  const { client, calls } = fakeClient({ setPassword: undefined })
  const services = newPasswordServices({
    client,
    jwt: 'jwt',
    measure: async () => undefined,
    onResult: () => undefined,
  })
  expect(await services.save({ type: 'save', password }, neverAborted)).toEqual({ type: 'saved' })
  expect(calls).toEqual([
    {
      name: 'setPassword',
      body: { newPassword: password },
      headers: { authorization: 'Bearer jwt' },
    },
  ])
})

test.each(['weak-password', 'sign-in-too-old', 'session-ended'] as const)(
  '7.2 pw: %s is a refusal',
  async (code) => {
    const services = newPasswordServices({
      client: fakeClient({ setPassword: refusal(code) }).client,
      jwt: 'jwt',
      measure: async () => undefined,
      onResult: () => undefined,
    })
    expect(await services.save({ type: 'save', password }, neverAborted)).toMatchObject({
      type: 'refused',
      failure: { reason: code },
    })
  },
)

test('5 the strength score detects common passwords, and the user’s and the lender’s own words', async () => {
  const measure = strengthMeter('olive.plain@portico.example', ['Figure Lending'])
  expect((await measure('password1'))?.score).toBeLessThan(3)
  expect((await measure('olive.plain@portico.example'))?.score).toBeLessThan(3)
  for (const own of [
    'FigureLending2026',
    'figure-lending-2026!',
    'OlivePlain1987',
    'F1gureL3nding',
  ]) {
    expect((await measure(own))?.score, own).toBeLessThan(3)
  }
  expect((await measure(password))?.score).toBeGreaterThanOrEqual(3)
  expect(await measure('')).toBeUndefined()
})
