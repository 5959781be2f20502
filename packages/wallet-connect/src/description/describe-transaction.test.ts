import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import {
  Exec,
  MsgCreateGroup,
  MsgCreateGroupWithPolicy,
  MsgExec,
  MsgLeaveGroup,
  MsgSubmitProposal,
  MsgUpdateGroupMembers,
  MsgVote,
} from 'cosmjs-types/cosmos/group/v1/tx'
import { ThresholdDecisionPolicy, VoteOption } from 'cosmjs-types/cosmos/group/v1/types'
import { AuthInfo, SignDoc, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeBytes } from './describe-bytes.ts'
import { describeMessage } from './describe-message.ts'
import { describeTransaction } from './describe-transaction.ts'
import { formatCoins } from './format-coins.ts'

const [ONE, OTHER] = ['tp1one', 'tp1other']
const NHASH = [{ denom: 'nhash', amount: '5' }]
const MEMBERS = [{ address: OTHER, weight: '1', metadata: '' }]

interface Codec<Message> {
  readonly typeUrl: string
  encode(message: Message): { finish(): Uint8Array }
}

const packed = <Message>(codec: Codec<Message>, message: Message): Any => ({
  typeUrl: codec.typeUrl,
  value: codec.encode(message).finish(),
})

const SEND = packed(MsgSend, { fromAddress: ONE, toAddress: OTHER, amount: NHASH })

const documentOf = (messages: Any[], wrong: { body?: number[]; document?: number[] } = {}) => {
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages, memo: 'rent' })).finish()
  const authInfoBytes = AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [{ sequence: 3n }],
      fee: { amount: NHASH, gasLimit: 100n, payer: ONE, granter: OTHER },
    }),
  ).finish()
  const document = SignDoc.encode({
    bodyBytes: Uint8Array.from([...bodyBytes, ...(wrong.body ?? [])]),
    authInfoBytes,
    chainId: 'pio-testnet-1',
    accountNumber: 7n,
  }).finish()
  return Uint8Array.from([...document, ...(wrong.document ?? [])])
}

test.each<[string, Any, [string, string][]]>([
  [
    'Send',
    SEND,
    [
      ['Amount', '0.000000005 hash'],
      ['From', ONE],
      ['To', OTHER],
    ],
  ],
  [
    'Send to several',
    packed(MsgMultiSend, {
      inputs: [{ address: ONE, coins: NHASH }],
      outputs: [{ address: OTHER, coins: [] }],
    }),
    [
      ['From', ONE],
      ['Amount', '0.000000005 hash'],
      ['To', OTHER],
      ['Amount', 'nothing'],
    ],
  ],
  [
    'Vote on a proposal',
    packed(MsgVote, {
      proposalId: 9n,
      voter: ONE,
      option: VoteOption.VOTE_OPTION_NO_WITH_VETO,
      metadata: '',
      exec: Exec.EXEC_TRY,
    }),
    [
      ['Proposal', '9'],
      ['Voter', ONE],
      ['Vote', 'no, with veto'],
      ['When accepted', 'carried out at once'],
    ],
  ],
  [
    'Carry out a proposal',
    packed(MsgExec, { proposalId: 9n, executor: ONE }),
    [
      ['Proposal', '9'],
      ['By', ONE],
    ],
  ],
  [
    'Leave a group',
    packed(MsgLeaveGroup, { address: ONE, groupId: 4n }),
    [
      ['Group', '4'],
      ['Member', ONE],
    ],
  ],
  [
    'Create a group',
    packed(MsgCreateGroup, { admin: ONE, members: MEMBERS, metadata: 'ours' }),
    [
      ['Details', 'ours'],
      ['Administrator', ONE],
      ['Member with weight 1', OTHER],
    ],
  ],
  [
    'Create a group that can act',
    packed(MsgCreateGroupWithPolicy, {
      admin: ONE,
      members: MEMBERS,
      groupMetadata: '',
      groupPolicyMetadata: '',
      groupPolicyAsAdmin: true,
      decisionPolicy: { typeUrl: '/policy', value: Uint8Array.of(1, 2) },
    }),
    [
      ['Administrator', ONE],
      ['Member with weight 1', OTHER],
      ['Administers itself', 'yes'],
      ['Decides by', '/policy 0102'],
    ],
  ],
  [
    'Create a group that can act',
    packed(MsgCreateGroupWithPolicy, {
      admin: ONE,
      members: MEMBERS,
      groupMetadata: '{"name":"Willow"}',
      groupPolicyMetadata: '',
      groupPolicyAsAdmin: false,
      decisionPolicy: packed(
        ThresholdDecisionPolicy,
        ThresholdDecisionPolicy.fromPartial({
          threshold: '2',
          windows: { votingPeriod: { seconds: 86_400n }, minExecutionPeriod: { seconds: 90n } },
        }),
      ),
    }),
    [
      ['Name', 'Willow'],
      ['Administrator', ONE],
      ['Member with weight 1', OTHER],
      ['Administers itself', 'no'],
      ['Decides by', 'votes of weight 2, given within 1 day, carried out after 90 s'],
    ],
  ],
  [
    'Change the members of a group',
    packed(MsgUpdateGroupMembers, { admin: ONE, groupId: 4n, memberUpdates: MEMBERS }),
    [
      ['Group', '4'],
      ['Administrator', ONE],
      ['Member with weight 1', OTHER],
    ],
  ],
])('protocol 9.3: %s is described completely', (title, message, fields) => {
  const [described] = describeMessage(message).messages
  expect(described).toMatchObject({
    level: 0,
    typeUrl: message.typeUrl,
    title,
    understood: true,
  })
  expect(
    described?.fields.map((field) => [
      field.label,
      field.kind === 'address' ? field.address : field.value,
    ]),
  ).toEqual(fields)
})

