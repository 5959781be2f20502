/** Proposals of groups with several members, through the client that wallets use. */
import {
  execMessage,
  leaveMessage,
  thresholdPolicy,
  updateMembersMessage,
  updateThresholdMessage,
  type VoteChoice,
  voteMessage,
  withdrawMessage,
} from '@portico/chain-client/group-messages'
import { packMessage, sendMessage } from '@portico/chain-client/messages'
import { listOpenProposals } from '@portico/chain-client/open-proposals'
import {
  groupsOfProposals,
  readProposal,
  readProposalResult,
  responseOfProposal,
  submittedProposal,
} from '@portico/chain-client/proposals'
import { Refusal } from '@portico/contracts/errors'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgCreateGroupWithPolicy } from 'cosmjs-types/cosmos/group/v1/tx'
import { expect, test } from 'vitest'
import { aDevelopmentChain } from './testing.ts'

const FAUCET = 1_000_000_000_000
const TWO_DAYS_MS = 172_800_000
const TWO_WEEKS_MS = 1_209_600_000

/** A group of three members, with the functions of its members. */
async function aGroup({ threshold = 2 } = {}) {
  const world = await aDevelopmentChain()
  const { chain, account } = world
  const [ana, ben, cleo, payee] = [account(), account(), account(), account()]
  const members = [ana, ben, cleo].map(({ address }) => ({ address, weight: '1', metadata: '' }))
  await ana.send([
    packMessage(MsgCreateGroupWithPolicy, {
      admin: ana.address,
      members,
      groupMetadata: '{"name":"Alder Holdings"}',
      groupPolicyMetadata: '',
      groupPolicyAsAdmin: true,
      decisionPolicy: thresholdPolicy(threshold),
    }),
  ])
  const [group] = await chain.groupsOfMember(ana.address)
  const policy = group?.admin ?? ''
  const pay = (amount: string) =>
    sendMessage({ from: policy, to: payee.address, amount, denom: 'nhash' })
  type Account = typeof ana

  return {
    ...world,
    ana,
    ben,
    cleo,
    payee,
    policy,
    groupId: group?.id ?? '',
    pay,
    balance: async (address: string) => Number((await chain.balances(address))[0]?.amount ?? 0),
    async propose(by: Account, ...messages: string[]): Promise<string> {
      const submitted = submittedProposal(await by.send(messages, policy))
      if (submitted.status !== 'pending') throw new Error(`The proposal is ${submitted.status}`)
      return submitted.proposalId
    },
    vote: (by: Account, proposalId: string, choice: VoteChoice = 'yes') =>
      by.send([voteMessage({ proposalId, voter: by.address, choice })]),
    read: (id: string) => readProposal(chain, id, world.at()),
  }
}

/** The chain's error text for a refused transaction. */
const refusalOf = (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof Refusal ? error.errors[0] : String(error)),
  )

test('6 a proposal waits for the votes of the members and is executed by the one that decides', async () => {
  const { chain, at, ana, ben, cleo, payee, policy, pay, propose, vote, read, balance } =
    await aGroup()
  const id = await propose(ana, pay('70'))
  expect(await balance(payee.address)).toBe(FAUCET)
  expect(await read(id)).toEqual({
    id,
    groupId: '1',
    groupName: 'Alder Holdings',
    policyAddress: policy,
    proposers: [ana.address],
    title: '',
    summary: '',
    messages: [
      {
        typeUrl: MsgSend.typeUrl,
        value: MsgSend.encode({
          fromAddress: policy,
          toAddress: payee.address,
          amount: [{ denom: 'nhash', amount: '70' }],
        }).finish(),
        json: expect.stringContaining(payee.address),
      },
    ],
    submittedAt: at(),
    votingEndsAt: at() + TWO_DAYS_MS,
    members: expect.arrayContaining([
      { address: ana.address, weight: '1', name: undefined, vote: 'yes' },
      { address: ben.address, weight: '1', name: undefined, vote: undefined },
    ]),
    tally: { yes: '1', no: '0', abstain: '0', noWithVeto: '0' },
    required: { threshold: '2' },
    status: 'open',
    log: undefined,
  })
  // It is on every member's list and no one else's.
  for (const member of [ana, ben, cleo]) {
    const [open] = await listOpenProposals(chain, member.address, at())
    expect(open?.id).toBe(id)
  }
  expect(await listOpenProposals(chain, payee.address, at())).toEqual([])

  const deciding = await vote(ben, id)
  expect(deciding).toMatchObject({ code: 0 })
  expect(await balance(payee.address)).toBe(FAUCET + 70)
  expect(await read(id)).toMatchObject({ status: 'executed', tally: { yes: '2' } })
  expect(await listOpenProposals(chain, cleo.address, at())).toEqual([])
  const events = (deciding['eventsList'] as { type: string }[]).map(({ type }) => type)
  expect(events.filter((type) => type.startsWith('cosmos.group'))).toEqual([
    'cosmos.group.v1.EventVote',
    'cosmos.group.v1.EventProposalPruned',
    'cosmos.group.v1.EventExec',
  ])
  // As on a real chain, where the proposal is deleted.
  expect(await refusalOf(vote(cleo, id))).toMatch(/load proposal: not found$/)
  expect(
    await refusalOf(cleo.send([execMessage({ proposalId: id, executor: cleo.address })])),
  ).toMatch(/load proposal: not found$/)
  expect(await balance(payee.address)).toBe(FAUCET + 70)
})

