/** Messages of organizations with several members, and hostile bytes of every kind. */
import { MsgExec as AuthzExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgVote as GovernanceVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import { MsgVote as OldGovernanceVote } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import {
  Exec,
  MsgCreateGroup,
  MsgCreateGroupPolicy,
  MsgCreateGroupWithPolicy,
  MsgExec,
  MsgLeaveGroup,
  MsgSubmitProposal,
  MsgUpdateGroupMembers,
  MsgUpdateGroupPolicyDecisionPolicy,
  MsgVote,
  MsgWithdrawProposal,
} from 'cosmjs-types/cosmos/group/v1/tx'
import {
  PercentageDecisionPolicy,
  ThresholdDecisionPolicy,
  VoteOption,
} from 'cosmjs-types/cosmos/group/v1/types'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeMessage } from './describe-message.ts'

const [ONE, OTHER, GROUP] = ['tp1one', 'tp1other', 'tp1group']
const NHASH = [{ denom: 'nhash', amount: '5' }]

interface Codec<Message> {
  readonly typeUrl: string
  encode(message: Message): { finish(): Uint8Array }
}

const packed = <Message>(codec: Codec<Message>, message: Message): Any => ({
  typeUrl: codec.typeUrl,
  value: codec.encode(message).finish(),
})

const SEND = packed(MsgSend, { fromAddress: GROUP, toAddress: OTHER, amount: NHASH })

/** Bytes as the chain's own software writes them: the fields 1, 3, 4 and 5. */
const MARKER_TRANSFER: Any = {
  typeUrl: '/provenance.marker.v1.MsgTransferRequest',
  value: Buffer.from('\n\x0c\n\x05nhash\x12\x03500\x1a\x03tp1"\x04from*\x02to'),
}

const windows = { votingPeriod: { seconds: 172_800n, nanos: 0 } }
const threshold = packed(
  ThresholdDecisionPolicy,
  ThresholdDecisionPolicy.fromPartial({ threshold: '2', windows }),
)
const percentage = packed(
  PercentageDecisionPolicy,
  PercentageDecisionPolicy.fromPartial({ percentage: '0.5', windows }),
)

const vote = (fields: Partial<MsgVote> = {}) =>
  packed(
    MsgVote,
    MsgVote.fromPartial({
      proposalId: 12n,
      voter: ONE,
      option: VoteOption.VOTE_OPTION_YES,
      ...fields,
    }),
  )

const update = (memberUpdates: MsgUpdateGroupMembers['memberUpdates']) =>
  packed(MsgUpdateGroupMembers, { admin: GROUP, groupId: 4n, memberUpdates })

const member = (weight: string, address = OTHER, metadata = '') => ({ address, weight, metadata })

const MESSAGES: readonly (readonly [effect: string, message: Any])[] = [
  ['Vote yes on proposal 12 of Alder Holdings', vote({ exec: Exec.EXEC_TRY })],
  ['Vote no, with veto on proposal 13', vote({ proposalId: 13n, option: 4 })],
  ['Vote unknown (9) on proposal 12 of Alder Holdings', vote({ option: 9 as VoteOption })],
  ['Carry out proposal 12 of Alder Holdings', packed(MsgExec, { proposalId: 12n, executor: ONE })],
  [
    'Withdraw proposal 12 of Alder Holdings',
    packed(MsgWithdrawProposal, { proposalId: 12n, address: ONE }),
  ],
  ['Leave group 4', packed(MsgLeaveGroup, { address: ONE, groupId: 4n })],
  ['Add or change 2 members of group 4', update([member('1'), member('2', ONE)])],
  ['Remove 1 member of group 4', update([member('0')])],
  [
    'Add or change 1 member and remove 1 member of group 4',
    update([member('1'), member('0.0', ONE)]),
  ],
  ['Change nothing of group 4', update([])],
  [
    'Change how Alder Holdings decides',
    packed(MsgUpdateGroupPolicyDecisionPolicy, {
      admin: GROUP,
      groupPolicyAddress: GROUP,
      decisionPolicy: threshold,
    }),
  ],
  [
    'Create an account of group 4',
    packed(MsgCreateGroupPolicy, {
      admin: ONE,
      groupId: 4n,
      metadata: '',
      decisionPolicy: percentage,
    }),
  ],
  ['Create a group', packed(MsgCreateGroup, { admin: ONE, members: [], metadata: '' })],
  [
    'Create Alder',
    packed(
      MsgCreateGroupWithPolicy,
      MsgCreateGroupWithPolicy.fromPartial({ admin: ONE, groupMetadata: '{"name":"Alder"}' }),
    ),
  ],
  [
    'Propose to Alder Holdings: send 0.000000005 hash to tp1other',
    packed(
      MsgSubmitProposal,
      MsgSubmitProposal.fromPartial({
        groupPolicyAddress: GROUP,
        proposers: [ONE],
        messages: [SEND],
      }),
    ),
  ],
  [
    'Act with the permission of others: send 0.000000005 hash to tp1other',
    packed(AuthzExec, { grantee: ONE, msgs: [SEND] }),
  ],
  [
    'Vote no on proposal 7 of the chain',
    packed(
      GovernanceVote,
      GovernanceVote.fromPartial({ proposalId: 7n, voter: ONE, option: 3, metadata: 'why' }),
    ),
  ],
  [
    'Vote abstain on proposal 7 of the chain',
    packed(
      OldGovernanceVote,
      OldGovernanceVote.fromPartial({ proposalId: 7n, voter: ONE, option: 2 }),
    ),
  ],
  ['Transfer 0.0000005 hash to to', MARKER_TRANSFER],
  [
    'Send 0.000000005 hash to 2 recipients',
    packed(MsgMultiSend, {
      inputs: [{ address: ONE, coins: NHASH }],
      outputs: [
        { address: OTHER, coins: NHASH },
        { address: GROUP, coins: [] },
      ],
    }),
  ],
]

