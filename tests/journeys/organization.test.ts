/** Creating an organization, and transactions of hosted wallets on the development chain (2.2, 4.8, 5, 6). */
import { confirmIdentity } from '@portico/contracts/account-security'
import {
  type ApprovalRequest,
  approveRequest,
  readHostedAccounts,
  requestApproval,
} from '@portico/contracts/hosted-wallet'
import { beginOrganization, completeOrganization } from '@portico/contracts/organization-account'
import { readAccounts, readWalletJwt } from '@portico/contracts/wallet'
import { MsgCreateGroupWithPolicy } from 'cosmjs-types/cosmos/group/v1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { aChainAccount, askNode, balanceOf } from '../support/chain-account.ts'
import { PAYEE, packedPayment } from '../support/packed-payment.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { aWorld, refusal } from '../support/world.ts'

const FAUCET = 1_000_000_000_000

const code = async (call: Promise<unknown>) => (await refusal(call)).code

type Person = (typeof PEOPLE)['several' | 'organizations']

/** A signed-in person with their first hosted account, and the chain. */
async function signedIn(person: Person = PEOPLE.several) {
  const world = await aWorld()
  const browser = world.browser()
  await browser.signIn(person)
  const [account] = await browser.call(readHostedAccounts, {})
  if (account === undefined) throw new Error('The person has no hosted account')
  return { world, browser, account, address: account.address, url: `${world.url}/chain` }
}

type Send = Omit<Extract<ApprovalRequest, { kind: 'send' }>, 'kind'>

const ask = (browser: Browser, send: Send) =>
  browser.call(requestApproval, { body: { kind: 'send', ...send } })

/** Confirms this approval with a proof, then approves. */
async function approve(browser: Browser, approvalId: string, person: Person = PEOPLE.several) {
  const { password } = person
  await browser.call(confirmIdentity, { query: { approval: approvalId }, body: { password } })
  const approved = await browser.call(approveRequest, { body: { approvalId } })
  if (approved.kind !== 'send') throw new Error('Something else was approved')
  return approved.txResponse
}

const begin = (browser: Browser, walletAddress: string, name = 'Willow Partners') =>
  browser.call(beginOrganization, { body: { walletAddress, name } })
const complete = (browser: Browser, organizationId: string) =>
  browser.call(completeOrganization, { body: { organizationId } })

test('protocol 9.3: a hosted wallet broadcasts an approved transaction and returns its result', {
  tags: 'database',
}, async () => {
  const { world, browser, address, url } = await signedIn()
  await using _ = world
  const { approvalId, words } = await ask(browser, {
    address,
    messages: [packedPayment(address, '100000')],
  })
  if (words.kind !== 'transaction') throw new Error('Something else was shown')
  expect(words.messages).toMatchObject([
    {
      title: 'Send',
      fields: [
        { label: 'Amount', value: '0.0001 hash' },
        { label: 'From', address },
        { label: 'To', address: PAYEE },
      ],
    },
  ])
  expect(await balanceOf(url, PAYEE)).toBe(FAUCET)
  const response = await approve(browser, approvalId)
  expect(response).toMatchObject({
    code: 0,
    txhash: expect.stringMatching(/^[0-9A-F]{64}$/),
    rawLog: '',
    gasWanted: words.gasLimit,
    eventsList: expect.arrayContaining([
      {
        type: 'transfer',
        attributesList: expect.arrayContaining([
          { key: 'amount', value: '100000nhash', index: true },
        ]),
      },
    ]),
  })
  const fee = Math.round(Number.parseFloat(words.fee) * 1e9)
  expect(await balanceOf(url, address)).toBe(FAUCET - 100_000 - fee)
  expect(await balanceOf(url, PAYEE)).toBe(FAUCET + 100_000)
})

test('5 the second of two transactions prepared at once fails: its code is nonzero, and its raw log says why', {
  tags: 'database',
}, async () => {
  const { world, browser, address } = await signedIn()
  await using _ = world
  const [first, second] = [
    await ask(browser, { address, messages: [packedPayment(address, '1')] }),
    await ask(browser, { address, messages: [packedPayment(address, '2')] }),
  ]
  expect(await approve(browser, first.approvalId)).toMatchObject({ code: 0 })
  expect(await approve(browser, second.approvalId)).toMatchObject({
    code: 32,
    codespace: 'sdk',
    rawLog: 'account sequence mismatch, expected 1, got 0: incorrect account sequence',
  })
})

