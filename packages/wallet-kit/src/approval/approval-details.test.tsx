import type { ApprovalDescription } from '@portico/contracts/hosted-wallet'
import { renderStatic } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { transfer } from './approval.samples.ts'
import { ApprovalDetailsView } from './approval-details.tsx'
import { formatDuration, timeOf } from './request-text.ts'

const shown = (words: ApprovalDescription) => renderStatic(<ApprovalDetailsView words={words} />)

test('a token is shown with its issuer, account and expiry', () => {
  const { text } = shown({
    kind: 'token',
    issuer: 'lender.example',
    address: 'tp1account',
    group: 'tp1group',
    issuedAt: 0,
    expiresAt: 1440,
  })
  expect(text).toBe(
    'Issued by lender.example For tp1account Acting for tp1group ' +
      'Issued 1970-01-01 00:00 UTC Expires 1970-01-01 00:24 UTC',
  )
})

test('unreadable bytes are labeled as such and can be inspected', () => {
  const { html, text } = shown({ kind: 'bytes', hex: 'deadbeef', length: 4 })
  expect(text).toContain('This data is not readable.')
  expect(html).toMatch(/<summary>What is signed, 4 bytes<\/summary>.*<code>deadbeef<\/code>/)
})

const [message] = transfer.messages
const transaction = {
  ...transfer,
  amount: '0.0001 hash',
  total: '0.3811 hash',
  messages: message === undefined ? [] : [{ ...message, fields: message.fields.slice(0, 1) }],
}

test('protocol 9.3: a transaction is shown message by message, with its fee', () => {
  const { text } = shown(transaction)
  expect(text).toBe(
    '0.3811 hash with the network fee Network fee 0.381 hash Network Provenance test network ' +
      'Show everything that is signed Gas limit 200000 Bytes c0ffee',
  )
})

test('protocol 9.3: a transaction that cannot be fully decoded shows a warning first', () => {
  const message = { level: 0, typeUrl: '/new.Msg', title: 'Unknown', understood: false, fields: [] }
  const warning = 'The wallet cannot read all of this transaction.'
  expect(shown({ ...transaction, messages: [message] }).text.startsWith(warning)).toBe(true)
  expect(shown({ ...transaction, extensions: 1 }).text.startsWith(warning)).toBe(true)
})

test('2.8 the total of all messages and the fee is the headline, or the fee if the total is not known', () => {
  const text = (changes: Partial<typeof transfer>) => shown({ ...transaction, ...changes }).text
  const headline = /^906\.381 hash with the network fee/
  expect(text({ fee: '906.381 hash', total: '906.381 hash' })).toMatch(headline)
  expect(text({ fee: '906.381 hash', total: null })).toMatch(/^906\.381 hash Network fee/)
  expect(text({ fee: 'nothing', total: null })).toMatch(/^None Network fee/)
})

test('2.8 a fee far above the network’s price is a warning that names both', () => {
  const { text } = shown({ ...transaction, fee: '906 hash', usualFee: '0.381 hash' })
  expect(text).toContain('The page has set a network fee of 906 hash.')
  expect(text).toContain('own price is about 0.381 hash.')
  expect(shown(transaction).text).not.toContain('The page has set')
})

test('6 a vote on a proposal that cannot be carried out says so', () => {
  const warning = 'This vote counts, but what the group agreed to cannot be carried out now.'
  expect(shown({ ...transaction, votesOnly: true }).text).toContain(warning)
  expect(shown(transaction).text).not.toContain('This vote counts')
})

test('content from a page is rendered as text, never as markup', () => {
  expect(shown({ kind: 'text', text: '<b>bold</b>' }).html).toContain('&lt;b&gt;bold&lt;/b&gt;')
})

test.each([
  [86_400, '1 day'],
  [172_800, '2 days'],
  [1440, '24 minutes'],
  [3600, '1 hour'],
  [5, '5 seconds'],
])('%d seconds are %s', (seconds, span) => {
  expect(formatDuration(seconds)).toBe(span)
})

test('an invalid time is shown unchanged', () => {
  expect(timeOf(1e20)).toBe('100000000000000000000')
})
