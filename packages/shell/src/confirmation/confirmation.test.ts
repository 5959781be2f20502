import { fakeClient, refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import { expect, test } from 'vitest'
import { neverAborted } from '../testing.tsx'
import { confirmation, type Event } from './confirmation.flow.ts'
import { events, inputs } from './confirmation.samples.ts'
import { confirmationServices } from './confirmation.services.ts'

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
  const passkeyRequested: Event = { type: 'passkeyRequested' }
  expect(after(confirmation, { method: 'passkey' }, [passkeyRequested])).toEqual([
    { step: 'presenting' },
    { type: 'confirmByPasskey' },
  ])
  expect(after(confirmation, { method: 'passkey' }, [passkeyRequested, passkeyRequested])).toEqual([
    { step: 'presenting' },
  ])
})

test('random walk: one confirmation at a time', () => {
  walk(
    confirmation,
    { inputs, events },
    {
      steps: 3000,
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

const byPasskey = { type: 'confirmByPasskey' } as const
const OPTIONS = { challenge: 'challenge' }

function withPasskey(answers: Record<string, unknown>, passkey?: Record<string, unknown>) {
  const { client, calls } = fakeClient({
    readPasskeyConfirmation: { options: OPTIONS },
    ...answers,
  })
  const seenOptions: unknown[] = []
  const request = async (options: unknown) => {
    seenOptions.push(options)
    return passkey
  }
  const services = confirmationServices({
    client,
    passkeys: { request },
    onConfirmed: () => undefined,
  })
  return {
    calls,
    seenOptions,
    confirm: () => services.confirmByPasskey(byPasskey, neverAborted),
  }
}

test("the browser's response to the server's options confirms", async () => {
  const { calls, seenOptions, confirm } = withPasskey({}, { id: 'credential' })
  expect(await confirm()).toEqual({ type: 'confirmed' })
  expect(seenOptions).toEqual([OPTIONS])
  expect(calls[1]).toEqual({
    name: 'confirmIdentity',
    body: { passkey: { id: 'credential' } },
  })
})

test('without a response from the browser nothing is sent; a rejected passkey shows a message', async () => {
  const { calls, confirm } = withPasskey({})
  expect(await confirm()).toEqual({ type: 'passkeyCanceled' })
  expect(calls).toHaveLength(1)
  const refused = withPasskey({ confirmIdentity: refusal('passkey-refused') }, { id: 'x' })
  expect(await refused.confirm()).toMatchObject({
    type: 'refused',
    failure: { reason: 'passkey-refused' },
  })
  const unavailable = withPasskey({ readPasskeyConfirmation: refusal('method-not-available') })
  expect(await unavailable.confirm()).toMatchObject({ type: 'refused' })
  expect(unavailable.seenOptions).toEqual([])
})
