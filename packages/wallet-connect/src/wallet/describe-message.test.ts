import fc from 'fast-check'
import { expect, test } from 'vitest'
import messages from '../../vectors/any-messages.json' with { type: 'json' }
import reference from '../../vectors/reference.json' with { type: 'json' }
import { readAnyBase64 } from '../protocol/any-message.ts'
import { describeMessage } from './describe-message.ts'

const described = (b64: string) => describeMessage(readAnyBase64(b64) ?? expect.fail())

test('protocol 9.3: a transfer is described with sender, recipient and amount', () => {
  const { b64, from, to, amount, denom, typeUrl } = reference.send
  expect(described(b64)).toEqual({
    typeUrl,
    known: true,
    details: [
      { name: 'from', value: from },
      { name: 'to', value: to },
      { name: 'amount', value: `${amount} ${denom}` },
    ],
    inner: [],
  })
})

test("protocol 9.3: the messages of a group's proposal are described too", () => {
  const proposal = messages.vectors.find(({ typeUrl }) => typeUrl.endsWith('MsgSubmitProposal'))
  expect(described(proposal?.b64 ?? '')).toMatchObject({
    known: true,
    details: [
      { name: 'group' },
      { name: 'proposer' },
      { name: 'note', value: 'kick ass proposal' },
      { name: 'message', value: '/cosmos.bank.v1beta1.MsgSend' },
      { name: 'execute', value: '1' },
    ],
    inner: [
      { typeUrl: '/cosmos.bank.v1beta1.MsgSend', details: [{}, {}, { value: '100000 nhash' }] },
    ],
  })
})

test('protocol 9.3: staking is described with its validator', () => {
  const delegation = messages.vectors.find(({ typeUrl }) => typeUrl.endsWith('MsgDelegate'))
  expect(described(delegation?.b64 ?? '').details.map(({ name }) => name)).toEqual([
    'delegator',
    'validator',
    'amount',
  ])
})

test('an unknown message type or an unknown field is shown as bytes', () => {
  const value = Uint8Array.of(0x0a, 1, 0x61)
  const unknown = { known: false, details: [{ name: 'bytes', value: '0a0161' }], inner: [] }
  expect(describeMessage({ typeUrl: '/new.Msg', value })).toMatchObject(unknown)
  expect(describeMessage({ typeUrl: '__proto__', value })).toMatchObject(unknown)
  expect(
    describeMessage({
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: Uint8Array.of(0x4a, 1, 0x61),
    }).known,
  ).toBe(false)
  expect(
    describeMessage({
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: Uint8Array.of(0x0a, 1, 0x07),
    }).known,
  ).toBe(false)
})

test('describing any bytes never throws', () => {
  const kinds = [
    '/cosmos.bank.v1beta1.MsgSend',
    '/cosmos.group.v1.MsgSubmitProposal',
    '/cosmos.group.v1.MsgVote',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.uint8Array(),
      (typeUrl, value) => void describeMessage({ typeUrl, value }),
    ),
  )
})
