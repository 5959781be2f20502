import { fakeClient, refusal } from '@portico/client/testing'
import { after, chance, walk } from '@portico/flow/testing'
import { expect, test } from 'vitest'
import { lasting, seen } from '../testing.tsx'
import { confirmation, type State } from './confirmation.flow.ts'
import { events, inputs } from './confirmation.samples.ts'
import { confirmationServices } from './confirmation.services.ts'
import { ConfirmationView, type Purpose } from './confirmation.view.tsx'

test('a password, or an authenticator code, is given at once', () => {
  expect(
    after(confirmation, { method: 'password' }, [{ type: 'given', text: 'secret' }])[1],
  ).toEqual({ type: 'confirm', proof: { password: 'secret' } })
  expect(after(confirmation, { method: 'totp' }, [{ type: 'given', text: '123456' }])[1]).toEqual({
    type: 'confirm',
    proof: { totp: '123456' },
  })
})

test('an e-mailed passcode is sent only when it is asked for', () => {
  expect(after(confirmation, { method: 'passcode' })).toEqual([{ step: 'offering' }])
  expect(
    after(confirmation, { method: 'passcode' }, [
      { type: 'sendAsked' },
      { type: 'codeSent', loginUuid: 'login' },
      { type: 'given', text: '123456' },
    ])[1],
  ).toEqual({ type: 'confirm', proof: { loginUuid: 'login', token: '123456' } })
})

test('a walk confirms nothing twice at a time', () => {
  walk(
    confirmation,
    { inputs, events },
    {
      steps: 3000,
      chance: chance(),
      invariant(state, commands) {
        if (commands.some(({ type }) => type === 'confirm'))
          expect(state).toMatchObject({ busy: true })
        if (commands.some(({ type }) => type === 'handBack')) expect(state.step).toBe('left')
      },
    },
  )
})

test('7.2 a refused proof is told in the words of the server', async () => {
  const services = confirmationServices({
    client: fakeClient({ confirmIdentity: refusal('wrong-credentials') }).client,
    onConfirmed: () => undefined,
  })
  expect(
    await services.confirm({ type: 'confirm', proof: { password: 'secret' } }, lasting),
  ).toMatchObject({ type: 'refused', failure: { reason: 'wrong-credentials' } })
})

const view = (state: Exclude<State, { step: 'left' }>, purpose: Purpose = 'change') =>
  seen(
    <ConfirmationView
      state={state}
      send={() => undefined}
      methods={['password', 'passcode']}
      email="ada@example.com"
      supportPhone="8005550142"
      purpose={purpose}
    />,
  )

test('the dialog names the other ways this person has', () => {
  const { text } = view({ step: 'entering', method: 'password', busy: false })
  expect(text).toContain('Use a code by email')
  expect(text).not.toContain('authenticator')
  expect(view({ step: 'offering' }).text).toContain('We will send a code to ada@example.com')
})

test('the dialog says what it is for', () => {
  expect(view({ step: 'entering', method: 'password', busy: false }).text).toContain(
    'Enter your password to make this change.',
  )
  expect(view({ step: 'entering', method: 'totp', busy: false }, 'unlock').text).toContain(
    'Enter the code that your authenticator app shows now to open your wallet.',
  )
})
