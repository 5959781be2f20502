import { UNEXPECTED } from '@portico/shell/failure'
import type { ActQuestion, ConnectQuestion, Question } from '../question.ts'
import type { Event } from './approval.flow.ts'

const account = { name: 'Everyday', address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh' }
const group = { name: 'Larch Partners', address: 'tp1q8q0z0w0j7a2zq5n2v3e5l3h9u8' }
const origin = 'https://lender.example'
const by = { address: account.address, group: null, origin }

/** A page that wants to connect, to an account or to the group it may act for. */
export const connecting: ConnectQuestion = {
  id: 1,
  kind: 'connect',
  origin,
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

/** A page that wants a message signed. */
export const signing: ActQuestion = {
  id: 2,
  kind: 'act',
  origin,
  acting: { account, group: null },
  request: { kind: 'sign', ...by, messageHex: '6869' },
}

/** A page that wants a transaction sent. */
export const sending: ActQuestion = {
  ...signing,
  id: 3,
  request: { kind: 'send', ...by, messages: ['AAAA'] },
}

/** What may be asked. */
export const inputs: readonly Question[] = [
  connecting,
  { ...connecting, choices: [] },
  signing,
  sending,
]

/** What a question may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'told', asked: { approvalId: 'approval', words: { kind: 'text', text: 'hi' } } },
  { type: 'settled' },
  { type: 'disturbed' },
  { type: 'chosen', value: 'group' },
  { type: 'approved' },
  { type: 'rejected' },
  { type: 'given', result: { kind: 'sign', signature: '00' } },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'refused', failure: { notices: ['No'], reason: 'approval-over' } },
  { type: 'retried' },
  { type: 'unlocked' },
]
