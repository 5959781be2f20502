import { expect, test } from 'vitest'
import { cookieName, readCookie, writeCookie } from './cookies.ts'

test.each([
  ['a=1; name=value; b=2', 'value'],
  ['name=value', 'value'],
  ['name=a=b', 'a=b'],
  ['  name=value  ', 'value'],
  ['other-name=value', undefined],
  ['names=value', undefined],
  ['name=', undefined],
  ['name', undefined],
  ['', undefined],
  [undefined, undefined],
  ['NAME=value', undefined],
] as const)('9 the cookie in the header %j is %j', (header, value) => {
  expect(readCookie(header, 'name')).toBe(value)
})

test('9 a duplicate name counts as absent', () => {
  expect(readCookie('name=one; name=two', 'name')).toBeUndefined()
  expect(readCookie('name=one; name=one', 'name')).toBeUndefined()
})

test('9 cookies are HttpOnly and SameSite; over https Secure and bound to the host', () => {
  expect(writeCookie(cookieName('a', false), 'b', { secure: false })).toBe(
    'a=b; Path=/; HttpOnly; SameSite=Lax',
  )
  expect(writeCookie(cookieName('a', true), 'b', { secure: true, maxAgeS: 60 })).toBe(
    '__Host-a=b; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60',
  )
  expect(writeCookie('a', '', { secure: false, maxAgeS: 0 })).toContain('Max-Age=0')
})
