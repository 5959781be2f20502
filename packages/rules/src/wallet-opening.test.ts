import { expect, test } from 'vitest'
import { openingInQuery, type WalletOpening, walletOpening } from './wallet-opening.ts'

const token = (claims: object) =>
  `Bearer e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`
const opening = (query: string, stored?: string) =>
  walletOpening(new URLSearchParams(query), stored)

test('4.2 starts at Select', () => {
  expect(opening('', token({ addr: 'tp1me' }))).toEqual({ section: 'Select' })
  expect(opening('section=Other', token({ addr: 'tp1me' }))).toEqual({ section: 'Select' })
})

test('4.2 starts at Connect when connecting from an existing token', () => {
  expect(opening('section=Connect', token({ addr: 'tp1me' }))).toEqual({
    section: 'Connect',
    chosen: { walletAddress: 'tp1me' },
  })
  expect(opening('section=Connect', token({ addr: 'tp1me', grp: 'tp1group' }))).toEqual({
    section: 'Connect',
    chosen: { walletAddress: 'tp1me', groupPolicyAddress: 'tp1group' },
  })
})

test('5 no addr claim and no intended address is an error', () => {
  const missingAddress = { section: 'Select', error: 'missing-addr-claim' }
  expect(opening('section=Connect', token({}))).toEqual(missingAddress)
  expect(opening('section=Connect')).toEqual(missingAddress)
  expect(
    opening('section=Connect&walletAddress=tp1you', token({ addr: 'tp1me', grp: 'tp1g' })),
  ).toEqual({ section: 'Connect', chosen: { walletAddress: 'tp1you' } })
})

test('4.2 starts at Verify, with the wallet in the query or a new one', () => {
  expect(opening('section=Verify&walletAddress=tp1you')).toEqual({
    section: 'Verify',
    walletAddress: 'tp1you',
  })
  expect(opening('section=Verify')).toEqual({ section: 'Verify', walletAddress: undefined })
})

test.each<WalletOpening>([
  { section: 'Connect', chosen: { walletAddress: 'tp1me', groupPolicyAddress: 'tp1group' } },
  { section: 'Connect', chosen: { walletAddress: 'tp1me' } },
  { section: 'Verify', walletAddress: 'tp1me' },
  { section: 'Verify', walletAddress: undefined },
  { section: 'Select' },
])("4.2 a reload starts at the modal's position: %j", (position) => {
  const before = new URLSearchParams('redirectUrl=%2Fa&section=Connect&groupPolicyAddress=tp1old')
  const written = openingInQuery(before, position)
  expect(written.get('redirectUrl')).toBe('/a')
  expect(walletOpening(written, undefined)).toEqual(position)
})
