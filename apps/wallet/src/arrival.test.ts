import { expect, test } from 'vitest'
import { arrivalOf } from './arrival.ts'

test.each([
  ['', true, { kind: 'visit' }],
  ['event=walletconnect_event&address=tp1', true, { kind: 'request' }],
  ['event=walletconnect_disconnect', true, { kind: 'disconnect' }],
  ['wc=wc%3Atopic%401&event=walletconnect_init', true, { kind: 'connect', code: 'wc:topic@1' }],
  ['event=walletconnect_event', false, { kind: 'visit' }],
])('protocol 13: the frame is opened with %j', (query, framed, arrival) => {
  expect(arrivalOf(query, framed)).toEqual(arrival)
})

test('protocol 13: a connection from a link instead of one of our pages is ignored', () => {
  expect(arrivalOf('wc=wc%3Atopic%401', false)).toEqual({ kind: 'unsolicited' })
})
