import { expect, test } from 'vitest'
import { frameMessage } from './hosted-frame.ts'

const FRAME = {
  hosted: { authOrigins: ['https://sign-in.example'] },
  walletUrl: 'https://wallet.example/figure-wallet?wc=x',
  pageUrl: 'http://localhost:8080/start',
}

test('protocol 13: window_close removes the frame; it can also be minimized and restored', () => {
  expect(frameMessage('window_close', FRAME)).toEqual({ type: 'close' })
  expect(frameMessage('window_minimize', FRAME)).toEqual({ type: 'minimize' })
  expect(frameMessage('window_restore', FRAME)).toEqual({ type: 'restore' })
})

test.each([
  'https://wallet.example/login',
  'https://sign-in.example/start',
  'http://localhost:8080/auth/login',
])('7.4 authUrlReceived opens %s', (url) => {
  expect(frameMessage({ type: 'authUrlReceived', url }, FRAME)).toEqual({ type: 'openWindow', url })
})

test.each([
  'https://evil.example/login',
  'http://wallet.example/login',
  'https://wallet.example.evil.example/',
  'javascript:alert(1)',
  'not a url',
  '',
  undefined,
  7,
])('7.4 authUrlReceived does not open %j', (url) => {
  expect(frameMessage({ type: 'authUrlReceived', url }, FRAME)).toBeUndefined()
})

test.each([null, undefined, 7, [], {}, 'constructor', 'toString', { type: 'window_close' }])(
  'protocol 16.11: an unknown message, %j, is ignored',
  (data) => {
    expect(frameMessage(data, FRAME)).toBeUndefined()
  },
)
