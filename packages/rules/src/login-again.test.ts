import { expect, test } from 'vitest'
import { loginAgain, loginByCode } from './login-again.ts'

test.each([
  ['/auth/wallet', '?a=b', '/auth/login?redirectUrl=%2Fauth%2Fwallet%3Fa%3Db'],
  ['/auth/wallet/create-figure', '', '/auth/login?redirectUrl=%2Fauth%2Fwallet%2Fcreate-figure'],
  ['/dashboard/security', '', '/auth/login?redirectUrl=%2Fdashboard%2Fsecurity'],
  [
    '/auth/gatekeeper',
    '?intent=kyc',
    '/auth/login?redirectUrl=%2Fauth%2Fgatekeeper%3Fintent%3Dkyc',
  ],
  ['/console/people', '?q=a', '/auth/login?redirectUrl=%2Fconsole%2Fpeople%3Fq%3Da'],
  ['/universal-passport', '', '/auth/login?redirectUrl=%2Funiversal-passport'],
  ['/auth/register', '?email=a', '/auth/login'],
  ['/auth/wallets', '', '/auth/login'],
  ['', '', '/auth/login'],
])('2.2 after a session has ended at %s%s the login is at %s', (pathname, search, to) => {
  expect(loginAgain({ pathname, search, hash: '' })).toBe(to)
})

test('2.2 the fragment is part of the return target', () => {
  const here = { pathname: '/dashboard/security', search: '?a=b', hash: '#passkeys' }
  expect(loginAgain(here)).toBe(
    '/auth/login?redirectUrl=%2Fdashboard%2Fsecurity%3Fa%3Db%23passkeys',
  )
})

test.each([
  ['', 'email=ada%40example.com&otp=true&flow=new-user'],
  ['?flow=wallet', 'flow=new-user&email=ada%40example.com&otp=true'],
  [
    '?flow=wholesale-new-user&step=2&loginUuid=x&redirectUrl=%2Floans%3Fa%3Db%26c',
    'flow=wholesale-new-user&redirectUrl=%2Floans%3Fa%3Db%26c&email=ada%40example.com&otp=true',
  ],
])(
  '2.4 a registration at %s after the end of the session continues with a code',
  (search, query) => {
    expect(loginByCode({ search }, 'ada@example.com')).toBe(`/auth/login?${query}`)
  },
)
