import type { ApprovalDescription } from '@portico/contracts/hosted-wallet'
import { UNEXPECTED } from '@portico/shell/failure'
import type { ActRequest, ApprovalPrompt, ConnectRequest } from '../approval-prompt.ts'
import type { Event } from './approval.flow.ts'

const account = { name: 'Everyday', address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh' }
const group = { name: 'Larch Partners', address: 'tp1q8q0z0w0j7a2zq5n2v3e5l3h9u8' }
const origin = 'https://lender.example'
const by = { address: account.address, group: null }

/** A request to connect, with an account and a group to choose from. */
export const connecting: ConnectRequest = {
  id: '1',
  kind: 'connect',
  origin,
  waiting: 1,
  lifetimeS: 86_400,
  choices: [
    { value: 'own', account, group: null, request: { kind: 'connect', ...by } },
    {
      value: 'group',
      account,
      group,
      request: { kind: 'connect', ...by, group: group.address },
    },
  ],
}

/** A request to sign a message. */
export const signing: ActRequest = {
  id: '2',
  kind: 'act',
  origin,
  waiting: 1,
  acting: { account, group: null },
  request: { kind: 'sign', ...by, messageHex: '6869' },
}

/** A request to send a transaction. */
export const sending: ActRequest = {
  ...signing,
  id: '3',
  request: { kind: 'send', ...by, messages: ['AAAA'] },
}

/** The description of a transfer to an account that the user has named. */
export const transfer: Extract<ApprovalDescription, { kind: 'transaction' }> = {
  kind: 'transaction',
  effect: 'Send 25 hash to Larch Partners',
  amount: '25 hash',
  total: '25.381 hash',
  network: 'Provenance test network',
  messages: [
    {
      level: 0,
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      title: 'Send',
      understood: true,
      fields: [
        { kind: 'text', label: 'Amount', value: '25 hash' },
        { kind: 'address', label: 'To', address: `tp1${'q'.repeat(58)}`, name: 'Larch Partners' },
      ],
    },
  ],
  fee: '0.381 hash',
  usualFee: null,
  votesOnly: false,
  gasLimit: '200000',
  feePayer: null,
  feeGranter: null,
  memo: '',
  timeoutHeight: null,
  extensions: 0,
  hex: 'c0ffee',
}

export const inputs: readonly ApprovalPrompt[] = [
  connecting,
  { ...connecting, choices: [] },
  signing,
  sending,
]

const TEXT = { kind: 'text', text: 'hi' } as const
const BYTES = { kind: 'bytes', hex: '00', length: 1 } as const

/** One event of each kind. */
export const events: readonly Event[] = [
  { type: 'approvalCreated', approval: { approvalId: 'approval', words: TEXT, proof: null } },
  {
    type: 'approvalCreated',
    approval: { approvalId: 'approval', words: TEXT, proof: 'new-recipient' },
  },
  { type: 'approvalCreated', approval: { approvalId: 'approval', words: BYTES, proof: null } },
  { type: 'settled' },
  { type: 'disturbed' },
  { type: 'endSeen' },
  { type: 'riskAnswered', accepted: true },
  { type: 'feeAnswered', accepted: true },
  { type: 'proven' },
  { type: 'proofCancelled' },
  { type: 'chosen', value: 'group' },
  { type: 'approved' },
  { type: 'rejected' },
  { type: 'acknowledged' },
  { type: 'resultReceived', result: { kind: 'sign', signature: '00' } },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'refused', failure: { notices: ['No'], reason: 'approval-over' } },
  { type: 'refused', failure: { notices: ['No'], reason: 'approval-unproven' } },
  { type: 'retried' },
  { type: 'locked' },
  { type: 'unlocked' },
]
