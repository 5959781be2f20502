import { expect, test } from 'vitest'
import { groupPolicyAddress, moduleAddress } from './group-policy-address.ts'

// The first policies of real chains, as published, with their prefix.
test.each([
  [0, 'cosmos1q32tjg5qm3n9fj8wjgpd7gl98prefntrckjkyvh8tntp7q33zj0s5tkjrk'],
  [1, 'cosmos1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzsfwkgpd'],
  [2, 'cosmos1dlszg2sst9r69my4f84l3mj66zxcf3umcgujys30t84srg95dgvsmn3jeu'],
])('4.8 the address of group policy %i is derived as on a real chain', async (number, address) => {
  expect(await groupPolicyAddress(number, 'cosmos')).toBe(address)
})

test('the fee collector address is the same as on real chains', async () => {
  expect(await moduleAddress('fee_collector', 'cosmos')).toBe(
    'cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta',
  )
})
