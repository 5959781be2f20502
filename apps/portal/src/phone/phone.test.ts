import { fakeClient, refusal } from '@portico/client/testing'
import { after, chance, walk } from '@portico/flow/testing'
import { lasting } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { phone } from './phone.flow.ts'
import { events, inputs } from './phone.samples.ts'
import { phoneServices } from './phone.services.ts'

const numbered = { type: 'numberSubmitted', phone: '8005550142' } as const

test('a phone is added by its number, then by the code sent to it', () => {
  expect(after(phone, null, [numbered])[1]).toEqual({ type: 'send', phone: '8005550142' })
  expect(
    after(phone, null, [
      numbered,
      { type: 'codeSent', alias: 'alias' },
      { type: 'codeSubmitted', code: '123456' },
    ])[1],
  ).toEqual({ type: 'confirm', alias: 'alias', code: '123456' })
})

test('a rejected number can be corrected', () => {
  const failure = { notices: ['Please enter a valid phone number.'] }
  expect(after(phone, null, [numbered, { type: 'refused', failure }])).toEqual([
    { step: 'numbering', failure },
  ])
})

test('7.2 the services make their calls and handle rejections', async () => {
  const { client, asked } = fakeClient({
    beginPhone: { alias: 'alias' },
    confirmPhone: refusal('code-expired'),
  })
  const services = phoneServices({ client, onResult: () => undefined })
  expect(await services.send({ type: 'send', phone: '8005550142' }, lasting)).toEqual({
    type: 'codeSent',
    alias: 'alias',
  })
  expect(
    await services.confirm({ type: 'confirm', alias: 'alias', code: '123456' }, lasting),
  ).toMatchObject({ failure: { reason: 'code-expired' } })
  expect(asked[1]?.body).toEqual({ alias: 'alias', token: '123456' })
})

test('random walk: the result is returned exactly once', () => {
  walk(
    phone,
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
