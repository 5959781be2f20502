import { encodeAddress } from '@portico/keys/address'
import { expect, test } from 'vitest'
import { memberAddressError, membershipError } from './organization-members.ts'

const address = (byte: number, prefix = 'tp') =>
  encodeAddress({ prefix, bytes: new Uint8Array(20).fill(byte) })
const [ONE, TWO] = [address(1), address(2)]
const GROUP = encodeAddress({ prefix: 'tp', bytes: new Uint8Array(32).fill(3) })

test.each([
  ['  ', "Please enter the member's address."],
  ['tp1nobody', 'This is not a valid address. Compare it with the one you were given.'],
  [`${TWO.slice(0, -1)}x`, /^This is not a valid address/],
  [address(2, 'pb'), 'This address belongs to another network. Addresses on yours begin with tp1.'],
  [ONE, 'This address is already a member.'],
  [GROUP, /^This is the address of an organization/],
  [ONE.toUpperCase(), 'This address is already a member.'],
  [` ${TWO} `, undefined],
])('6 a member with the address %j: %s', (text, error) => {
  const found = memberAddressError(text, { others: [ONE], prefix: 'tp' })
  if (error === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(error)
})

test('6 an organization has up to 20 members, of whom at most all must agree', () => {
  const of = (count: number, threshold: number) =>
    membershipError(
      Array.from({ length: count }, (_, index) => address(index)),
      { threshold, prefix: 'tp' },
    )
  expect(of(1, 1)).toBeUndefined()
  expect(of(20, 20)).toBeUndefined()
  expect(of(21, 1)).toBe('An organization has at most 20 members.')
  expect(of(3, 4)).toBe('More members would have to agree than the organization has.')
  expect(membershipError([ONE, TWO, ONE], { threshold: 1, prefix: 'tp' })).toMatch(/already/)
})
