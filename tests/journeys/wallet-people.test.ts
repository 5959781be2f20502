import { readHostedAccounts } from '@portico/contracts/hosted-wallet'
import {
  convertWallet,
  readAccountAccess,
  readAccounts,
  readWalletJwt,
  selectAccount,
} from '@portico/contracts/wallet'
import { expect, test } from 'vitest'
import type { Browser, Credentials } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { attach, aWalletOfWords } from '../support/test-wallet.ts'
import { aWorld, refusal } from '../support/world.ts'

const UNVERIFIED_WORDS =
  'abandon amount liar amount expire adjust cage candy arch gather drum buyer'

async function signedIn(who: Credentials) {
  const world = await aWorld()
  const browser = world.browser()
  await browser.signIn(who)
  return { world, browser }
}

/** Each account and the authorization of its first wallet. */
const listed = async (browser: Browser) =>
  (await browser.call(readAccounts, {})).map(({ account, authorizedWallets: [wallet] }) => [
    account.name,
    wallet?.authorizationType,
    wallet?.type,
    wallet?.verified,
  ])

function claimsOf(jwt: string): Record<string, unknown> {
  const [, payload = ''] = jwt.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
}

test('6 individual accounts are their own wallets; organizational ones are signed for', async () => {
  const { world, browser } = await signedIn(PEOPLE.organizations)
  await using _ = world
  expect(await listed(browser)).toEqual([
    ['Olga', 'Owner', 'FIGURE', true],
    ['Birch Holdings', 'RBAC', 'FIGURE', true],
    ['Delta Trust', 'Shared', 'FIGURE', true],
    ['Larch Partners', 'Group', 'FIGURE', true],
  ])
  const [own, ...organizations] = await browser.call(readAccounts, {})
  const address = own?.account.address ?? ''
  for (const { account, authorizedWallets } of organizations) {
    expect(account.address).not.toBe(address)
    expect(authorizedWallets).toEqual([
      { ...own?.authorizedWallets[0], authorizationType: authorizedWallets[0]?.authorizationType },
    ])
  }
  const several = world.browser()
  await several.signIn(PEOPLE.several)
  expect(await listed(several)).toEqual([
    ['Everyday', 'Owner', 'FIGURE', true],
    ['Savings', 'Owner', 'FIGURE', true],
  ])
})

test('6 for Owner, RBAC and Shared the credentials carry the wallet address; for Group the policy too', async () => {
  const { world, browser } = await signedIn(PEOPLE.organizations)
  await using _ = world
  const accounts = await browser.call(readAccounts, {})
  const walletAddress = accounts[0]?.account.address ?? ''
  const addressOf = (name: string) =>
    accounts.find(({ account }) => account.name === name)?.account.address ?? ''
  const group = addressOf('Larch Partners')
  const query = { walletAddress, groupPolicyAddress: group }
  const { jwt } = await browser.call(readWalletJwt, { query })
  expect(claimsOf(jwt)).toMatchObject({ addr: walletAddress, grp: group })
  const answer = await browser.fetch('/identity/secure/api/v1_1/identity', {
    headers: { authorization: `Bearer ${jwt}` },
  })
  expect(answer.headers.get('x-wallet-address')).toBe(walletAddress)
  expect(answer.headers.get('x-group-policy-address')).toBe(group)
  expect(await browser.call(readAccountAccess, { query: {} })).toMatchObject({
    account: { name: 'Larch Partners', address: group },
    authorizedWallet: { address: walletAddress, authorizationType: 'Group' },
  })
  for (const name of ['Birch Holdings', 'Delta Trust']) {
    const wrong = { walletAddress, groupPolicyAddress: addressOf(name) }
    expect(await refusal(browser.call(selectAccount, { body: wrong }))).toMatchObject({
      status: 403,
      code: 'account-not-authorized',
    })
  }
  // Choosing the individual again drops the group.
  const back = await browser.call(selectAccount, { body: { walletAddress } })
  expect(claimsOf(back.jwt)).not.toHaveProperty('grp')
})

test('4.2 an unverified wallet is refused with 403 until it has signed a nonce', async () => {
  const { world, browser } = await signedIn(PEOPLE.unverified)
  await using _ = world
  const wallet = await aWalletOfWords(world.clock.now, UNVERIFIED_WORDS)
  const query = { walletAddress: wallet.address }
  expect(await listed(browser)).toEqual([['My phone', 'Owner', 'SELF_CUSTODY', false]])
  expect(await refusal(browser.call(readWalletJwt, { query }))).toMatchObject({
    status: 403,
    code: 'wallet-not-verified',
  })
  const principal = { principal: wallet.address }
  expect(await refusal(browser.call(readAccountAccess, { query: principal }))).toMatchObject({
    code: 'account-not-authorized',
  })
  await attach(browser, wallet)
  expect(await listed(browser)).toEqual([['My phone', 'Owner', 'SELF_CUSTODY', true]])
  const { jwt } = await browser.call(readWalletJwt, { query })
  expect(claimsOf(jwt)).toMatchObject({ addr: wallet.address })
})

test('2.2 an old wallet is refused with 403, converted once with all its accounts, and used no more', async () => {
  const { world, browser } = await signedIn(PEOPLE.provenance)
  await using _ = world
  expect(await listed(browser)).toEqual([
    ['Everyday', 'Owner', 'PROVENANCE', true],
    ['Maple Estates', 'Shared', 'PROVENANCE', true],
  ])
  const [old] = await browser.call(readAccounts, {})
  const walletAddress = old?.account.address ?? ''
  const choose = () => browser.call(selectAccount, { body: { walletAddress } })
  await expect(choose()).rejects.toMatchObject({
    status: 403,
    message: 'Wallet type is no longer supported',
  })

  const racers = Array.from({ length: 20 }, () =>
    browser.call(convertWallet, { body: { walletAddress } }),
  )
  expect(await outcomes(racers)).toEqual({ answered: 1, 'wallet-not-convertible': 19 })
  expect(await listed(browser)).toEqual([
    ['Everyday', 'Owner', 'FIGURE', true],
    ['Maple Estates', 'Shared', 'FIGURE', true],
  ])
  const [hosted, ...others] = await browser.call(readHostedAccounts, {})
  expect(others).toEqual([])
  expect(hosted?.address).not.toBe(walletAddress)
  expect((await refusal(choose())).code).toBe('wallet-not-verified')
  await browser.call(selectAccount, { body: { walletAddress: hosted?.address ?? '' } })
})

test("2.2 another person's wallet, or one of another type, cannot be converted", async () => {
  const { world, browser } = await signedIn(PEOPLE.provenance)
  await using _ = world
  const [old] = await browser.call(readAccounts, {})
  const other = world.browser()
  await other.signIn(PEOPLE.individual)
  const [own] = await other.call(readAccounts, {})
  for (const address of [old?.account.address, own?.account.address]) {
    const body = { walletAddress: address ?? '' }
    expect((await refusal(other.call(convertWallet, { body }))).code).toBe('wallet-not-convertible')
  }
  expect(await listed(browser)).toHaveLength(2)
})