test('6 a second vote, a vote of a non-member and a vote after the voting period are refused', async () => {
  const { ana, ben, cleo, payee, pay, propose, vote, read, advance } = await aGroup()
  const id = await propose(ana, pay('70'))
  expect(await refusalOf(vote(ana, id))).toMatch(/store vote: unique constraint violation$/)
  expect(await refusalOf(vote(payee, id))).toMatch(
    new RegExp(`voter address: ${payee.address}: not found$`),
  )
  expect(await refusalOf(vote(ben, '99'))).toMatch(/load proposal: not found$/)
  advance(TWO_DAYS_MS + 1)
  expect(await read(id)).toMatchObject({ status: 'expired' })
  expect(await refusalOf(vote(ben, id))).toMatch(/voting period has ended already: expired$/)
  // Any later block has tallied it.
  await cleo.send([
    sendMessage({ from: cleo.address, to: ana.address, amount: '1', denom: 'nhash' }),
  ])
  expect(await refusalOf(vote(ben, id))).toMatch(/proposal not open for voting: invalid value$/)
  expect(await read(id)).toMatchObject({ status: 'expired', tally: { yes: '1' } })
})

test('6 a proposal is rejected as soon as it can no longer be accepted', async () => {
  const { chain, at, ana, ben, cleo, pay, propose, vote, read, balance, policy } = await aGroup()
  const id = await propose(ana, pay('70'))
  await vote(ben, id, 'no')
  expect(await read(id)).toMatchObject({ status: 'open', tally: { yes: '1', no: '1' } })
  await vote(cleo, id, 'no-with-veto')
  expect(await read(id)).toMatchObject({
    status: 'rejected',
    tally: { yes: '1', no: '1', abstain: '0', noWithVeto: '1' },
  })
  expect(await readProposalResult(chain, id, at())).toEqual({ status: 'rejected', log: undefined })
  expect(await balance(policy)).toBe(FAUCET)
})

test('6 a failed execution of a proposal is reported with the log, and can be executed again', async () => {
  const { chain, at, ana, ben, cleo, policy, payee, pay, propose, vote, read, balance } =
    await aGroup()
  const id = await propose(ana, pay('5'), pay(`${FAUCET}`))
  const failed = await vote(ben, id)
  const log = `proposal execution failed on proposal ${id}, because of error spendable balance ${FAUCET - 5}nhash is smaller than ${FAUCET}nhash: insufficient funds`
  expect(failed).toMatchObject({ code: 1, codespace: 'portico', rawLog: log })
  expect(await read(id)).toMatchObject({ status: 'failed', log })
  expect(await balance(payee.address)).toBe(FAUCET)
  expect(await listOpenProposals(chain, cleo.address, at())).toMatchObject([{ id }])

  await cleo.send([sendMessage({ from: cleo.address, to: policy, amount: '1000', denom: 'nhash' })])
  expect(await cleo.send([execMessage({ proposalId: id, executor: cleo.address })])).toMatchObject({
    code: 0,
  })
  expect(await balance(payee.address)).toBe(2 * FAUCET + 5)
  expect(await readProposalResult(chain, id, at())).toEqual({ status: 'executed', log: undefined })
})

