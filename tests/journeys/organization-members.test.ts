/** Organizations with several members: created, decided together, and reported to the page (2.2, 5, 6). */
import { openChain } from '@portico/chain-client/chain'
import { updateMembersMessage, voteMessage } from '@portico/chain-client/group-messages'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { responseOfProposal } from '@portico/chain-client/proposals'
import { confirmIdentity } from '@portico/contracts/account-security'
import {
  type ApprovalRequest,
  approveRequest,
  type Proposed,
  readHostedAccounts,
  requestApproval,
} from '@portico/contracts/hosted-wallet'
import {
  acceptOrganization,
  beginOrganization,
  completeOrganization,
} from '@portico/contracts/organization-account'
import { readAccounts } from '@portico/contracts/wallet'
import { privateKeyAt } from '@portico/keys/derivation'
import { seedOfWords } from '@portico/keys/mnemonic'
import { NETWORKS } from '@portico/keys/networks'
import { shortAddress } from '@portico/rules/short-address'
import { expect, test } from 'vitest'
import { aChainAccount, askNode, balanceOf } from '../support/chain-account.ts'
import { PAYEE, packedPayment } from '../support/packed-payment.ts'
import { PEOPLE } from '../support/people.ts'
import { aWorld, refusal } from '../support/world.ts'

const FAUCET = 1_000_000_000_000

type World = Awaited<ReturnType<typeof aWorld>>
type Send = Omit<Extract<ApprovalRequest, { kind: 'send' }>, 'kind' | 'address'>

/** A signed-in person with a hosted account. */
async function aPerson(world: World, { email, password }: { email: string; password: string }) {
  const browser = world.browser()
  await browser.signIn({ email, password })
  const [account] = await browser.call(readHostedAccounts, {})
  if (account === undefined) throw new Error('The person has no hosted account')
  const { address } = account
  return {
    browser,
    address,
    groups: account.groups,
    ask: (send: Send) =>
      browser.call(requestApproval, { body: { kind: 'send', address, ...send } }),
    /** Confirms this approval with a proof, then approves. */
    async approve(approvalId: string) {
      await browser.call(confirmIdentity, { query: { approval: approvalId }, body: { password } })
      const approved = await browser.call(approveRequest, { body: { approvalId } })
      // What the hosted wallet does with a proposal that waits for votes.
      if (approved.kind === 'proposed') return { proposed: approved }
      if (approved.kind !== 'send') throw new Error('Something else was approved')
      return approved.txResponse
    },
    accept: (accountAddress: string) =>
      browser.call(acceptOrganization, { body: { accountAddress } }),
    groupNames: async () =>
      (await browser.call(readAccounts, {}))
        .filter(({ authorizedWallets }) =>
          authorizedWallets.some(({ authorizationType }) => authorizationType === 'Group'),
        )
        .map(({ account: { name } }) => name),
  }
}

/** The response for the page, as the hosted wallet reads it. */
const outcome = (world: World, proposed: Proposed) =>
  responseOfProposal(openChain(httpChainNode(`${world.url}/chain`)), proposed, world.clock.now)

type Person = Awaited<ReturnType<typeof aPerson>>

const lastProposal = async (url: string, group: string) => {
  const { proposals } = (await askNode(
    url,
    `/cosmos/group/v1/proposals_by_group_policy/${group}?pagination.reverse=true`,
  )) as { proposals: { id: string }[] }
  return proposals[0]?.id ?? ''
}

const vote = async (person: Person, proposalId: string) => {
  const message = voteMessage({ proposalId, voter: person.address, choice: 'yes' })
  const { approvalId, words } = await person.ask({ messages: [message] })
  return { words, response: await person.approve(approvalId) }
}

