import { fakeClient, refusal } from '@portico/client/testing'
import { after, chance, walk } from '@portico/flow/testing'
import { lasting, seen } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { authenticator } from './authenticator.flow.ts'
import { events, inputs } from './authenticator.samples.ts'
import { authenticatorServices } from './authenticator.services.ts'
import { AuthenticatorView } from './authenticator.view.tsx'

const begun = { type: 'begun', secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Figure' } as const
const failure = { notices: ['The passcode is incorrect. Please check it and try again.'] }

test('nothing changes until the first code is confirmed', () => {
  const [state, ...commands] = after(authenticator, null, [
    begun,
    { type: 'codeSubmitted', code: '123456' },
  ])
  expect(state).toMatchObject({ step: 'scanning', busy: true })
  expect(commands).toEqual([{ type: 'confirm', code: '123456' }])
  expect(after(authenticator, null, [begun, { type: 'confirmed' }])).toContainEqual({
    type: 'returnResult',
    result: 'changed',
  })
})

test('a wrong code leaves the key as it is', () => {
  expect(
    after(authenticator, null, [
      begun,
      { type: 'codeSubmitted', code: '123456' },
      { type: 'refused', failure },
    ]),
  ).toEqual([{ step: 'scanning', secret: begun.secret, uri: begun.uri, busy: false, failure }])
})

test('a key that could not be created can be requested again', () => {
  const stopped = after(authenticator, null, [{ type: 'refused', failure }])[0]
  expect(stopped).toEqual({ step: 'stopped', failure })
  expect(
    after(authenticator, null, [{ type: 'refused', failure }, { type: 'retried' }])[1],
  ).toEqual({
    type: 'begin',
  })
})

test('7.2 the services make their calls and handle rejections', async () => {
  const { client } = fakeClient({
    beginTotp: { secret: begun.secret, uri: begun.uri },
    confirmTotp: refusal('code-wrong'),
  })
  const services = authenticatorServices({ client, onResult: () => undefined })
  expect(await services.begin({ type: 'begin' }, lasting)).toEqual(begun)
  expect(await services.confirm({ type: 'confirm', code: '123456' }, lasting)).toMatchObject({
    failure: { reason: 'code-wrong' },
  })
})

test('the QR code is an image with a name, and the key is shown in groups of four', () => {
  const { html, text } = seen(
    <AuthenticatorView
      state={{ step: 'scanning', secret: begun.secret, uri: begun.uri, busy: false }}
      send={() => undefined}
      supportPhone="8005550142"
    />,
  )
  expect(html).toContain('role="img" aria-label="QR code for your authenticator app"')
  expect(text).toContain('JBSW Y3DP EHPK 3PXP')
})

test('random walk: the result is returned exactly once', () => {
  walk(
    authenticator,
    { inputs, events },
    {
      steps: 2000,
      chance: chance(),
      invariant(state, commands, before) {
        const handedBack = commands.filter(({ type }) => type === 'returnResult')
        expect(handedBack).toHaveLength(state.step === 'left' && before.step !== 'left' ? 1 : 0)
      },
    },
  )
})
