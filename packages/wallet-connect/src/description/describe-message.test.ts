import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import messages from '../../vectors/any-messages.json' with { type: 'json' }
import reference from '../../vectors/reference.json' with { type: 'json' }
import { type AnyMessage, readAnyBase64 } from '../protocol/any-message.ts'
import { describeMessage } from './describe-message.ts'

const described = (b64: string) => describeMessage(readAnyBase64(b64) ?? expect.fail()).messages

const vector = (name: string) =>
  messages.vectors.find(({ typeUrl }) => typeUrl.endsWith(name)) ?? expect.fail()

const isUnderstood = (message: AnyMessage) => describeMessage(message).messages[0]?.understood

test('protocol 9.3: a transfer is described with sender, recipient and amount', () => {
  const { b64, from, to, typeUrl } = reference.send
  expect(described(b64)).toEqual([
    {
      level: 0,
      typeUrl,
      title: 'Send',
      understood: true,
      fields: [
        { kind: 'text', label: 'Amount', value: '0.0001 hash' },
        { kind: 'address', label: 'From', address: from, name: null },
        { kind: 'address', label: 'To', address: to, name: null },
      ],
    },
  ])
})

test("protocol 9.3: the messages of a group's proposal are described too", () => {
  expect(described(vector('MsgSubmitProposal').b64)).toMatchObject([
    {
      understood: true,
      fields: [
        { label: 'Group' },
        { label: 'Proposed by' },
        { label: 'Details', value: 'kick ass proposal' },
        { label: 'When accepted', value: 'carried out at once' },
      ],
    },
    {
      level: 1,
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      fields: [{ value: '0.0001 hash' }, {}, {}],
    },
  ])
})

test('protocol 9.3: staking is described with its validator', () => {
  const { b64, typeUrl } = vector('MsgDelegate')
  const [delegation] = described(b64)
  expect(delegation).toMatchObject({ typeUrl, title: 'Delegate', understood: true })
  expect(delegation?.fields.map(({ label }) => label)).toEqual(['Amount', 'Delegator', 'Validator'])
  // It is not known what a delegation takes from an account, so the hosted wallet asks for a confirmation.
  expect(describeMessage(readAnyBase64(b64) ?? expect.fail()).transfers).toBeUndefined()
})

test('protocol 9.3: staking of no coin or of several coins is shown as bytes', () => {
  const coin = { denom: 'nhash', amount: '5' }
  for (const amount of [[], [coin, coin]]) {
    const value = MsgSend.encode({ fromAddress: 'tp1', toAddress: 'tpvaloper1', amount }).finish()
    expect(isUnderstood({ typeUrl: '/cosmos.staking.v1beta1.MsgDelegate', value })).toBe(false)
  }
})

test('an unknown message type or an unknown field is shown as bytes', () => {
  const value = Uint8Array.of(0x0a, 1, 0x61)
  expect(describeMessage({ typeUrl: '/new.Msg', value }).messages).toMatchObject([
    { understood: false, fields: [{ value: '/new.Msg' }, { label: 'Bytes', value: '0a0161' }] },
  ])
  expect(isUnderstood({ typeUrl: '__proto__', value })).toBe(false)
  const typeUrl = '/cosmos.bank.v1beta1.MsgSend'
  expect(isUnderstood({ typeUrl, value: Uint8Array.of(0x4a, 1, 0x61) })).toBe(false)
})

test('a control character in a field is escaped', () => {
  const typeUrl = '/cosmos.bank.v1beta1.MsgSend'
  const { messages: shown } = describeMessage({ typeUrl, value: Uint8Array.of(0x0a, 1, 0x07) })
  expect(shown[0]?.fields[1]).toMatchObject({ label: 'From', address: '\\u{7}' })
})

test('describing any bytes never throws', () => {
  const kinds = [
    '/cosmos.bank.v1beta1.MsgSend',
    '/cosmos.group.v1.MsgSubmitProposal',
    '/cosmos.group.v1.MsgVote',
    '/cosmos.staking.v1beta1.MsgDelegate',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.uint8Array(),
      (typeUrl, value) => void describeMessage({ typeUrl, value }),
    ),
  )
})