const describe = (message: Any) =>
  describeMessage(
    message,
    (address) => (address === GROUP ? 'Alder Holdings' : undefined),
    (proposal) => (proposal === '12' ? GROUP : undefined),
  )

test.each(MESSAGES)('protocol 9.3: %s', (effect, message) => {
  const described = describe(message)
  expect(described.effect).toBe(effect)
  expect(described.messages.every(({ understood }) => understood)).toBe(true)
})

test('2.8 who joins, who leaves and how a group decides is shown in full', () => {
  const fields = (message: Any) =>
    describe(message).messages[0]?.fields.map((field) => [
      field.label,
      field.kind === 'address' ? field.address : field.value,
    ])
  expect(fields(update([member('1', ONE, '{"name":"Ana"}'), member('0')]))).toEqual([
    ['Group', '4'],
    ['Administrator', GROUP],
    ['Member with weight 1', ONE],
    ['Name', 'Ana'],
    ['Remove', OTHER],
  ])
  const decides = (decisionPolicy: Any) =>
    fields(
      packed(MsgUpdateGroupPolicyDecisionPolicy, {
        admin: GROUP,
        groupPolicyAddress: GROUP,
        decisionPolicy,
      }),
    )?.find(([label]) => label === 'Decides by')?.[1]
  expect(decides(threshold)).toBe('votes of weight 2, given within 2 days')
  expect(decides(percentage)).toBe('votes of 0.5 of the total weight, given within 2 days')
  // A fraction of a second would not be visible.
  const fraction = { ...windows, votingPeriod: { seconds: 172_800n, nanos: 5 } }
  const odd = packed(
    ThresholdDecisionPolicy,
    ThresholdDecisionPolicy.fromPartial({ threshold: '2', windows: fraction }),
  )
  expect(decides(odd)).toMatch(/^\/cosmos\.group\.v1\.ThresholdDecisionPolicy [0-9a-f]+$/)
})

const byText = (one: string, other: string) => one.localeCompare(other)

test('7.4 what a vote, an execution or a change of control takes from accounts is unknown', () => {
  const unknown = MESSAGES.filter(([, message]) => describe(message).transfers === undefined)
  expect([...new Set(unknown.map(([, { typeUrl }]) => typeUrl))].toSorted(byText)).toEqual([
    '/cosmos.gov.v1.MsgVote',
    '/cosmos.gov.v1beta1.MsgVote',
    '/cosmos.group.v1.MsgCreateGroupPolicy',
    '/cosmos.group.v1.MsgExec',
    '/cosmos.group.v1.MsgLeaveGroup',
    '/cosmos.group.v1.MsgUpdateGroupMembers',
    '/cosmos.group.v1.MsgUpdateGroupPolicyDecisionPolicy',
    '/cosmos.group.v1.MsgVote',
    '/cosmos.group.v1.MsgWithdrawProposal',
  ])
  expect(describe(MARKER_TRANSFER).transfers).toEqual([
    { to: 'to', coins: [{ denom: 'nhash', amount: '500' }] },
  ])
  expect(describe(packed(AuthzExec, { grantee: ONE, msgs: [SEND] })).transfers).toHaveLength(1)
  const unknownInside = packed(AuthzExec, {
    grantee: ONE,
    msgs: [{ typeUrl: '/x', value: Uint8Array.of() }],
  })
  expect(describe(unknownInside).transfers).toBeUndefined()
})

test('protocol 9.3: a repeated, unknown, reordered or cut field makes a message unknown', () => {
  for (const [, { typeUrl, value }] of MESSAGES) {
    const hostile = [
      // A second, different first field: decoders take the last one.
      Uint8Array.from([...value, 0x0a, 1, 0x78]),
      Uint8Array.from([0x0a, 1, 0x78, ...value]),
      Uint8Array.from([...value, 0x7a, 1, 0x78]),
      Uint8Array.from([...value, 0xf8, 0x7f, 1]),
      value.subarray(0, -1),
    ]
    for (const bytes of hostile) {
      const { messages } = describe({ typeUrl, value: bytes })
      expect(messages[0]?.understood).toBe(false)
      expect(messages[0]?.fields.at(-1)).toEqual({
        kind: 'data',
        label: 'Bytes',
        value: Buffer.from(bytes).toString('hex'),
      })
    }
  }
})

test('protocol 9.3: changed bytes never throw, and are shown as they are or not understood', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...MESSAGES),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      ([, { typeUrl, value }], changes) => {
        const bytes = Uint8Array.from(value)
        for (const [at, byte] of changes) bytes[at % Math.max(bytes.length, 1)] = byte
        const { messages } = describe({ typeUrl, value: bytes })
        expect(messages.length).toBeGreaterThan(0)
      },
    ),
    { numRuns: 1000 },
  )
})
