import { expect, test } from 'vitest'
import { selectedCredentials, tokenClaims } from './token-claims.ts'

const token = (claims: object) =>
  `Bearer e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`

test('3 claims read: addr (individual address), grp (group address)', () => {
  expect(tokenClaims(token({ addr: 'tp1me', grp: 'tp1group', sub: 'ü' }))).toEqual({
    addr: 'tp1me',
    grp: 'tp1group',
  })
  expect(tokenClaims(token({ addr: 'tp1me' }))).toEqual({ addr: 'tp1me' })
  const origin = 'https://login.lender.example'
  expect(tokenClaims(token({ addr: 'tp1me', origin }))).toEqual({ addr: 'tp1me', origin })
})

test.each([undefined, '', 'Bearer', 'a.b.c', 'a.bnVsbA.c', token({ addr: 7, grp: '' })])(
  '3 the token %j has no claims',
  (text) => expect(tokenClaims(text)).toEqual({}),
)

test('4.2 a token selects an address, and a group if it has one', () => {
  expect(selectedCredentials(token({ addr: 'tp1me' }))).toEqual({ walletAddress: 'tp1me' })
  expect(selectedCredentials(token({ addr: 'tp1me', grp: 'tp1group' }))).toEqual({
    walletAddress: 'tp1me',
    groupPolicyAddress: 'tp1group',
  })
  expect(selectedCredentials(token({ grp: 'tp1group' }))).toBeUndefined()
})
