import type { Behaviors } from '@portico/contracts/organization'
import { expect, test } from 'vitest'
import { isNewUserFlow, loginPage } from './login-page.ts'

const STANDARD: Behaviors = {
  loginHeading: 'standard',
  registerLink: 'shown',
  registerAt: 'legacy',
  signerLink: 'shown',
}
const page = (query = '', behaviors: Partial<Behaviors> = {}) =>
  loginPage('Acme', { ...STANDARD, ...behaviors }, new URLSearchParams(query))

test.each([
  ['standard', 'Log in to Acme'],
  ['heloc', 'Log in to your HELOC account with Acme'],
] as const)('2.3 the %s heading is %j', (loginHeading, heading) => {
  expect(page('', { loginHeading }).heading).toBe(heading)
})

test.each([
  ['new-user', true],
  ['wholesale-new-user', true],
  ['wallet', false],
  ['New-User', false],
  ['', false],
  [null, false],
])('9 the flow %j is a new-user flow: %s', (flow, expected) => {
  expect(isNewUserFlow(flow)).toBe(expected)
})

test.each<[string, string, Partial<Behaviors>, string | undefined]>([
  ['the legacy page', '', {}, '/account/heloc/register'],
  ['/register on some brands', '', { registerAt: 'register' }, '/auth/register'],
  [
    '/register when a redirectUrl exists',
    'redirectUrl=%2Floans',
    {},
    '/auth/register?redirectUrl=%2Floans',
  ],
  [
    'a fixed referrer for some partners',
    '',
    { registerReferrer: 'partner' },
    '/account/heloc/register?referrer=partner',
  ],
  [
    'a fixed referrer that no query can change',
    'referrer=other&label=apollo',
    { registerReferrer: 'partner', registerAt: 'register' },
    '/auth/register?referrer=partner&label=apollo',
  ],
  ['nowhere in new-user flows', 'flow=new-user', {}, undefined],
  ['nowhere for wholesale brands', '', { registerLink: 'hidden' }, undefined],
])("2.3 'Register here' goes to %s", (_, query, behaviors, href) => {
  expect(page(query, behaviors).registerHref).toBe(href)
})

test.each<[string, Partial<Behaviors>, boolean]>([
  ['', {}, true],
  ['flow=new-user', {}, false],
  ['', { signerLink: 'hidden' }, false],
])(
  '2.3 the signer link, hidden in new-user flows and for one credit brand: %j %j',
  (query, behaviors, shown) => {
    expect(page(query, behaviors).signerLink).toBe(shown)
  },
)

test.each([
  ['otp=true&email=ada@example.com', true],
  ['otp=true', false],
  ['otp=false&email=ada@example.com', false],
  ['otp=1&email=ada@example.com', false],
  ['email=ada@example.com', false],
])('3 otp (true triggers automatic code sending): %j %s', (query, sends) => {
  expect(page(query).sendsImmediately).toBe(sends)
})

test('3 email: the page starts with the address of the query', () => {
  expect(page('email=ada%40example.com').email).toBe('ada@example.com')
  expect(page().email).toBe('')
})

test('a mailed link offers a passcode, and sends none before a press', () => {
  const ask = { offersCode: true, sendsImmediately: false }
  expect(page('otp=ask&email=ada@example.com')).toMatchObject(ask)
  expect(page('otp=true&email=ada@example.com').offersCode).toBe(false)
})
