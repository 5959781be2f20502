import { fakeClient, refusal } from '@portico/client/testing'
import { after, chance, walk } from '@portico/flow/testing'
import { expect, test } from 'vitest'
import { lasting, seen } from '../testing.tsx'
import { confirmation, type Event, type State } from './confirmation.flow.ts'
import { events, inputs } from './confirmation.samples.ts'
import { confirmationServices } from './confirmation.services.ts'
import { ConfirmationView, type Purpose } from './confirmation.view.tsx'

test('a password or authenticator code is entered right away', () => {
  expect(
    after(confirmation, { method: 'password' }, [{ type: 'proofSubmitted', text: 'secret' }])[1],
  ).toEqual({ type: 'confirm', proof: { password: 'secret' } })
  expect(
    after(confirmation, { method: 'totp' }, [{ type: 'proofSubmitted', text: '123456' }])[1],
  ).toEqual({
    type: 'confirm',
    proof: { totp: '123456' },
  })
})

test('an emailed passcode is sent only on request', () => {
  expect(after(confirmation, { method: 'passcode' })).toEqual([{ step: 'offering' }])
  expect(
    after(confirmation, { method: 'passcode' }, [
      { type: 'codeRequested' },
      { type: 'codeSent', loginUuid: 'login' },
      { type: 'proofSubmitted', text: '123456' },
    ])[1],
  ).toEqual({ type: 'confirm', proof: { loginUuid: 'login', token: '123456' } })
})

test('the passkey prompt opens only on request, and one at a time', () => {
  const [state, ...commands] = after(confirmation, { method: 'passkey' })
  expect([state, commands]).toEqual([{ step: 'inviting' }, []])
  const asked: Event = { type: 'passkeyRequested' }
  expect(after(confirmation, { method: 'passkey' }, [asked])).toEqual([
    { step: 'presenting' },
    { type: 'confirmByPasskey' },
  ])
  expect(after(confirmation, { method: 'passkey' }, [asked, asked])).toEqual([
    { step: 'presenting' },
  ])
})

test('a canceled passkey prompt shows a neutral notice, and can be reopened or another method selected', () => {
  const left: Event[] = [{ type: 'passkeyRequested' }, { type: 'passkeyCanceled' }]
  const [state] = after(confirmation, { method: 'passkey' }, left)
  const { html, text } = view(shown(state))
  expect(text).toContain('No passkey was used. Try again, or choose another way.')
  expect(text).toContain('Use your passkey Use your password Use a code by email')
  expect(html).toContain('role="status"')
  expect(html).not.toContain('role="alert"')
  const other: Event = { type: 'methodChosen', method: 'password' }
  for (const events of [
    [...left, other],
    [{ type: 'passkeyRequested' } as const, other],
  ]) {
    expect(after(confirmation, { method: 'passkey' }, events)[0]).toMatchObject({
      step: 'entering',
      method: 'password',
    })
  }
})

test('random walk: one confirmation at a time', () => {
  walk(
    confirmation,
    { inputs, events },
    {
      steps: 3000,
      chance: chance(),
      invariant(state, commands) {
        if (commands.some(({ type }) => type === 'confirm'))
          expect(state).toMatchObject({ busy: true })
        if (commands.some(({ type }) => type === 'confirmByPasskey'))
          expect(state.step).toBe('presenting')
        if (commands.some(({ type }) => type === 'returnResult')) expect(state.step).toBe('left')
      },
    },
  )
})

test("7.2 a rejected proof shows the server's message", async () => {
  const services = confirmationServices({
    client: fakeClient({ confirmIdentity: refusal('wrong-password') }).client,
    passkeys: { ask: async () => undefined },
    onConfirmed: () => undefined,
  })
  expect(
    await services.confirm({ type: 'confirm', proof: { password: 'secret' } }, lasting),
  ).toMatchObject({
    type: 'refused',
    failure: { reason: 'wrong-password', notices: ['The password is incorrect.'] },
  })
})

const byPasskey = { type: 'confirmByPasskey' } as const
const OPTIONS = { challenge: 'challenge' }

function withPasskey(answers: Record<string, unknown>, passkey?: Record<string, unknown>) {
  const { client, asked } = fakeClient({
    readPasskeyConfirmation: { options: OPTIONS },
    ...answers,
  })
  const seenOptions: unknown[] = []
  const ask = async (options: unknown) => {
    seenOptions.push(options)
    return passkey
  }
  const services = confirmationServices({
    client,
    passkeys: { ask },
    onConfirmed: () => undefined,
  })
  return { asked, seenOptions, confirm: () => services.confirmByPasskey(byPasskey, lasting) }
}

test("the browser's response to the server's options confirms", async () => {
  const { asked, seenOptions, confirm } = withPasskey({}, { id: 'credential' })
  expect(await confirm()).toEqual({ type: 'confirmed' })
  expect(seenOptions).toEqual([OPTIONS])
  expect(asked[1]).toEqual({ name: 'confirmIdentity', body: { passkey: { id: 'credential' } } })
})

test('without a response from the browser nothing is sent; a rejected passkey shows a message', async () => {
  const { asked, confirm } = withPasskey({})
  expect(await confirm()).toEqual({ type: 'passkeyCanceled' })
  expect(asked).toHaveLength(1)
  const refused = withPasskey({ confirmIdentity: refusal('passkey-refused') }, { id: 'x' })
  expect(await refused.confirm()).toMatchObject({
    type: 'refused',
    failure: { reason: 'passkey-refused' },
  })
  const none = withPasskey({ readPasskeyConfirmation: refusal('method-not-available') })
  expect(await none.confirm()).toMatchObject({ type: 'refused' })
  expect(none.seenOptions).toEqual([])
})

const shown = (state: State) => {
  if (state.step === 'left') throw new Error('Nothing is shown any more')
  return state
}

const view = (state: Exclude<State, { step: 'left' }>, purpose: Purpose = 'change') =>
  seen(
    <ConfirmationView
      state={state}
      send={() => undefined}
      methods={['passkey', 'password', 'passcode']}
      email="ada@example.com"
      supportPhone="8005550142"
      purpose={purpose}
    />,
  )

test("the dialog lists the user's other methods", () => {
  const { text } = view({ step: 'entering', method: 'password', busy: false })
  expect(text).toContain('Use a code by email')
  expect(text).toContain('Use a passkey')
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
  expect(view({ step: 'presenting' }, 'unlock').text).toContain(
    'Open your wallet with your passkey.',
  )
})

test('8 a new password requires the current one, and the text says what to do without it', () => {
  const { html, text } = view({ step: 'entering', method: 'password', busy: false }, 'password')
  expect(text).toContain('Enter your current password to choose a new one.')
  expect(text).toContain('Forgot your password?')
  expect(html).toContain('href="/auth/logout"')
  expect(view({ step: 'offering' }, 'password').text).not.toContain('Forgot your password?')
})
