import { expect, test } from 'vitest'
import { AccountListItem, WalletAccount } from './wallet.ts'

const account = { name: 'Birch Holdings', address: 'tp1birch' }
const wallet = {
  address: 'tp1olga',
  name: 'Olga',
  type: 'FIGURE',
  authorizationType: 'Owner',
  verified: true,
}
const listed = (changes: object) =>
  AccountListItem.safeParse({ account, authorizedWallets: [{ ...wallet, ...changes }] }).success

test.each([
  'PROVENANCE',
  'FIGURE',
  'OLDNET',
  'SELF_CUSTODY',
  'INMEMORY',
  'ADNALES',
  'SUBSCRIBE',
  'UNKNOWN',
])('3 a wallet may be of type %s', (type) => {
  expect(listed({ type })).toBe(true)
  const own = { name: 'Olga', address: 'tp1olga', type, verified: true }
  expect(WalletAccount.parse(own)).toEqual(own)
})

test('3 a wallet signs as Owner, RBAC, Shared or Group; other values are refused', () => {
  for (const authorizationType of ['Owner', 'RBAC', 'Shared', 'Group']) {
    expect(listed({ authorizationType })).toBe(true)
  }
  expect(listed({ authorizationType: 'owner' })).toBe(false)
  expect(listed({ type: 'HARDWARE' })).toBe(false)
})
