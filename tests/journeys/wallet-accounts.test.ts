import {
  readHostedAccounts,
  renameHostedAccount,
  restoreHostedAccount,
} from '@portico/contracts/hosted-wallet'
import { readIdentity } from '@portico/contracts/identity'
import {
  attachWallet,
  createHostedAccount,
  GROUP_POLICY_ADDRESS_HEADER,
  readAccountAccess,
  readAccounts,
  readWalletAccounts,
  readWalletJwt,
  readWalletNonce,
  selectAccount,
  WALLET_ADDRESS_HEADER,
} from '@portico/contracts/wallet'
import { bytesOfHex } from '@portico/keys/bytes'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { attach, aWallet, walletHeaders } from '../support/test-wallet.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

/** Published words, and the address of their first testnet key (protocol 17.2). */
const WORDS =
  'bleak alpha bunker give message direct powder general issue awesome animal ice entry parade invest sausage tragic away nuclear gaze learn during crew benefit'
const ADDRESS_OF_WORDS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const IDENTITY = '/identity/secure/api/v1/identity'
const HALF_A_LIFE_MS = 13 * 60 * 1000

/** A signed-in person in a new world. */
async function signedIn() {
  const owner = newPerson('holder')
  const world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  return { world, browser, owner }
}

const code = async (call: Promise<unknown>) => (await refusal(call)).code

function claimsOf(browser: Browser): Record<string, unknown> {
  const [, payload = ''] = (browser.jwt.read() ?? '').split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
}

async function identityHeaders(browser: Browser): Promise<(string | null)[]> {
  const { headers } = await browser.fetch(IDENTITY, {
    headers: { authorization: browser.jwt.read() ?? '' },
  })
  return [headers.get(WALLET_ADDRESS_HEADER), headers.get(GROUP_POLICY_ADDRESS_HEADER)]
}

test('7.4 a wallet is attached: nonce, signature, a token with its address, and an entry in the list', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const wallet = aWallet(world.clock.now)
  expect(await browser.call(readAccounts, {})).toEqual([])
  const { hexEncodedNonce } = await browser.call(readWalletNonce, {})
  // Plain ASCII, because a wallet may decode the bytes as text (protocol 10).
  const text = Buffer.from(bytesOfHex(hexEncodedNonce) ?? []).toString('latin1')
  expect(text).toMatch(/^[\x20-\x7e]{20,200}$/)

  await attach(browser, wallet, { walletName: 'My phone', defaultWallet: 'true' })
  expect(claimsOf(browser)).toMatchObject({ addr: wallet.address })
  expect(claimsOf(browser)).not.toHaveProperty('grp')
  expect(await identityHeaders(browser)).toEqual([wallet.address, null])
  const shown = { name: 'My phone', address: wallet.address }
  const kind = { type: 'SELF_CUSTODY', verified: true }
  expect(await browser.call(readAccounts, {})).toEqual([
    { account: shown, authorizedWallets: [{ ...shown, ...kind, authorizationType: 'Owner' }] },
  ])
  expect(await browser.call(readWalletAccounts, {})).toEqual([{ ...shown, ...kind }])
})

test('5 a wallet name is optional; attaching again keeps the name or sets a new one', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const wallet = aWallet(world.clock.now)
  const names = async () => (await browser.call(readWalletAccounts, {})).map(({ name }) => name)
  await attach(browser, wallet)
  expect(await names()).toEqual(['Wallet'])
  await attach(browser, wallet, { walletName: 'Savings' })
  expect(await names()).toEqual(['Savings'])
  await attach(browser, wallet)
  expect(await names()).toEqual(['Savings'])
})

test('3 the chosen account stays with the session: in a renewed token, after a reload, not in another session', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  const wallet = aWallet(world.clock.now)
  await attach(browser, wallet)
  const before = browser.jwt.read()
  world.clock.pass(HALF_A_LIFE_MS)
  await browser.call(readIdentity, {})
  expect(browser.jwt.read()).not.toBe(before)
  expect(claimsOf(browser)).toMatchObject({ addr: wallet.address })

  const other = world.browser()
  await other.signIn(owner)
  expect(claimsOf(other)).not.toHaveProperty('addr')
  expect(await identityHeaders(other)).toEqual([null, null])
  const { jwt } = await other.call(readWalletJwt, { query: { walletAddress: wallet.address } })
  other.jwt.write(jwt)
  expect(await identityHeaders(other)).toEqual([wallet.address, null])
})