test('6 only a proposer withdraws a proposal', async () => {
  const { ana, ben, pay, propose, vote, read } = await aGroup()
  const id = await propose(ana, pay('70'))
  const withdraw = (by: typeof ana) =>
    by.send([withdrawMessage({ proposalId: id, address: by.address })])
  expect(await refusalOf(withdraw(ben))).toMatch(
    /given address is neither group policy admin nor in proposers: \w+: unauthorized$/,
  )
  await withdraw(ana)
  expect(await read(id)).toMatchObject({ status: 'withdrawn' })
  expect(await refusalOf(withdraw(ana))).toMatch(
    /cannot withdraw a proposal with the status of PROPOSAL_STATUS_WITHDRAWN: invalid value$/,
  )
  expect(await refusalOf(vote(ben, id))).toMatch(/not open for voting/)
})

test('6 a group changes its members by its own vote; open proposals count the current members', async () => {
  const { chain, ana, ben, cleo, payee, policy, groupId, pay, propose, vote, read } = await aGroup()
  const waiting = await propose(ana, pay('7'))
  const change = await propose(
    ana,
    updateMembersMessage({
      groupId,
      admin: policy,
      members: [
        { address: ana.address, weight: '0' },
        { address: payee.address, weight: '1' },
      ],
    }),
  )
  await vote(ben, change)
  expect((await chain.membersOfGroup(groupId)).map(({ address }) => address).toSorted()).toEqual(
    [ben.address, cleo.address, payee.address].toSorted(),
  )
  // The vote of the member who left does not count, and the new member may vote.
  expect(await read(waiting)).toMatchObject({ status: 'open', tally: { yes: '0' } })
  await vote(payee, waiting)
  expect(await read(waiting)).toMatchObject({ status: 'open', tally: { yes: '1' } })
  await vote(cleo, waiting)
  expect(await read(waiting)).toMatchObject({ status: 'executed' })
  // No member can change a group alone.
  const forged = updateMembersMessage({
    groupId,
    admin: ben.address,
    members: [{ address: cleo.address, weight: '0' }],
  })
  expect(await refusalOf(ben.send([forged]))).toMatch(/not group admin; got \w+, expected \w+/)
})

test('6 a new threshold ends the open proposals of the group', async () => {
  const { ana, ben, policy, pay, propose, vote, read } = await aGroup()
  const waiting = await propose(ana, pay('7'))
  const change = await propose(ana, updateThresholdMessage({ policyAddress: policy, threshold: 1 }))
  await vote(ben, change)
  expect(await read(change)).toMatchObject({ status: 'executed' })
  expect(await read(waiting)).toMatchObject({ status: 'aborted' })
  expect(await refusalOf(vote(ben, waiting))).toMatch(/not open for voting/)
  expect(submittedProposal(await ana.send([pay('7')], policy))).toEqual({ status: 'executed' })
})

test('6 a member leaves, and the threshold is then at most the remaining weight', async () => {
  const { ana, ben, cleo, groupId, policy, pay, propose, vote, read } = await aGroup({
    threshold: 3,
  })
  const leave = (by: typeof ana) => by.send([leaveMessage({ groupId, address: by.address })])
  await leave(cleo)
  expect(await refusalOf(leave(cleo))).toMatch(/is not part of group 1: not found$/)
  const id = await propose(ana, pay('7'))
  await vote(ben, id)
  expect(await read(id)).toMatchObject({ status: 'executed' })
  expect(await refusalOf(cleo.send([pay('7')], policy))).toMatch(/not in group/)
})

test('6 an accepted proposal can be executed for two weeks', async () => {
  const { chain, at, ana, ben, pay, propose, vote, read, advance, account, balance, payee } =
    await aGroup()
  const id = await propose(ana, pay(`${2 * FAUCET}`))
  await vote(ben, id)
  advance(TWO_DAYS_MS + TWO_WEEKS_MS)
  expect(await read(id)).toMatchObject({ status: 'failed' })
  advance(1)
  expect(await listOpenProposals(chain, ana.address, at())).toEqual([])
  const stranger = account()
  expect(
    await refusalOf(stranger.send([execMessage({ proposalId: id, executor: stranger.address })])),
  ).toMatch(/load proposal: not found$/)
  expect(await balance(payee.address)).toBe(FAUCET)
  expect(await readProposalResult(chain, '12345', at())).toMatchObject({ status: 'expired' })
})

