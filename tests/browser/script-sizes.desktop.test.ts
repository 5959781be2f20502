import { builtKilobytes } from '../../bench/built-kilobytes.ts'
import {
  EXPERIMENTS_BUDGET_KB,
  experimentsKilobytes,
  MEASURED_PARTS as PAGE_PARTS,
} from '../../bench/client-sizes-figures.ts'
import { MOBILE_WALLET_KB } from '../../bench/page-figures.ts'
import {
  entryScripts,
  LOGIN_ALLOWANCE_KB,
  reactAlone,
  scriptsUntilUsable,
} from '../../bench/script-sizes.ts'
import {
  MODAL_BUDGET_KB,
  openedModal,
  MEASURED_PARTS as WALLET_PARTS,
} from '../../bench/wallet-sizes-figures.ts'
import { expect, test } from './support/portico.ts'

test('12 the login page needs at most React and 45 kB of scripts', async () => {
  expect(entryScripts('auth')).toBeLessThanOrEqual((await reactAlone()) + LOGIN_ALLOWANCE_KB)
})

test('12 the wallet modal, the mobile wallet and experiments keep their budgets', async ({
  baseURL,
}) => {
  expect(openedModal()).toBeLessThanOrEqual(MODAL_BUDGET_KB)
  expect(await scriptsUntilUsable(`${baseURL}/mobile-wallet`)).toBeLessThanOrEqual(MOBILE_WALLET_KB)
  expect(await experimentsKilobytes()).toBeLessThanOrEqual(EXPERIMENTS_BUDGET_KB)
})

test('12 each part whose size the benchmarks measure is in the build', () => {
  for (const part of [...PAGE_PARTS, ...WALLET_PARTS]) {
    expect(builtKilobytes('auth', part), part).toBeGreaterThan(0)
  }
})
