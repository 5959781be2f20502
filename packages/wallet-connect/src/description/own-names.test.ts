import { expect, test } from 'vitest'
import { ownNamed, ownNames } from './own-names.ts'

const EVERYDAY = { name: 'Everyday', address: 'tp1own' }
const SAVINGS = { name: 'Savings', address: 'tp1savings' }
const accounts = [EVERYDAY, SAVINGS]

test('approvals show the names of own accounts, in any case of the address, and no others', () => {
  const nameOf = ownNames(accounts)
  expect(['tp1own', 'TP1OWN', 'tp1savings', 'tp1other'].map(nameOf)).toEqual([
    'Everyday',
    'Everyday',
    'Savings',
    undefined,
  ])
})

test('the group of the request has its name', () => {
  expect(ownNames(accounts, { name: 'Larch Partners', address: 'tp1Group' })('tp1group')).toBe(
    'Larch Partners',
  )
})

test.each(['Everyday', ' EVERYDAY ', 'Every day', 'Ｅveryday', 'every\u0064ay'])(
  'a group named like an own account (%j) has no name',
  (name) => {
    const nameOf = ownNames(accounts, { name, address: 'tp1group' })
    expect(nameOf('tp1group')).toBeUndefined()
    expect(nameOf('tp1own')).toBe('Everyday')
  },
)

test('a group cannot rename an own account', () => {
  const nameOf = ownNames(accounts, { name: 'Landlord', address: 'tp1own' })
  expect(nameOf('tp1own')).toBe('Everyday')
})

test.each([
  ['an own account', 'EVERYDAY', ''],
  ['another group', 'larch  partners', ''],
  ['none of them', 'Alder Holdings', 'Alder Holdings'],
])('a group named like %s (%j) is shown as %j', (_, name, shown) => {
  const larch = { name: 'Larch Partners', address: 'tp1larch' }
  const group = { name, address: 'tp1group' }
  const own = [
    { ...EVERYDAY, groups: [group] },
    { ...SAVINGS, groups: [group, larch] },
  ]
  expect(ownNamed(own, 'tp1group')).toEqual({ name: shown, address: 'tp1group' })
  expect(ownNamed(own, EVERYDAY.address)).toEqual(EVERYDAY)
  expect(ownNames(own, group)('tp1group') ?? '').toBe(shown)
})

test('a group that none of the accounts may act for has no name', () => {
  expect(ownNamed(accounts, 'tp1group')).toEqual({ name: '', address: 'tp1group' })
})