test('6 proposals that execute each other are executed once, and a failure affects only the inner proposal', async () => {
  const { ana, ben, policy, pay, propose, vote, read, balance, payee } = await aGroup()
  const inner = await propose(ana, pay(`${FAUCET}`), pay('1'))
  // The group's own policy cannot vote, but anyone may execute.
  const outer = await propose(
    ana,
    pay('3'),
    execMessage({ proposalId: inner, executor: policy }),
    pay('4'),
  )
  const self = `${Number(outer) + 1}`
  expect(await propose(ana, execMessage({ proposalId: self, executor: policy }))).toBe(self)
  await vote(ben, outer)
  // The inner one has one vote: executing it decides nothing.
  expect(await read(outer)).toMatchObject({ status: 'executed' })
  expect(await read(inner)).toMatchObject({ status: 'open' })
  expect(await balance(payee.address)).toBe(FAUCET + 7)
  expect(await vote(ben, self)).toMatchObject({ code: 1, codespace: 'portico' })
  expect(await read(self)).toMatchObject({ status: 'failed' })
  const retried = await propose(ana, execMessage({ proposalId: inner, executor: policy }), pay('2'))
  await vote(ben, inner)
  expect(await read(inner)).toMatchObject({ status: 'failed' })
  await vote(ben, retried)
  // The inner one failed again; the outer one continued.
  expect(await read(inner)).toMatchObject({ status: 'failed' })
  expect(await read(retried)).toMatchObject({ status: 'executed' })
  expect(await balance(payee.address)).toBe(FAUCET + 9)
})

test('5 a page receives the result of a proposal when it is decided, and never a success before', async () => {
  const { chain, at, ana, ben, cleo, pay, policy, vote, advance } = await aGroup()
  const propose = () => ana.send([pay('7')], policy)
  const idOf = (response: unknown) => {
    const submitted = submittedProposal(response)
    return submitted.status === 'pending' ? submitted.proposalId : ''
  }
  const follow = (response: Readonly<Record<string, unknown>>) =>
    responseOfProposal(
      chain,
      { proposalId: idOf(response), txhash: String(response['txhash']) },
      at,
    )

  const accepted = await propose()
  expect(await follow(accepted)).toBeUndefined()
  await vote(ben, idOf(accepted))
  expect(await follow(accepted)).toMatchObject({ code: 0 })

  const rejected = await propose()
  const id = idOf(rejected)
  await vote(ben, id, 'no')
  await vote(cleo, id, 'no')
  expect(await follow(rejected)).toMatchObject({
    txhash: rejected['txhash'],
    codespace: 'portico',
    code: 2,
    rawLog: `The members of the group rejected proposal ${id}.`,
  })

  const waiting = await propose()
  expect(await follow(waiting)).toBeUndefined()
  advance(TWO_DAYS_MS + 1)
  expect(await follow(waiting)).toMatchObject({ code: 3 })
  const payment = await ana.send([
    sendMessage({ from: ana.address, to: ben.address, amount: '1', denom: 'nhash' }),
  ])
  expect(submittedProposal(payment)).toEqual({ status: 'none' })
  expect(await groupsOfProposals(chain, [id, '99'])).toEqual(new Map([[id, policy]]))
})

test('5 a node that lags behind does not end a proposal that it has not seen yet', async () => {
  const { chain, at, ana, pay, policy } = await aGroup()
  const response = await ana.send([pay('7')], policy)
  const submitted = submittedProposal(response)
  if (submitted.status !== 'pending') return expect.fail(submitted.status)
  const proposed = { proposalId: submitted.proposalId, txhash: String(response['txhash']) }
  const lagging = {
    ...chain,
    proposal: async () => undefined,
    executionOfProposal: async () => undefined,
    transaction: async () => undefined,
  }
  expect(await responseOfProposal(lagging, proposed, at)).toBeUndefined()
  const pruned = { ...lagging, transaction: chain.transaction }
  expect(await responseOfProposal(pruned, proposed, at)).toMatchObject({ code: 3 })
})
