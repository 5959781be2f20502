import { expect, test } from 'vitest'
import { redirectPath } from './routes.ts'

test.each([
  ['/register/', '/register'],
  ['/wallet///', '/wallet'],
  ['/login/register', '/register'],
  ['/login/register/', '/register'],
  ['/nowhere', '/login'],
  ['', '/login'],
  // The server resolves routes too: a regular expression that backtracks at each slash would block it for minutes.
  [`${'/'.repeat(1_000_000)}x`, '/login'],
])('2.1 a path without a screen redirects: %.20s to %s', (path, screen) => {
  expect(redirectPath(path)).toBe(screen)
})
