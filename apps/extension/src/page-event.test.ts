import { expect, test } from 'vitest'
import { isReinitConnection, readPageEvent } from './page-event.ts'

const URI = 'wc:topic@1?bridge=https%3A%2F%2Frelay.example&key=00'

test.each([URI, encodeURIComponent(URI)])(
  'protocol 13: a start has a plain or an encoded uri',
  (uri) => {
    const detail = {
      event: 'walletconnect_init',
      uri,
      redirectUrl: 'https://page.example',
      duration: 5,
    }
    expect(readPageEvent(detail)).toEqual({ event: 'walletconnect_init', uri })
  },
)

test.each([
  'walletconnect_connect',
  'walletconnect_session_update',
  'walletconnect_event',
  'walletconnect_disconnect',
])('protocol 13: %s is forwarded without its data', (event) => {
  expect(readPageEvent({ event, data: { action: 'x' } })).toEqual({ event })
})

test('protocol 13: a reset has the timeout in milliseconds', () => {
  const event = 'resetConnectionTimeout'
  expect(readPageEvent({ event, data: 5000 })).toEqual({ event, timeoutMs: 5000 })
  for (const data of [-1, 0, Number.NaN, Number.POSITIVE_INFINITY, 1e12, '5000', {}]) {
    expect(readPageEvent({ event, data })).toEqual({ event })
  }
})

test.each([
  undefined,
  null,
  'walletconnect_init',
  {},
  { event: 'walletconnect_other' },
  { event: ['walletconnect_init'] },
  { event: { toString: (): string => 'walletconnect_init' } },
  new Proxy(
    {},
    {
      get() {
        throw new Error('hostile')
      },
    },
  ),
])('a page sends no other event (%#)', (detail) => {
  expect(readPageEvent(detail)).toBeUndefined()
})

test('fields of another type, or too long, are dropped', () => {
  const event = 'walletconnect_init'
  for (const uri of [5, {}, ['wc:'], `wc:${'x'.repeat(9000)}`]) {
    expect(readPageEvent({ event, uri })).toEqual({ event })
  }
})

test.each([
  'reinitConnection',
  { type: 'reinitConnection' },
  { event: 'reinitConnection' },
  { name: 'reinitConnection' },
])('4.1 a message event named reinitConnection restarts the connection (%#)', (data) => {
  expect(isReinitConnection(data)).toBe(true)
})

test.each([undefined, null, 'other', { type: 'other' }, { data: 'reinitConnection' }])(
  '4.1 other messages do not (%#)',
  (data) => {
    expect(isReinitConnection(data)).toBe(false)
  },
)
