import {
  approveRequest,
  readHostedAccounts,
  rejectRequest,
  renameHostedAccount,
  requestApproval,
} from '@portico/contracts/hosted-wallet'
import {
  attachWallet,
  readAccountAccess,
  readAccounts,
  readWalletJwt,
  readWalletNonce,
  selectAccount,
} from '@portico/contracts/wallet'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { attach, aWallet, walletHeaders } from '../support/test-wallet.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const RACERS = Array.from({ length: 200 }, (_, index) => index)

type World = Awaited<ReturnType<typeof aWorld>>

/** A world attacked on several nodes at once, if the database allows several. */
const underAttack = () => aWorld().withNodes(ON_POSTGRES ? 2 : 1)

/** The same browser at each node: one session, one token. */
function onEachNode(world: World, browser: Browser): readonly Browser[] {
  return world.nodes.map((node) => {
    const same = world.browser({ node: () => node })
    for (const [name, value] of browser.cookies) same.cookies.set(name, value)
    same.jwt.write(browser.jwt.read() ?? '')
    return same
  })
}

function at(nodes: readonly Browser[], racer: number): Browser {
  const browser = nodes[racer % nodes.length]
  if (browser === undefined) throw new Error('A world needs a node')
  return browser
}

const code = async (call: Promise<unknown>) => (await refusal(call)).code

test('single use: exactly one of 200 simultaneous attachments with one signed nonce succeeds', {
  tags: 'database',
}, async () => {
  const owner = newPerson('raced')
  await using world = await underAttack().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const wallet = aWallet(world.clock.now)
  const { hexEncodedNonce } = await browser.call(readWalletNonce, {})
  const headers = walletHeaders(browser, wallet.token())
  const query = { signedNonceHex: wallet.signHex(hexEncodedNonce) }
  const nodes = onEachNode(world, browser)
  const racers = RACERS.map((racer) => at(nodes, racer).call(attachWallet, { headers, query }))
  expect(await outcomes(racers)).toEqual({ answered: 1, 'signed-nonce-refused': 199 })
  expect(
    await world.query("select * from audit_events where kind = 'wallet-attached'"),
  ).toHaveLength(1)
})

test('single use: exactly one of 200 simultaneous approvals of one request is signed', {
  tags: 'database',
}, async () => {
  await using world = await underAttack()
  const browser = world.browser()
  await browser.signIn(PEOPLE.individual)
  const [account] = await browser.call(readHostedAccounts, {})
  const { approvalId } = await browser.call(requestApproval, {
    body: { kind: 'sign', address: account?.address ?? '', messageHex: 'deadbeef' },
  })
  const nodes = onEachNode(world, browser)
  const racers = RACERS.map((racer) =>
    racer % 5 === 0
      ? at(nodes, racer).call(rejectRequest, { body: { approvalId } })
      : at(nodes, racer).call(approveRequest, { body: { approvalId } }),
  )
  expect(await outcomes(racers)).toEqual({ answered: 1, 'approval-over': 199 })
})

test('a wallet that several people attach simultaneously is held by exactly one', {
  tags: 'database',
}, async () => {
  await using world = await underAttack()
  const people = [PEOPLE.individual, PEOPLE.several, PEOPLE.organizations, PEOPLE.provenance]
  const wallet = aWallet(world.clock.now)
  const attempts = await Promise.all(
    people.map(async (who, index) => {
      const node = world.nodes[index % world.nodes.length]
      const browser = world.browser({ node: () => node })
      await browser.signIn(who)
      const { hexEncodedNonce } = await browser.call(readWalletNonce, {})
      const query = { signedNonceHex: wallet.signHex(hexEncodedNonce) }
      const headers = walletHeaders(browser, wallet.token())
      return () => browser.call(attachWallet, { headers, query })
    }),
  )
  expect(await outcomes(attempts.map((attempt) => attempt()))).toEqual({
    answered: 1,
    'wallet-already-attached': people.length - 1,
  })
  const rows = await world.query(`select * from wallets where address = '${wallet.address}'`)
  expect(rows).toHaveLength(1)
})

test('authority: whatever address a request carries, no one acts for another person’s account', async () => {
  await using world = await aWorld()
  const [victim, thief] = [world.browser(), world.browser()]
  await victim.signIn(PEOPLE.organizations)
  await thief.signIn(PEOPLE.individual)
  const [theirs, ...organizations] = await victim.call(readAccounts, {})
  const [own] = await thief.call(readAccounts, {})
  const stolen = theirs?.account.address ?? ''
  const ownAddress = own?.account.address ?? ''
  const group = organizations.at(-1)?.account.address ?? ''
  for (const body of [
    { walletAddress: stolen },
    { walletAddress: stolen, groupPolicyAddress: group },
    { walletAddress: group },
  ]) {
    expect(await code(thief.call(selectAccount, { body }))).toBe('wallet-not-verified')
    expect(await code(thief.call(readWalletJwt, { query: body }))).toBe('wallet-not-verified')
  }
  const mixed = { walletAddress: ownAddress, groupPolicyAddress: group }
  expect(await code(thief.call(selectAccount, { body: mixed }))).toBe('account-not-authorized')
  for (const principal of [stolen, group]) {
    const access = thief.call(readAccountAccess, { query: { principal } })
    expect(await code(access)).toBe('account-not-authorized')
  }
  const request = { kind: 'connect' } as const
  expect(await code(thief.call(requestApproval, { body: { ...request, address: stolen } }))).toBe(
    'wallet-not-verified',
  )
  expect(
    await code(thief.call(requestApproval, { body: { ...request, address: ownAddress, group } })),
  ).toBe('account-not-authorized')
  const rename = thief.call(renameHostedAccount, { body: { address: stolen, name: 'Mine' } })
  expect(await code(rename)).toBe('account-not-authorized')
  expect((await thief.fetch('/dashboard')).status).toBe(200)
  const identity = await thief.fetch('/identity/secure/api/v1/identity', {
    headers: { authorization: thief.jwt.read() ?? '' },
  })
  expect(identity.headers.get('x-wallet-address')).toBeNull()
})

test('authority: a request is answered only in its own session, not in another one of the same person', async () => {
  await using world = await aWorld()
  const [asking, other] = [world.browser(), world.browser()]
  await asking.signIn(PEOPLE.individual)
  await other.signIn(PEOPLE.individual)
  const [account] = await asking.call(readHostedAccounts, {})
  const { approvalId } = await asking.call(requestApproval, {
    body: { kind: 'connect', address: account?.address ?? '' },
  })
  expect(await code(other.call(approveRequest, { body: { approvalId } }))).toBe('approval-over')
  expect(await code(other.call(rejectRequest, { body: { approvalId } }))).toBe('approval-over')
  await asking.call(approveRequest, { body: { approvalId } })
})

test('authority: the server never signs for a self-custody wallet', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const wallet = aWallet(world.clock.now)
  await attach(browser, wallet)
  const request = browser.call(requestApproval, {
    body: { kind: 'connect', address: wallet.address },
  })
  expect(await code(request)).toBe('account-not-authorized')
  expect(
    await code(
      browser.call(renameHostedAccount, { body: { address: wallet.address, name: 'New' } }),
    ),
  ).toBe('account-not-authorized')
})
