import type { AccountListItem, AuthorizationType } from '@portico/contracts/wallet'
import { expect, test } from 'vitest'
import { accountSections, signerText } from './account-sections.ts'

function item(name: string, authorizationType: AuthorizationType): AccountListItem {
  const wallet = { address: 'tp1wallet', name: 'Olga', type: 'FIGURE', verified: true } as const
  return {
    account: { name, address: `tp1${name}` },
    authorizedWallets: [{ ...wallet, authorizationType }],
  }
}

test('6 Owner is individual; RBAC, Shared and Group are organizational', () => {
  const { individual, organizational } = accountSections([
    item('olga', 'Owner'),
    item('birch', 'RBAC'),
    item('delta', 'Shared'),
    item('larch', 'Group'),
  ])
  expect(individual.map(({ account }) => account.name)).toEqual(['olga'])
  expect(organizational.map(({ account }) => account.name)).toEqual(['birch', 'delta', 'larch'])
})

test('3 an account with two authorized wallets appears as two choices', () => {
  const one = item('birch', 'RBAC')
  const [wallet] = item('birch', 'Shared').authorizedWallets
  const both = {
    ...one,
    authorizedWallets: [...one.authorizedWallets, ...(wallet ? [wallet] : [])],
  }
  expect(accountSections([both]).organizational).toHaveLength(2)
})

test.each([
  ['Owner', 'Owner'],
  ['RBAC', 'Signing as Olga'],
  ['Shared', 'Signing as Olga'],
  ['Group', 'Signing as Olga'],
] as const)(
  "2.7 owner wallets show 'Owner'; others show 'Signing as {name}': %s",
  (type, words) => {
    const [choice] = Object.values(accountSections([item('birch', type)])).flat()
    expect(choice && signerText(choice)).toBe(words)
  },
)