test('6 three people create an organization and decide together; the page gets the result of the vote', async () => {
  await using world = await aWorld()
  const url = `${world.url}/chain`
  const [sven, iris, olga] = [
    await aPerson(world, PEOPLE.several),
    await aPerson(world, PEOPLE.individual),
    await aPerson(world, PEOPLE.organizations),
  ]
  const named = {
    walletAddress: sven.address,
    name: 'Willow Partners',
    members: [
      { address: iris.address, name: 'Iris' },
      { address: olga.address, name: '' },
    ],
    threshold: 2,
  }
  const { organizationId, message } = await sven.browser.call(beginOrganization, { body: named })
  // Repeating it continues it; other members make another one.
  expect(await sven.browser.call(beginOrganization, { body: named })).toMatchObject({
    organizationId,
    message,
  })
  const other = { ...named, threshold: 3 }
  expect((await sven.browser.call(beginOrganization, { body: other })).organizationId).not.toBe(
    organizationId,
  )
  const creation = await sven.ask({ messages: [message] })
  expect(creation.words).toMatchObject({ effect: 'Create Willow Partners' })
  expect(await sven.approve(creation.approvalId)).toMatchObject({ code: 0 })
  const { account } = await sven.browser.call(completeOrganization, { body: { organizationId } })
  for (const person of [iris, olga]) {
    expect(await person.groupNames()).not.toContain('Willow Partners')
    await person.accept(account.address)
  }
  for (const person of [sven, iris, olga]) {
    expect(await person.groupNames()).toContain('Willow Partners')
  }

  // The page of the one who proposes waits until another member has voted.
  const group = account.address
  const payment = packedPayment(group, '70')
  const first = await sven.ask({ group, messages: [payment] })
  const { proposed } = (await sven.approve(first.approvalId)) as { proposed: Proposed }
  const id = await lastProposal(url, group)
  expect(proposed).toMatchObject({ kind: 'proposed', proposalId: id })
  const { words, response } = await vote(iris, id)
  // A voter acts for their own account, and anyone can name a group.
  expect(words).toMatchObject({
    effect: `Vote yes on proposal ${id} of ${shortAddress(group)}`,
  })
  expect(response).toMatchObject({ code: 0 })
  expect(await outcome(world, proposed)).toMatchObject({ code: 0, rawLog: '' })
  expect(await balanceOf(url, PAYEE)).toBe(FAUCET + 70)

  // Without votes, the page is never told that it succeeded.
  const second = await olga.ask({ group, messages: [payment] })
  const waiting = (await olga.approve(second.approvalId)) as { proposed: Proposed }
  expect(waiting.proposed.proposalId).toBe(`${Number(id) + 1}`)
  expect(await outcome(world, waiting.proposed)).toBeUndefined()
  expect(await balanceOf(url, PAYEE)).toBe(FAUCET + 70)
  await vote(sven, `${Number(id) + 1}`)
  expect(await outcome(world, waiting.proposed)).toMatchObject({ code: 0 })
  expect(await balanceOf(url, PAYEE)).toBe(FAUCET + 140)
})

test('6 a transaction for a group that its member has since left is neither signed nor mailed', async () => {
  await using world = await aWorld()
  const [sven, iris] = [
    await aPerson(world, PEOPLE.several),
    await aPerson(world, PEOPLE.individual),
  ]
  const { organizationId, message } = await sven.browser.call(beginOrganization, {
    body: {
      walletAddress: sven.address,
      name: 'Willow Partners',
      members: [{ address: iris.address, name: '' }],
      threshold: 1,
    },
  })
  await sven.approve((await sven.ask({ messages: [message] })).approvalId)
  const { account } = await sven.browser.call(completeOrganization, { body: { organizationId } })
  const group = account.address
  await iris.accept(group)
  const waiting = await iris.ask({ group, messages: [packedPayment(group, '70')] })
  const policy = await askNode(`${world.url}/chain`, `/cosmos/group/v1/group_policy_info/${group}`)
  const { group_id: groupId } = policy['info'] as { group_id: string }
  const members = [{ address: iris.address, weight: '0' as const }]
  const removal = updateMembersMessage({ groupId, admin: group, members })
  await sven.approve((await sven.ask({ group, messages: [removal] })).approvalId)
  const before = await world.mail(PEOPLE.individual.email)
  expect((await refusal(iris.approve(waiting.approvalId))).code).toBe('account-not-authorized')
  expect(await world.mail(PEOPLE.individual.email)).toHaveLength(before.length)
})

