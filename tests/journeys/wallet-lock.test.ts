/** The hosted wallet's lock (2.8): stored with the session, opened by a confirmation. */
import { confirmIdentity, readSecurity } from '@portico/contracts/account-security'
import {
  approveRequest,
  lockHostedWallet,
  readHostedAccounts,
  rejectRequest,
  renameHostedAccount,
  requestApproval,
  restoreHostedAccount,
} from '@portico/contracts/hosted-wallet'
import { readIdentity } from '@portico/contracts/identity'
import { HOSTED_WALLET_IDLE_MS, MAX_HOSTED_WALLET_OPEN_MS } from '@portico/contracts/limits'
import { createHostedAccount } from '@portico/contracts/wallet'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { aWorld, refusal } from '../support/world.ts'

const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

async function hosted() {
  const world = await aWorld()
  const browser = world.browser()
  await browser.signIn(PEOPLE.organizations)
  const [account] = await browser.call(readHostedAccounts, {})
  if (account === undefined) throw new Error('The person has no hosted account')
  return { world, browser, address: account.address }
}

const code = async (call: Promise<unknown>) => (await refusal(call)).code
const ask = (browser: Browser, address: string) =>
  browser.call(requestApproval, { body: { kind: 'sign', address, messageHex: '00' } })
const confirm = (browser: Browser) =>
  browser.call(confirmIdentity, { body: { password: PEOPLE.organizations.password } })

test('2.8 a locked wallet shows and signs nothing until its owner confirms who they are', async () => {
  const { world, browser, address } = await hosted()
  await using _ = world
  const { approvalId } = await ask(browser, address)
  await browser.call(lockHostedWallet, {})

  const refused = [
    () => browser.call(readHostedAccounts, {}),
    () => browser.call(renameHostedAccount, { body: { address, name: 'Other' } }),
    () => browser.call(restoreHostedAccount, { body: { name: 'Other', words: WORDS } }),
    () => ask(browser, address),
    () => browser.call(approveRequest, { body: { approvalId } }),
  ]
  for (const attempt of refused) expect(await code(attempt())).toBe('wallet-locked')
  // The rest of the session still works.
  await browser.call(readIdentity, {})

  const wrong = browser.call(confirmIdentity, { body: { password: 'not-this-one' } })
  expect(await code(wrong)).toBe('wrong-password')
  expect(await code(ask(browser, address))).toBe('wallet-locked')
  await confirm(browser)
  expect(await browser.call(approveRequest, { body: { approvalId } })).toMatchObject({
    kind: 'sign',
  })
  const { events } = await browser.call(readSecurity, {})
  expect(events.map(({ kind }) => kind)).toContain('hosted-wallet-locked')
})

test('2.8 an earlier request can be rejected while the wallet is locked', async () => {
  const { world, browser, address } = await hosted()
  await using _ = world
  const { approvalId } = await ask(browser, address)
  await browser.call(lockHostedWallet, {})
  await browser.call(rejectRequest, { body: { approvalId } })
  await confirm(browser)
  expect(await code(browser.call(approveRequest, { body: { approvalId } }))).toBe('approval-over')
})

test('2.8 only the user’s actions keep the wallet open: it locks after ten minutes of reads and requests', async () => {
  const { world, browser, address } = await hosted()
  await using _ = world
  world.clock.pass(HOSTED_WALLET_IDLE_MS - 1000)
  await browser.call(readHostedAccounts, {})
  const { approvalId } = await ask(browser, address)
  world.clock.pass(2000)
  expect(await code(browser.call(readHostedAccounts, {}))).toBe('wallet-locked')
  expect(await code(browser.call(approveRequest, { body: { approvalId } }))).toBe('wallet-locked')
  expect(await code(ask(browser, address))).toBe('wallet-locked')
  await confirm(browser)
  for (let passed = 0; passed < 3; passed++) {
    world.clock.pass(HOSTED_WALLET_IDLE_MS - 1000)
    const pending = await ask(browser, address)
    await browser.call(approveRequest, { body: { approvalId: pending.approvalId } })
  }
})

test('2.8 however much it is used, the wallet locks an hour after its owner’s last proof', async () => {
  const { world, browser, address } = await hosted()
  await using _ = world
  const stepMs = HOSTED_WALLET_IDLE_MS - 1000
  let approved = 0
  for (let passed = stepMs; passed < MAX_HOSTED_WALLET_OPEN_MS; passed += stepMs) {
    world.clock.pass(stepMs)
    const { approvalId } = await ask(browser, address)
    await browser.call(approveRequest, { body: { approvalId } })
    approved += 1
  }
  expect(approved).toBe(6)
  world.clock.pass(stepMs)
  expect(await code(ask(browser, address))).toBe('wallet-locked')
  await confirm(browser)
  await ask(browser, address)
})

test('2.8 the lock belongs to one session: another one of the same person is not locked', async () => {
  const { world, browser, address } = await hosted()
  await using _ = world
  const other = world.browser()
  await other.signIn(PEOPLE.organizations)
  await browser.call(lockHostedWallet, {})
  await ask(other, address)
  expect(await code(ask(browser, address))).toBe('wallet-locked')
})

test('2.8 a locked wallet does not prevent creating an account on our own page', async () => {
  const { world, browser } = await hosted()
  await using _ = world
  await browser.call(lockHostedWallet, {})
  await browser.call(createHostedAccount, { body: { name: 'Rainy days' } })
  await confirm(browser)
  const accounts = await browser.call(readHostedAccounts, {})
  expect(accounts.map(({ name }) => name)).toContain('Rainy days')
})
