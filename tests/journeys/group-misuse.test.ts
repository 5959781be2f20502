/** Forbidden actions of an organization's members are refused with a reason before anything is signed (8). */
import { openChain } from '@portico/chain-client/chain'
import {
  execMessage,
  updateMembersMessage,
  voteMessage,
} from '@portico/chain-client/group-messages'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { packMessage, sendMessage } from '@portico/chain-client/messages'
import { readProposal, responseOfProposal } from '@portico/chain-client/proposals'
import { confirmIdentity } from '@portico/contracts/account-security'
import {
  approveRequest,
  readHostedAccounts,
  requestApproval,
} from '@portico/contracts/hosted-wallet'
import { privateKeyAt } from '@portico/keys/derivation'
import { seedOfWords } from '@portico/keys/mnemonic'
import { NETWORKS } from '@portico/keys/networks'
import { MsgExec as AuthzExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgVote as GovernanceVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { expect, test } from 'vitest'
import { aChainAccount } from '../support/chain-account.ts'
import { PAYEE } from '../support/packed-payment.ts'
import { PEOPLE } from '../support/people.ts'
import { aWorld, refusal } from '../support/world.ts'

const TWO_DAYS_MS = 172_800_000

const anyOf = (base64: string) => Any.decode(Buffer.from(base64, 'base64'))

/** Alder Holdings: Ana has a hosted account; Ben's and Cleo's wallets are on their devices. Two must agree. */
async function aGroup() {
  const world = await aWorld()
  const url = `${world.url}/chain`
  const browser = world.browser()
  await browser.signIn(PEOPLE.ana)
  const [account] = await browser.call(readHostedAccounts, {})
  const address = account?.address ?? ''
  const group = account?.groups[0]?.address ?? ''
  const chain = openChain(httpChainNode(url))
  const memberOf = async ({ words }: { words: string }) =>
    aChainAccount(url, privateKeyAt(await seedOfWords(words), NETWORKS.testnet.path))
  const [ben, cleo] = [await memberOf(PEOPLE.ben), await memberOf(PEOPLE.cleo)]

  const ask = (messages: readonly string[], actingFor: string | null = null) =>
    browser.call(requestApproval, {
      body: { kind: 'send', address, group: actingFor, messages: [...messages] },
    })
  async function carryOut(messages: readonly string[], actingFor: string | null = null) {
    const { approvalId } = await ask(messages, actingFor)
    const { password } = PEOPLE.ana
    await browser.call(confirmIdentity, { query: { approval: approvalId }, body: { password } })
    return browser.call(approveRequest, { body: { approvalId } })
  }
  return {
    world,
    chain,
    ana: { address, browser },
    ben,
    cleo,
    group,
    ask,
    carryOut,
    /** The code with which the hosted wallet refuses messages. */
    refused: async (messages: readonly string[], actingFor: string | null = null) =>
      (await refusal(ask(messages, actingFor))).code,
    vote: (proposalId: string) => voteMessage({ proposalId, voter: address, choice: 'yes' }),
    async propose(amount: string, to = PAYEE) {
      const payment = sendMessage({ from: group, to, amount, denom: 'nhash' })
      const result = await carryOut([payment], group)
      if (result.kind !== 'proposed') throw new Error(`The result is ${result.kind}`)
      return result
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

test('8 a second vote and a vote after the voting period are refused with the reason', async () => {
  await using members = await aGroup()
  const { world, refused, vote, propose } = members
  const { proposalId } = await propose('7')
  expect(await refused([vote(proposalId)])).toBe('already-voted')
  world.clock.pass(TWO_DAYS_MS + 1)
  await members.ana.browser.signIn(PEOPLE.ana)
  expect(await refused([vote(proposalId)])).toBe('voting-ended')
  const exec = execMessage({ proposalId: '999', executor: members.ana.address })
  expect(await refused([exec])).toBe('proposal-over')
})

test('8 a removed member can neither vote nor propose; open proposals continue with the votes of the others', async () => {
  await using members = await aGroup()
  const { chain, world, ana, ben, cleo, group, refused, vote, propose } = members
  const before = await propose('7')
  const { group_id: groupId } = await chain.policy(group)
  const removal = updateMembersMessage({
    groupId,
    admin: group,
    members: [{ address: ana.address, weight: '0' }],
  })
  expect(await ben.send([ben.proposal(group, [anyOf(removal)])])).toMatchObject({ code: 0 })
  const [last] = await chain.proposalsOfPolicy(group)
  expect(await cleo.send([cleo.vote(Number(last?.id))])).toMatchObject({ code: 0 })

  expect(await refused([vote(before.proposalId)])).toBe('not-a-member')
  const payment = sendMessage({ from: group, to: PAYEE, amount: '1', denom: 'nhash' })
  expect(await refused([payment], group)).toBe('account-not-authorized')
  // The vote of the removed member no longer counts, and the proposal did not end.
  const open = await readProposal(chain, before.proposalId, world.clock.now())
  expect(open).toMatchObject({ status: 'open', tally: { yes: '0' } })
  const id = Number(before.proposalId)
  expect(await ben.send([ben.vote(id)])).toMatchObject({ code: 0 })
  expect(await cleo.send([cleo.vote(id)])).toMatchObject({ code: 0 })
  expect(await responseOfProposal(chain, before, world.clock.now)).toMatchObject({ code: 0 })
})

test('8 a proposal that the group cannot pay is reported with the reason, and can be executed once the group can pay it', async () => {
  await using members = await aGroup()
  const { chain, world, ben, group, propose, carryOut, refused, ana } = members
  const proposed = await propose('1500000000000')
  const id = Number(proposed.proposalId)
  // The vote itself succeeds.
  expect(await ben.send([ben.vote(id)])).toMatchObject({ code: 0 })
  expect(await responseOfProposal(chain, proposed, world.clock.now)).toMatchObject({
    codespace: 'portico',
    code: 1,
    rawLog: expect.stringContaining('insufficient funds'),
  })
  const exec = execMessage({ proposalId: proposed.proposalId, executor: ana.address })
  expect(await refused([exec])).toBe('group-funds-insufficient')
  expect(await ben.send([ben.payment(group, '900000000000')])).toMatchObject({ code: 0 })
  expect(await carryOut([exec])).toMatchObject({ txResponse: { code: 0 } })
})

test('6 a vote on a proposal that the group cannot pay says so before the approval, and counts', async () => {
  await using members = await aGroup()
  const { chain, world, ana, ben, group, ask, carryOut, vote } = members
  const tooMuch = ben.payment(PAYEE, '1500000000000', 'nhash', group)
  expect(await ben.send([ben.proposal(group, [tooMuch])])).toMatchObject({ code: 0 })
  const [proposal] = await chain.proposalsOfPolicy(group)
  const id = proposal?.id ?? ''
  const { words } = await ask([vote(id)])
  expect(words).toMatchObject({ votesOnly: true })
  expect(await carryOut([vote(id)])).toMatchObject({
    txResponse: { codespace: 'portico', code: 1 },
  })
  const voted = await readProposal(chain, id, world.clock.now())
  expect(voted).toMatchObject({ status: 'failed', tally: { yes: '2' } })
  expect(voted?.members.find(({ address }) => address === ana.address)?.vote).toBe('yes')
})

test('9.3 messages that the chain does not execute are described, and refused with the reason', async () => {
  await using members = await aGroup()
  const { ana, refused } = members
  const vote = packMessage(
    GovernanceVote,
    GovernanceVote.fromPartial({ proposalId: 3n, voter: ana.address, option: 1 }),
  )
  expect(await refused([vote])).toBe('message-not-supported')
  const permission = packMessage(AuthzExec, { grantee: ana.address, msgs: [] })
  expect(await refused([permission])).toBe('message-not-supported')
})