test('a transaction that the chain would refuse is refused before approval, in plain words', async () => {
  const { world, browser, address } = await signedIn()
  await using _ = world
  for (const [message, reason, words] of [
    [
      packedPayment(address, `${FAUCET * 2}`),
      'insufficient-funds',
      /^The account does not have enough funds for the amount and the fee.$/,
    ],
    [
      packedPayment(PAYEE, '1'),
      'transaction-refused',
      /^The network did not accept the transaction.$/,
    ],
  ] as const) {
    const refused = ask(browser, { address, messages: [message] }).catch((error: unknown) => error)
    expect(await refused).toMatchObject({
      reason,
      data: { errors: [expect.stringMatching(words)] },
    })
  }
})

test('6 a group’s transfer moves its funds; one above its balance is refused before approval, and again when it is approved', async () => {
  const { world, browser, account, address, url } = await signedIn(PEOPLE.organizations)
  await using _ = world
  const group = account.groups[0]?.address ?? ''
  const payment = (amount: number) => {
    const messages = [packedPayment(group, `${amount}`)]
    return { address, group, messages }
  }
  const propose = async (amount: number) => {
    const { approvalId } = await ask(browser, payment(amount))
    return approve(browser, approvalId, PEOPLE.organizations)
  }
  expect(await propose(70)).toMatchObject({ code: 0 })
  expect(await balanceOf(url, group)).toBe(FAUCET - 70)
  const own = await balanceOf(url, address)
  expect(await code(propose(FAUCET))).toBe('group-funds-insufficient')
  // Both payments fit when they are requested, but the second one does not any more when it is approved.
  const [first, second] = [await ask(browser, payment(FAUCET - 70)), await ask(browser, payment(1))]
  expect(await approve(browser, first.approvalId, PEOPLE.organizations)).toMatchObject({ code: 0 })
  const left = await balanceOf(url, address)
  expect(left).toBeLessThan(own)
  const approved = approve(browser, second.approvalId, PEOPLE.organizations)
  expect(await code(approved)).toBe('group-funds-insufficient')
  expect([await balanceOf(url, address), await balanceOf(url, group)]).toEqual([left, 0])
})

test('2.2 4.8 an organization is named, its wallet creates the group, and the person may act for it', async () => {
  const { world, browser, address, url } = await signedIn()
  await using _ = world
  expect(await code(begin(browser, address, '   '))).toBe('account-name-required')
  const { organizationId, message, account } = await begin(browser, address, ' Willow Partners ')
  expect(account).toBeUndefined()
  // Named twice, created once: a second press changes nothing.
  expect(await begin(browser, address)).toEqual({ organizationId, message })
  expect(await code(complete(browser, organizationId))).toBe('organization-pending')

  const { approvalId, words } = await ask(browser, { address, messages: [message] })
  if (words.kind !== 'transaction') throw new Error('Something else was shown')
  expect(words.effect).toBe('Create Willow Partners')
  expect(words.messages.map(({ title }) => title)).toEqual(['Create a group that can act'])
  expect(words.messages[0]?.fields).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ label: 'Administrator', address }),
      expect.objectContaining({ label: 'Member with weight 1', address }),
      { kind: 'text', label: 'Name', value: 'Willow Partners' },
      { kind: 'text', label: 'Administers itself', value: 'yes' },
      { kind: 'text', label: 'Decides by', value: 'votes of weight 1, given within 2 days' },
    ]),
  )
  expect(await approve(browser, approvalId)).toMatchObject({ code: 0 })

  const created = await complete(browser, organizationId)
  expect(created.account).toEqual({
    name: 'Willow Partners',
    address: expect.stringMatching(/^tp1\w{58}$/),
  })
  // The group's address is derived by the chain.
  const policy = `/cosmos/group/v1/group_policy_info/${created.account.address}`
  expect(await askNode(url, policy)).toMatchObject({ info: { admin: created.account.address } })
  // Completing it again, after a reload or in a second tab, returns the same account.
  expect(await complete(browser, organizationId)).toEqual(created)
  const listed = (await browser.call(readAccounts, {})).filter(
    ({ account: { name } }) => name === 'Willow Partners',
  )
  expect(listed).toMatchObject([
    {
      account: created.account,
      authorizedWallets: [{ address, authorizationType: 'Group', verified: true }],
    },
  ])
  const query = { walletAddress: address, groupPolicyAddress: created.account.address }
  const { jwt } = await browser.call(readWalletJwt, { query })
  const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as object
  expect(claims).toMatchObject({ addr: address, grp: created.account.address })
  // Using the same name again creates another organization.
  expect((await begin(browser, address)).organizationId).not.toBe(organizationId)
})

