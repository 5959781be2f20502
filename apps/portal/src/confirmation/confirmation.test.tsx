import { fakeClient, refusal } from '@portico/client/testing'
import { removeTotp } from '@portico/contracts/account-security'
import { after, chance, walk } from '@portico/flow/testing'
import { lasting, seen } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { confirmation, type State } from './confirmation.flow.ts'
import { events, inputs } from './confirmation.samples.ts'
import { confirmationServices } from './confirmation.services.ts'
import { ConfirmationView } from './confirmation.view.tsx'
import { confirmingClient } from './confirming-client.ts'

/** A client whose first call is refused, and whose next are answered. */
function refusing(code: 'confirmation-needed' | 'sign-in-too-old' | 'code-wrong') {
  let calls = 0
  const { client } = fakeClient()
  const once: typeof client = async (call, input) => {
    calls += 1
    if (calls === 1) throw refusal(code)
    return client(call, input)
  }
  return { client: once, calls: () => calls }
}

test.each(['confirmation-needed', 'sign-in-too-old'] as const)(
  'a change that answers %s is repeated by itself after the confirmation',
  async (code) => {
    const { client, calls } = refusing(code)
    await confirmingClient(client, async () => true)(removeTotp, {})
    expect(calls()).toBe(2)
  },
)

test('who does not confirm is told what the server said, and nothing is repeated', async () => {
  const { client, calls } = refusing('confirmation-needed')
  const change = confirmingClient(client, async () => false)(removeTotp, {})
  await expect(change).rejects.toMatchObject({ reason: 'confirmation-needed' })
  expect(calls()).toBe(1)
})

test('any other refusal asks for no confirmation', async () => {
  const { client } = refusing('code-wrong')
  const change = confirmingClient(client, async () => {
    throw new Error('asked')
  })(removeTotp, {})
  await expect(change).rejects.toMatchObject({ reason: 'code-wrong' })
})

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

const view = (state: Exclude<State, { step: 'left' }>) =>
  seen(
    <ConfirmationView
      state={state}
      send={() => undefined}
      methods={['password', 'passcode']}
      email="ada@example.com"
      supportPhone="8005550142"
    />,
  )

test('the dialog names the other ways this person has', () => {
  const { text } = view({ step: 'entering', method: 'password', busy: false })
  expect(text).toContain('Use a code by email')
  expect(text).not.toContain('authenticator')
  expect(view({ step: 'offering' }).text).toContain('We will send a code to ada@example.com')
})
