import { expect, test } from 'vitest'
import { sessionStart } from './session-start.ts'

const start = (query: string) => sessionStart(new URLSearchParams(query))

test('4.4 if walletconnect=true the wallet connect opens', () => {
  expect(start('walletconnect=true&redirectUrl=%2Floans')).toEqual({
    kind: 'openWallet',
    to: '/loans',
  })
})

test.each(['walletconnect=false', 'walletconnect=', 'walletconnect=TRUE'])(
  '4.4 %j opens no wallet',
  (query) => {
    expect(start(query).kind).toBe('continue')
  },
)

test.each([
  ['', '/dashboard'],
  ['redirectUrl=%2Floans%3Fa%3Db', '/loans?a=b'],
  ['redirectUrl=https%3A%2F%2Fevil.example', '/dashboard'],
  ['redirectUrl=%2Fauth%2Flogout', '/dashboard'],
])('4.4 otherwise the page goes to the redirect target: %j leads to %s', (query, to) => {
  expect(start(query)).toMatchObject({ kind: 'continue', to })
})

test('4.4 the query parameters are saved, except those that identify a user or grant access', () => {
  const named = 'email=a@b.example&otp=true&loginUuid=1&state=2&code=3&token=4&jwt=5'
  expect(start(`label=apollo&utm_source=mail&${named}`)).toEqual({
    kind: 'continue',
    to: '/dashboard',
    queryParams: { label: 'apollo', utm_source: 'mail' },
  })
})

test('4.4 a parameter named like an inherited property is kept', () => {
  const { queryParams } = start('__proto__=x') as { queryParams: Record<string, string> }
  expect(Object.keys(queryParams)).toEqual(['__proto__'])
})