test('4.8 a hosted account is created with a name, is verified from the start and can be chosen', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const { address } = await browser.call(createHostedAccount, {
    body: { name: '  Everyday ', default: true },
  })
  expect(address).toMatch(/^tp1[a-z0-9]{38}$/)
  const [shown] = await browser.call(readWalletAccounts, {})
  expect(shown).toEqual({ name: 'Everyday', address, type: 'FIGURE', verified: true })
  const { jwt } = await browser.call(selectAccount, { body: { walletAddress: address } })
  browser.jwt.write(jwt)
  expect(claimsOf(browser)).toMatchObject({ addr: address })

  await browser.call(renameHostedAccount, { body: { address, name: 'Holidays' } })
  expect(await browser.call(readHostedAccounts, {})).toEqual([
    {
      name: 'Holidays',
      address,
      publicKey: expect.stringMatching(/^A[g-z\d+/][\w+/]{42}$/),
      verified: true,
      groups: [],
    },
  ])
})

test('5 Wallet account name: required (Account name is required)', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const nameless = browser.call(createHostedAccount, { body: { name: ' ' } })
  await expect(nameless).rejects.toMatchObject({
    status: 400,
    message: 'Account name is required',
    notices: ['Account name is required'],
  })
  expect(await browser.call(readWalletAccounts, {})).toEqual([])
})

test('a hosted account is restored from recovery words in any case and spacing; wrong words are reported', async () => {
  const { world, browser, owner } = await signedIn()
  await using _ = world
  await browser.confirm(owner)
  const body = { name: 'Restored', words: `  ${WORDS.toUpperCase().replaceAll(' ', '  ')}` }
  const { address } = await browser.call(restoreHostedAccount, { body })
  expect(address).toBe(ADDRESS_OF_WORDS)
  expect(await browser.call(restoreHostedAccount, { body })).toEqual({ address })
  expect(await browser.call(readHostedAccounts, {})).toHaveLength(1)
  for (const words of ['', WORDS.replace('bleak', 'blaek'), WORDS.replace(' benefit', '')]) {
    const wrong = browser.call(restoreHostedAccount, { body: { name: 'Wrong', words } })
    expect(await code(wrong)).toBe('recovery-words-invalid')
  }
})

test('7.4 access returns the account of the principal, of the choice, or of the default wallet', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const access = (principal?: string) =>
    browser.call(readAccountAccess, { query: principal === undefined ? {} : { principal } })
  expect(await code(access())).toBe('account-not-chosen')
  const make = (name: string, isDefault: boolean) =>
    browser.call(createHostedAccount, { body: { name, default: isDefault } })
  const { address: one } = await make('One', true)
  const { address: two } = await make('Two', false)
  expect((await access()).account).toEqual({ name: 'One', address: one })
  await browser.call(selectAccount, { body: { walletAddress: two } })
  expect((await access()).account).toEqual({ name: 'Two', address: two })
  expect((await access(one)).authorizedWallet).toMatchObject({
    address: one,
    authorizationType: 'Owner',
  })
  expect(await code(access(aWallet(world.clock.now).address))).toBe('account-not-authorized')
})

test('8 a wallet that another identity holds is refused with the specified text, and nothing changes', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const wallet = aWallet(world.clock.now)
  await attach(browser, wallet)
  const rival = newPerson('rival')
  const other = world.browser()
  await other.register(rival)
  const headers = walletHeaders(other, wallet.token())
  const { hexEncodedNonce } = await other.call(readWalletNonce, { headers })
  const query = { signedNonceHex: wallet.signHex(hexEncodedNonce), defaultWallet: 'true' } as const
  await expect(other.call(attachWallet, { headers, query })).rejects.toMatchObject({
    status: 409,
    message: 'Provided wallet is already attached to an identity',
  })
  expect(await other.call(readWalletAccounts, {})).toEqual([])
  expect(await identityHeaders(other)).toEqual([null, null])
  const selectWallet = `select * from wallets where address = '${wallet.address}'`
  expect(await world.query(selectWallet)).toHaveLength(1)
  expect(await world.query('select * from wallet_nonces')).toHaveLength(1)
  expect(await identityHeaders(browser)).toEqual([wallet.address, null])
})

test('8 choosing a wallet that this identity never verified gets 403', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const stranger = aWallet(world.clock.now)
  const other = world.browser()
  await other.register(newPerson('stranger'))
  await attach(other, stranger)
  for (const walletAddress of [stranger.address, aWallet(world.clock.now).address]) {
    const refused = { status: 403, code: 'wallet-not-verified' }
    const token = browser.call(readWalletJwt, { query: { walletAddress } })
    expect(await refusal(token)).toMatchObject(refused)
    const selection = browser.call(selectAccount, { body: { walletAddress } })
    expect(await refusal(selection)).toMatchObject(refused)
  }
  // The 403 leads to Verify; only `Unauthenticated` ends the session.
  expect(browser.jwt.read()).toBeDefined()
  await browser.call(readIdentity, {})
})