const proposedTo = (groupPolicyAddress: string, messages: Any[]): Any =>
  packed(
    MsgSubmitProposal,
    MsgSubmitProposal.fromPartial({ groupPolicyAddress, proposers: [ONE], messages }),
  )
const proposed = (messages: Any[]) => proposedTo(OTHER, messages)

test('protocol 9.3: messages inside a proposal are described below it, and too deeply nested ones as bytes', () => {
  const deep = proposed([proposed([proposed([proposed([SEND])])]), SEND])
  expect(
    describeMessage(deep).messages.map(({ level, understood }) => [level, understood]),
  ).toEqual([
    [0, true],
    [1, true],
    [2, true],
    [3, true],
    [4, false],
    [1, true],
  ])
})

test('protocol 9.3: a message with unknown fields is shown as not understood', () => {
  const { typeUrl, value } = SEND
  const more = Uint8Array.from([...value, 0x7a, 2, 104, 105])
  expect(describeMessage({ typeUrl, value: more })).toMatchObject({
    effect: 'Send a message this wallet does not recognize',
    messages: [
      {
        understood: false,
        fields: [
          { kind: 'data', label: 'Kind', value: typeUrl },
          { kind: 'data', label: 'Bytes', value: Buffer.from(more).toString('hex') },
        ],
      },
    ],
  })
  const cut = describeMessage({ typeUrl, value: value.subarray(1) })
  expect(cut.messages[0]?.understood).toBe(false)
  expect(cut.transfers).toBeUndefined()
})

test('protocol 9.3: any bytes are described, and an understood message encodes to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (value) => {
      for (const { typeUrl } of [MsgSend, MsgVote, MsgSubmitProposal, MsgCreateGroupWithPolicy]) {
        expect(describeMessage({ typeUrl, value }).messages.length).toBeGreaterThan(0)
      }
      expect(describeBytes(value).kind).toMatch(/^(?:text|bytes|token)$/)
    }),
  )
})

test('protocol 9.3: a transaction is described with its effect, its fee and who pays it', () => {
  const named = (address: string) => (address === OTHER ? 'Larch Partners' : undefined)
  expect(describeTransaction(documentOf([SEND]), named)?.words).toMatchObject({
    kind: 'transaction',
    effect: 'Send 0.000000005 hash to Larch Partners',
    amount: '0.000000005 hash',
    network: 'Provenance test network',
    memo: 'rent',
    fee: '0.000000005 hash',
    gasLimit: '100',
    feePayer: { address: ONE, name: null },
    feeGranter: { address: OTHER, name: 'Larch Partners' },
    timeoutHeight: null,
    extensions: 0,
  })
})

test('protocol 9.3: a document with unknown parts is not described as a transaction', () => {
  for (const wrong of [{ body: [0x7a, 1, 1] }, { document: [0x7a, 1, 1] }]) {
    expect(describeTransaction(documentOf([SEND], wrong))).toBeUndefined()
  }
})

