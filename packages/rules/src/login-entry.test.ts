import type { PageSession } from '@portico/contracts/page-data'
import { expect, test } from 'vitest'
import { loginEntry } from './login-entry.ts'

const session: PageSession = {
  email: 'ada@example.com',
  organizationCode: 'FIGURE',
  organizationName: 'Figure',
  profileType: 'CUSTOMER',
  signedInAt: 0,
  method: 'password',
}
const entry = (query: string, current: PageSession | null = session) =>
  loginEntry(current, new URLSearchParams(query))

test.each(['', 'flow=new-user', 'email=bob@example.com', 'redirectUrl=/loans'])(
  '4.4 without a session the login page is shown: %j',
  (query) => {
    expect(entry(query, null)).toEqual({ kind: 'show' })
  },
)

test.each([
  ['the flow is new-user', 'flow=new-user'],
  ['the flow is wholesale-new-user', 'flow=wholesale-new-user'],
  ['the email parameter differs', 'email=bob@example.com'],
  ['the email parameter is not an address', 'email=bob'],
])('4.4 with a session, log out when %s', (_, query) => {
  expect(entry(query)).toEqual({ kind: 'logOutFirst' })
})

test.each([
  ['', '/dashboard'],
  ['email=', '/dashboard'],
  ['email=%20', '/dashboard'],
  ['redirectUrl=/loans?a=b', '/loans?a=b'],
  ['redirectUrl=//evil.example', '/dashboard'],
  ['email=ada@example.com', '/dashboard'],
  ['email=%20ADA@Example.com', '/dashboard'],
  ['flow=wallet', '/dashboard'],
  ['redirectUrl=/portfolio', '/portfolio'],
])('4.4 otherwise navigate to the redirect target: %j leads to %s', (query, to) => {
  expect(entry(query)).toEqual({ kind: 'continue', to })
})

test.each([
  ['/portfolio', { kind: 'show' }],
  ['/portfolio/loans', { kind: 'show' }],
  ['/loans', { kind: 'continue', to: '/loans' }],
])('4.4 a broker heading to %s: %j', (redirectUrl, expected) => {
  const agent: PageSession = { ...session, profileType: 'AGENT' }
  expect(entry(new URLSearchParams({ redirectUrl }).toString(), agent)).toEqual(expected)
})

test('4.4 walletconnect=true opens the wallet connection for a user who is already signed in', () => {
  const to = '/loans?a=b'
  const query = new URLSearchParams({ walletconnect: 'true', redirectUrl: to }).toString()
  expect(entry(query)).toEqual({ kind: 'openWallet', to })
  expect(entry('walletconnect=false')).toEqual({ kind: 'continue', to: '/dashboard' })
})

test('an application can require another login, which does not end the earlier session', () => {
  expect(entry('prompt=login&redirectUrl=/loans')).toEqual({ kind: 'show' })
  expect(entry('prompt=login&email=bob@example.com')).toEqual({ kind: 'show' })
})