test('with CHAIN_URL transactions go to that node', async () => {
  // A development chain serves other installations over HTTP.
  await using node = await aWorld()
  await using world = await aWorld().withSettings({ CHAIN_URL: `${node.url}/chain/` })
  const browser = world.browser()
  await browser.signIn(PEOPLE.several)
  const [hosted] = await browser.call(readHostedAccounts, {})
  const address = hosted?.address ?? ''
  const { organizationId, message } = await begin(browser, address)
  await approve(browser, (await ask(browser, { address, messages: [message] })).approvalId)
  const { account } = await complete(browser, organizationId)
  const policy = `/cosmos/group/v1/group_policy_info/${account.address}`
  expect(await askNode(`${node.url}/chain`, policy)).toMatchObject({
    info: { address: account.address },
  })
  // It has no chain of its own, and none of its tables.
  await expect(world.query('select * from chain_groups')).rejects.toThrow('chain_groups')
  // An overtaken transaction is not polled for: the node's first response is final.
  const transfers = [1, 2].map((amount) => ({
    address,
    messages: [packedPayment(address, `${amount}`)],
  }))
  const [first, second] = await Promise.all(transfers.map((each) => ask(browser, each)))
  expect(await approve(browser, first?.approvalId ?? '')).toMatchObject({ code: 0 })
  expect(await approve(browser, second?.approvalId ?? '')).toMatchObject({ code: 32 })
})

test('4.8 a group that is on the chain but was never completed is found by naming it again', async () => {
  const { world, browser, address } = await signedIn()
  await using _ = world
  const { organizationId, message } = await begin(browser, address)
  await approve(browser, (await ask(browser, { address, messages: [message] })).approvalId)
  const again = await begin(browser, address)
  expect(again).toMatchObject({ organizationId, account: { name: 'Willow Partners' } })
})

test('single use: one of 200 simultaneous completions creates the account, and all return it', {
  tags: 'database',
}, async () => {
  const { world, browser, address } = await signedIn()
  await using _ = world
  const { organizationId, message } = await begin(browser, address)
  await approve(browser, (await ask(browser, { address, messages: [message] })).approvalId)
  const racers = Array.from({ length: 200 }, () => complete(browser, organizationId))
  expect(await outcomes(racers)).toEqual({ answered: 200 })
  const events = "select * from audit_events where kind = 'organization-created'"
  expect(await world.query(events)).toHaveLength(1)
  expect(await world.query("select * from accounts where name = 'Willow Partners'")).toHaveLength(1)
})

test("creating with a foreign wallet, completing another person's organization, or substituting a group is refused", async () => {
  const { world, browser, address, url } = await signedIn()
  await using _ = world
  const { organizationId, message } = await begin(browser, address)

  const other = world.browser()
  await other.signIn(PEOPLE.individual)
  expect(await code(begin(other, address))).toBe('wallet-not-verified')
  expect(await code(complete(other, organizationId))).toBe('not-found')
  expect(await code(complete(browser, crypto.randomUUID()))).toBe('not-found')

  // A group that names the draft and has the wallet as a member, but is controlled by another account.
  const thief = aChainAccount(url)
  const packed = Any.decode(Buffer.from(message, 'base64'))
  const group = MsgCreateGroupWithPolicy.decode(packed.value)
  for (const changed of [
    { members: [...group.members, { address: thief.address, weight: '9', metadata: '' }] },
    { members: [{ address: thief.address, weight: '1', metadata: '' }] },
    { groupPolicyAsAdmin: false },
  ]) {
    const forged = { ...group, admin: thief.address, ...changed }
    const value = MsgCreateGroupWithPolicy.encode(MsgCreateGroupWithPolicy.fromPartial(forged))
    const sent = await thief.send([{ typeUrl: packed.typeUrl, value: value.finish() }])
    expect(sent).toMatchObject({ code: 0 })
  }
  expect(await code(complete(browser, organizationId))).toBe('organization-pending')
})
