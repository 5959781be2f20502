import { expect, test } from 'vitest'
import { loginAgain } from './login-again.ts'

test.each([
  ['/auth/wallet', '?a=b', '/auth/login?redirectUrl=%2Fauth%2Fwallet%3Fa%3Db'],
  ['/auth/wallet/create-figure', '', '/auth/login?redirectUrl=%2Fauth%2Fwallet%2Fcreate-figure'],
  ['/dashboard/security', '', '/auth/login?redirectUrl=%2Fdashboard%2Fsecurity'],
  ['/auth/register', '?email=a', '/auth/login'],
  ['/auth/wallets', '', '/auth/login'],
  ['', '', '/auth/login'],
])('2.2 after a session that ended at %s%s the login is at %s', (pathname, search, to) => {
  expect(loginAgain({ pathname, search })).toBe(to)
})
