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
      ['From', ONE],
      ['To', OTHER],
      ['Amount', '5 nhash'],
    ],
  ],
  [
    'Send to several',
    packed(MsgMultiSend, {
      inputs: [{ address: ONE, coins: NHASH }],
      outputs: [{ address: OTHER, coins: [] }],
    }),
    [
      ['From', `${ONE}: 5 nhash`],
      ['To', `${OTHER}: nothing`],
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
      ['Administrator', ONE],
      ['Member with weight 1', OTHER],
      ['Details', 'ours'],
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
      ['Details', '{"name":"Willow"}'],
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
])('protocol 9.3: %s is told with everything that is in it', (title, message, fields) => {
  expect(describeMessage(message)).toEqual([
    {
      level: 0,
      typeUrl: message.typeUrl,
      title,
      understood: true,
      fields: fields.map(([label, value]) => ({ label, value })),
    },
  ])
})

const proposed = (messages: Any[]): Any =>
  packed(
    MsgSubmitProposal,
    MsgSubmitProposal.fromPartial({ groupPolicyAddress: OTHER, proposers: [ONE], messages }),
  )

test('protocol 9.3: what is inside a proposal is told below it, and what is too deep as bytes', () => {
  const deep = proposed([proposed([proposed([proposed([SEND])])]), SEND])
  expect(describeMessage(deep).map(({ level, understood }) => [level, understood])).toEqual([
    [0, true],
    [1, true],
    [2, true],
    [3, true],
    [4, false],
    [1, true],
  ])
})

test('protocol 9.3: a message that holds more than its kind has is said not to be understood', () => {
  const { typeUrl, value } = SEND
  const more = Uint8Array.from([...value, 0x7a, 2, 104, 105])
  expect(describeMessage({ typeUrl, value: more })).toEqual([
    expect.objectContaining({
      understood: false,
      fields: [{ label: 'Bytes', value: Buffer.from(more).toString('hex') }],
    }),
  ])
  expect(describeMessage({ typeUrl, value: value.subarray(1) })[0]?.understood).toBe(false)
})

test('protocol 9.3: any bytes at all are described, and what is understood is the bytes themselves', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (value) => {
      for (const { typeUrl } of [MsgSend, MsgVote, MsgSubmitProposal, MsgCreateGroupWithPolicy]) {
        expect(describeMessage({ typeUrl, value }).length).toBeGreaterThan(0)
      }
      expect(describeBytes(value).kind).toMatch(/^(?:text|bytes|token|transaction)$/)
    }),
  )
})

test('protocol 9.1: a transaction handed over as a message is shown as one, whoever pays', () => {
  expect(describeBytes(documentOf([SEND]))).toMatchObject({
    kind: 'transaction',
    chainId: 'pio-testnet-1',
    memo: 'rent',
    fee: NHASH,
    gasLimit: '100',
    feePayer: ONE,
    feeGranter: OTHER,
    timeoutHeight: null,
    extensions: 0,
  })
})

test('protocol 9.1: a document with something that was skipped in it is no transaction but bytes', () => {
  for (const wrong of [{ body: [0x7a, 1, 1] }, { document: [0x7a, 1, 1] }]) {
    expect(describeBytes(documentOf([SEND], wrong)).kind).toBe('bytes')
  }
})

test('2.7 characters that nobody sees are written out wherever a stranger wrote them', () => {
  const [told] = describeMessage(
    packed(MsgSend, { fromAddress: ONE, toAddress: '\u202etp1', amount: [] }),
  )
  expect(told?.fields[1]).toEqual({ label: 'To', value: '\\u{202e}tp1' })
  expect(describeBytes(Buffer.from('a\u200bb')).kind).toBe('bytes')
})