test("5 an organization named like the user's own account has no name on approvals and in mails", async () => {
  await using world = await aWorld()
  const [sven, iris] = [
    await aPerson(world, PEOPLE.several),
    await aPerson(world, PEOPLE.individual),
  ]
  const [own] = await iris.browser.call(readHostedAccounts, {})
  const { organizationId, message } = await sven.browser.call(beginOrganization, {
    body: {
      walletAddress: sven.address,
      name: own?.name ?? '',
      members: [{ address: iris.address, name: own?.name ?? '' }],
      threshold: 1,
    },
  })
  await sven.approve((await sven.ask({ messages: [message] })).approvalId)
  const { account } = await sven.browser.call(completeOrganization, { body: { organizationId } })
  await iris.accept(account.address)
  const payment = packedPayment(iris.address, '25000000000', account.address)
  const { approvalId, words } = await iris.ask({ messages: [payment] })
  expect(words).toMatchObject({ effect: `Send 25 hash to ${shortAddress(account.address)}` })
  expect(await iris.approve(approvalId)).toMatchObject({ code: 0 })
  const mails = await world.mail(PEOPLE.individual.email)
  const mail = mails.find(({ subject }) => subject.startsWith('A transaction'))
  expect(mail?.text).toContain(account.address)
  expect(mail?.text).not.toContain(`to ${own?.name}`)
  const act = { kind: 'switch-group', address: iris.address, group: account.address } as const
  const switching = await iris.browser.call(requestApproval, { body: act })
  expect(switching.words).toEqual({
    kind: 'switch-group',
    group: { name: '', address: account.address },
  })
  // The user's own accounts keep their names.
  const back = packedPayment(iris.address, '1000000000', iris.address)
  expect((await iris.ask({ messages: [back] })).words).toMatchObject({
    effect: `Send 1 hash to ${own?.name}`,
  })
})

test('6 invalid members, and a group with other members or another threshold, are refused', async () => {
  await using world = await aWorld()
  const url = `${world.url}/chain`
  const sven = await aPerson(world, PEOPLE.several)
  const [friend, stranger] = [aChainAccount(url), aChainAccount(url)]
  const begin = (members: readonly string[], threshold = 1) =>
    sven.browser.call(beginOrganization, {
      body: {
        walletAddress: sven.address,
        name: 'Willow',
        members: members.map((address) => ({ address, name: '' })),
        threshold,
      },
    })
  const { address } = friend
  for (const [members, threshold, error] of [
    [[sven.address], 1, /already a member/],
    [[address, address], 1, /already a member/],
    [[address.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))], 1, /not a valid address/],
    [['pb1qszqgpqyqszqgpqyqszqgpqyqszqgpqyte26xt'], 1, /another network/],
    [[address], 3, /More members would have to agree/],
  ] as const) {
    const refused = await begin(members, threshold).catch((thrown: unknown) => thrown)
    expect(refused).toMatchObject({
      reason: 'organization-members-invalid',
      data: { errors: [expect.stringMatching(error)] },
    })
  }
  const many = Array.from({ length: 20 }, () => aChainAccount(url).address)
  expect((await refusal(begin(many))).code).toBe('invalid-request')
  expect((await refusal(begin([address], 0))).code).toBe('invalid-request')

  // A friend creates groups that name the draft. Only one that is exactly as agreed counts.
  const { organizationId } = await begin([address], 2)
  const complete = () => sven.browser.call(completeOrganization, { body: { organizationId } })
  const metadata = JSON.stringify({ name: 'Willow', id: organizationId })
  for (const [others, threshold] of [
    [[sven.address], 1],
    [[sven.address, stranger.address], 2],
  ] as const) {
    expect(
      await friend.send([friend.groupCreation(metadata, { others, threshold })]),
    ).toMatchObject({ code: 0 })
    expect((await refusal(complete())).code).toBe('organization-pending')
  }
})

test('6 the organization of the demonstration decides with two of its three members', async () => {
  await using world = await aWorld()
  const url = `${world.url}/chain`
  const ana = await aPerson(world, PEOPLE.ana)
  const [alder] = ana.groups
  expect(alder?.name).toBe('Alder Holdings')
  const group = alder?.address ?? ''
  const { approvalId } = await ana.ask({ group, messages: [packedPayment(group, '70')] })
  const { proposed } = (await ana.approve(approvalId)) as { proposed: Proposed }
  // Ben votes with the wallet that he restored from his words.
  const seed = await seedOfWords(PEOPLE.ben.words)
  const ben = aChainAccount(url, privateKeyAt(seed, NETWORKS.testnet.path))
  const ballot = ben.vote(Number(await lastProposal(url, group)))
  expect(await ben.send([ballot])).toMatchObject({ code: 0 })
  expect(await outcome(world, proposed)).toMatchObject({ code: 0 })
  expect(await balanceOf(url, PAYEE)).toBe(FAUCET + 70)
  // Ben and Cleo see the organization on their own accounts too.
  for (const { email, password } of [PEOPLE.ben, PEOPLE.cleo]) {
    const browser = world.browser()
    await browser.signIn({ email, password })
    expect((await browser.call(readAccounts, {})).map(({ account }) => account.name)).toContain(
      'Alder Holdings',
    )
  }
})