test('2.7 invisible characters in untrusted text are escaped', () => {
  const description = describeMessage(
    packed(MsgSend, { fromAddress: ONE, toAddress: '\u202etp1', amount: [] }),
  )
  expect(description.messages[0]?.fields[2]).toMatchObject({ address: '\\u{202e}tp1' })
  expect(description.effect).toBe('Send nothing to \\u{202e}tp1')
  expect(describeBytes(Buffer.from('a\u200bb')).kind).toBe('bytes')
})

test.each<[string, Any[]]>([
  ['Send 0.000000005 hash to tp1other', [SEND]],
  ['Send 0.000000005 hash to tp1other, and 1 more', [SEND, SEND]],
  [
    'Propose to Larch Partners: send 0.000000005 hash to tp1other',
    [proposedTo('tp1larch', [SEND])],
  ],
  [
    'Create Audit Holdings',
    [
      packed(
        MsgCreateGroupWithPolicy,
        MsgCreateGroupWithPolicy.fromPartial({ groupMetadata: '{"name":"Audit Holdings"}' }),
      ),
    ],
  ],
  ['Vote yes on proposal 4', [packed(MsgVote, MsgVote.fromPartial({ proposalId: 4n, option: 1 }))]],
])('2.8 the title of an approval names the effect: %s', (effect, messages) => {
  const named = (address: string) => (address === 'tp1larch' ? 'Larch Partners' : undefined)
  expect(describeTransaction(documentOf(messages), named)?.words.effect).toBe(effect)
})

test('2.8 group metadata is shown entry by entry and never as JSON', () => {
  const groupMetadata = JSON.stringify({
    name: 'Willow',
    description: 'Ours',
    email: '',
    masterPolicy: true,
    more: { nested: ['one'] },
  })
  const [described] = describeMessage(
    packed(MsgCreateGroupWithPolicy, MsgCreateGroupWithPolicy.fromPartial({ groupMetadata })),
  ).messages
  expect(described?.fields).toEqual(
    expect.arrayContaining([
      { kind: 'text', label: 'Name', value: 'Willow' },
      { kind: 'text', label: 'Description', value: 'Ours' },
      { kind: 'data', label: 'Details: masterPolicy', value: 'true' },
      { kind: 'data', label: 'Details: more nested 0', value: 'one' },
    ]),
  )
  expect(
    JSON.stringify(described?.fields.map((field) => 'value' in field && field.value)),
  ).not.toContain('{')
})

test.each([
  ['25000000000', 'nhash', '25 hash'],
  ['1234567500000000', 'nhash', '1,234,567.5 hash'],
  ['1', 'nhash', '0.000000001 hash'],
  ['0', 'nhash', '0 hash'],
  ['1000', 'uusd', '1,000 uusd'],
  ['a lot', 'nhash', 'a lot nhash'],
])('2.8 %s %s is %s', (amount, denom, words) => {
  expect(formatCoins([{ amount, denom }])).toBe(words)
})

test.each<[string, Any[], number | undefined]>([
  ['a transfer', [SEND], 1],
  ['a transfer inside a proposal', [proposed([SEND, SEND])], 2],
  ['a vote, which may carry out a transfer', [packed(MsgVote, MsgVote.fromPartial({}))], undefined],
  ['an unknown message', [SEND, { typeUrl: '/new.Msg', value: new Uint8Array() }], undefined],
])(
  '7.4 the amount that %s takes from an account is known or reported as unknown',
  (_, messages, count) => {
    expect(describeTransaction(documentOf(messages))?.transfers?.length).toBe(count)
  },
)

test('2.8 the total is the sum of all messages and the fee, by denomination, and unknown if one of them is', () => {
  const other = packed(MsgSend, {
    fromAddress: ONE,
    toAddress: OTHER,
    amount: [{ denom: 'other', amount: '7' }],
  })
  const total = (...messages: Any[]) => describeTransaction(documentOf(messages))?.words.total
  expect(total(SEND)).toBe('0.00000001 hash')
  expect(total(SEND, other, SEND)).toBe('0.000000015 hash and 7 other')
  expect(total(SEND, { typeUrl: '/new.Msg', value: new Uint8Array() })).toBeNull()
  const proposal = packed(
    MsgSubmitProposal,
    MsgSubmitProposal.fromPartial({
      groupPolicyAddress: OTHER,
      proposers: [ONE],
      messages: [SEND, other],
      exec: Exec.EXEC_TRY,
    }),
  )
  expect(total(proposal)).toBe('0.00000001 hash and 7 other')
})
