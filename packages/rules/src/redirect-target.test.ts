import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageReturnUrl, redirectTarget, returnTarget, withFragment } from './redirect-target.ts'

const refused = [
  undefined,
  null,
  '',
  'dashboard',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/%2f/evil.example/..',
  '/%2fevil.example',
  '/%5cevil.example',
  '/%09/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/./%2fevil.example',
  '/a/../%2f/evil.example',
  '/\u0000evil',
  '/%00',
  '/%',
  '//user:pass@evil.example',
  '/auth/login',
  '/auth/login/register?a=b',
  '/auth/logout',
  '/auth',
  '/auth/',
  `/${'a'.repeat(3000)}`,
  // Each is six characters long in the browser's encoding.
  `/${'é'.repeat(1000)}`,
]

test.each(refused)('5 redirect target %j becomes /dashboard', (requested) => {
  expect(redirectTarget(requested)).toBe('/dashboard')
})

test.each([
  ['/', '/'],
  ['/account/heloc', '/account/heloc'],
  ['/wallet?redirectUrl=%2Fdashboard#top', '/wallet?redirectUrl=%2Fdashboard#top'],
  ['/a/../b', '/b'],
  ['/auth/wallet/create-wallet', '/auth/wallet/create-wallet'],
  ['/auth/logins', '/auth/logins'],
  ['/dashboard?', '/dashboard?'],
  ['/dashboard?#', '/dashboard?#'],
  ['/user@host/path', '/user@host/path'],
  ['/?next=https://elsewhere.example', '/?next=https://elsewhere.example'],
  ['/loans?q=a%20b%26c', '/loans?q=a%20b%26c'],
  ['/loans?q=a b', '/loans?q=a%20b'],
  ['/loans?path=c:\\a', '/loans?path=c:\\a'],
  ['/loans?q=%zz&r=%2525#%', '/loans?q=%zz&r=%2525#%'],
])('5 redirect target %s is accepted as %s', (requested, target) => {
  expect(redirectTarget(requested)).toBe(target)
})

test('5 for any requested target, a browser stays on its own origin', () => {
  const devious = fc.stringMatching(/^[/\\.@:?#%0-9a-fjsx\t\n ]{0,30}$/)
  const targets = fc.oneof(
    devious,
    devious.map((rest) => `/${rest}`),
    fc.string(),
    fc.webUrl(),
    fc.string({ unit: 'binary' }).map((rest) => `/${rest}`),
  )
  fc.assert(
    fc.property(targets, (text) => {
      const target = redirectTarget(text)
      expect(target).toMatch(/^\/(?![/\\])/)
      expect(new URL(target, 'https://lender.example').origin).toBe('https://lender.example')
      expect(redirectTarget(target)).toBe(target)
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['/loans?a=b', '/auth/login', '#terms', '/loans?a=b#terms'],
  ['/loans', '/auth/login', '', '/loans'],
  ['/loans#own', '/auth/login', '#terms', '/loans#own'],
  ['/loans', '/auth/credit-karma/register', '#code=123456', '/loans'],
])('5 %s signed in to at %s%s leads to %s', (target, pathname, hash, to) => {
  expect(withFragment(target, { pathname, hash })).toBe(to)
})

test.each([
  ['https://lender.example/auth/wallet?a=1', '/auth/wallet?a=1'],
  ['/loans', '/loans'],
  ['https://lender.example.evil.example/loans', '/dashboard'],
  ['https://evil.example/loans', '/dashboard'],
  ['https://lender.example//evil.example', '/dashboard'],
  [null, '/dashboard'],
])('2.2 5 the page after a conversion: %s leads to %s', (requested, target) => {
  expect(returnTarget(requested, 'https://lender.example')).toBe(target)
})

test.each([
  ['https://shop.example/cart?step=2#pay', 'https://shop.example/other'],
  ['https://shop.example', 'https://shop.example'],
  ['http://localhost:3000/', 'http://localhost:3000/login'],
])('protocol 6: a wallet offers the way back to %s of the page %s', (requested, claimed) => {
  expect(pageReturnUrl(requested, claimed)).toBe(new URL(requested).href)
})

test.each([
  ['https://evil.example/', 'https://shop.example'],
  ['http://shop.example/', 'https://shop.example'],
  ['https://shop.example:8443/', 'https://shop.example'],
  ['https://shop.example@evil.example/', 'https://shop.example'],
  ['https://user:word@shop.example/', 'https://shop.example'],
  ['https://shop.example//evil.example', 'https://shop.example'],
  ['https://shop.example/%5cevil.example', 'https://shop.example'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['myapp://open', 'myapp://open'],
  ['data:text/html,x', 'data:text/html,x'],
  ['intent://x#Intent;scheme=https;end', 'intent://x'],
  ['/cart', 'https://shop.example'],
  ['', ''],
  ['https://shop.example/', ''],
])('protocol 6: a wallet offers no way back to %s of the page %s', (requested, claimed) => {
  expect(pageReturnUrl(requested, claimed)).toBeUndefined()
})
