import { execMessage, voteMessage } from '@portico/chain-client/group-messages'
import { packMessage, sendMessage } from '@portico/chain-client/messages'
import { readProposal, submittedProposal } from '@portico/chain-client/proposals'
import { Refusal } from '@portico/contracts/errors'
import { MsgMultiSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgCreateGroupWithPolicy } from 'cosmjs-types/cosmos/group/v1/tx'
import {
  PercentageDecisionPolicy,
  ThresholdDecisionPolicy,
} from 'cosmjs-types/cosmos/group/v1/types'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { formatDecimal, isShare, parseDecimal } from './decimal.ts'
import { MIGRATIONS, migrate } from './migrate.ts'
import { aDevelopmentChain, memoryDatabase } from './testing.ts'

const FAUCET = 1_000_000_000_000
const HOUR_MS = 3_600_000

const refusalOf = (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof Refusal ? error.errors[0] : String(error)),
  )

test('the faucet pays an address once an hour, even if it is requested several times at once', async () => {
  const { node, chain, account, advance } = await aDevelopmentChain()
  const { address } = account()
  const ask = (body: unknown) => node('/faucet', body)
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask({ address })))
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 429, 429, 429, 429,
  ])
  // The first amount is the one of every new account.
  expect(await chain.balances(address)).toEqual([{ denom: 'nhash', amount: `${2 * FAUCET}` }])
  expect((await ask({ address: account().address })).status).toBe(200)
  advance(HOUR_MS - 1)
  expect(await ask({ address })).toEqual({
    status: 429,
    content: { code: 8, message: 'The faucet pays each address once an hour.', details: [] },
  })
  advance(1)
  expect((await ask({ address })).status).toBe(200)
  for (const wrong of [
    {},
    { address: 'tp1nobody' },
    { address: 7 },
    null,
    { address: `pb1${address}` },
  ]) {
    expect((await ask(wrong)).status).toBe(400)
  }
})

test('a payment of the faucet that fails is not recorded, and can be requested again', async () => {
  const database = memoryDatabase()
  const { node, chain, account } = await aDevelopmentChain(database)
  const { address } = account()
  const before = await chain.balances(address)
  await sql`create trigger full before insert on chain_balances begin select raise(abort, 'full'); end`.execute(
    database,
  )
  await expect(node('/faucet', { address })).rejects.toThrow('full')
  await sql`drop trigger full`.execute(database)
  expect(await chain.balances(address)).toEqual(before)
  expect((await node('/faucet', { address })).status).toBe(200)
  expect(await chain.balances(address)).toEqual([{ denom: 'nhash', amount: `${2 * FAUCET}` }])
})

test('one account pays several, all or none', async () => {
  const { chain, account } = await aDevelopmentChain()
  const [ana, ben, cleo] = [account(), account(), account()]
  const coins = (amount: string) => [{ denom: 'nhash', amount }]
  const payment = (input: string, outputs: readonly string[], inputs = 1) =>
    packMessage(MsgMultiSend, {
      inputs: Array.from({ length: inputs }, (_, index) => ({
        address: index === 0 ? ana.address : ben.address,
        coins: coins(input),
      })),
      outputs: [ben, cleo]
        .slice(0, outputs.length)
        .map(({ address }, index) => ({ address, coins: coins(outputs[index] ?? '') })),
    })
  expect(await ana.send([payment('5', ['2', '3'])])).toMatchObject({ code: 0 })
  expect(await chain.balances(ben.address)).toEqual(coins(`${FAUCET + 2}`))
  expect(await chain.balances(cleo.address)).toEqual(coins(`${FAUCET + 3}`))
  for (const [message, text] of [
    [payment('5', ['2', '2']), /sum inputs != sum outputs$/],
    [payment('5', []), /no outputs to send transaction$/],
    [payment('0', ['0']), /amounts must be positive: invalid coins$/],
    [payment(`${FAUCET}`, ['1', `${FAUCET - 1}`]), /insufficient funds$/],
  ] as const) {
    expect(await refusalOf(ana.send([message]))).toMatch(text)
  }
  expect(await chain.balances(ben.address)).toEqual(coins(`${FAUCET + 2}`))
})

test('a transaction is found by its hash, in the format for pages', async () => {
  const { chain, account } = await aDevelopmentChain()
  const [ana, ben] = [account(), account()]
  const sent = await ana.send([
    sendMessage({ from: ana.address, to: ben.address, amount: '5', denom: 'nhash' }),
  ])
  expect(await chain.transaction(String(sent['txhash']))).toEqual(sent)
  expect(await chain.transaction('A'.repeat(64))).toBeUndefined()
})

test('decimals are exact', () => {
  expect(parseDecimal('0.1')).toBe(100_000n)
  expect(formatDecimal((parseDecimal('0.7') ?? 0n) + (parseDecimal('0.1') ?? 0n))).toBe('0.8')
  for (const wrong of ['', '-1', '1e3', '.5', '1.', '1,5', '0.1234567', '١']) {
    expect([wrong, parseDecimal(wrong)]).toEqual([wrong, undefined])
  }
  expect(isShare(1n, 3n, 333_333n)).toBe(true)
  expect(isShare(1n, 3n, 333_334n)).toBe(false)
  expect(isShare(0n, 0n, 1n)).toBe(false)
})

/** A group of two weighted members, and a proposal by the first. */
async function aProposal(decisionPolicy: Any, weights: readonly [string, string]) {
  const world = await aDevelopmentChain()
  const { chain, account } = world
  const [ana, ben] = [account(), account()]
  const created = ana.send([
    packMessage(MsgCreateGroupWithPolicy, {
      admin: ana.address,
      members: [ana, ben].map(({ address }, index) => ({
        address,
        weight: weights[index] ?? '',
        metadata: '',
      })),
      groupMetadata: '',
      groupPolicyMetadata: '',
      groupPolicyAsAdmin: true,
      decisionPolicy,
    }),
  ])
  return {
    ...world,
    ana,
    ben,
    created,
    async propose() {
      await created
      const [{ admin: policy } = { admin: '' }] = await chain.groupsOfMember(ana.address)
      const payment = sendMessage({ from: policy, to: ben.address, amount: '7', denom: 'nhash' })
      return submittedProposal(await ana.send([payment], policy))
    },
  }
}

const period = (seconds: bigint) => ({ seconds, nanos: 0 })

const packed = <Message>(
  codec: { readonly typeUrl: string; encode(message: Message): { finish(): Uint8Array } },
  message: Message,
): Any => ({ typeUrl: codec.typeUrl, value: codec.encode(message).finish() })

function policyOf(
  fields: { readonly threshold: string } | { readonly percentage: string },
  windows: { readonly voting?: bigint; readonly waiting?: bigint } = {},
): Any {
  const both = {
    votingPeriod: period(windows.voting ?? 60n),
    minExecutionPeriod: period(windows.waiting ?? 0n),
  }
  return 'threshold' in fields
    ? packed(ThresholdDecisionPolicy, { ...fields, windows: both })
    : packed(PercentageDecisionPolicy, { ...fields, windows: both })
}

test.each([
  ['0.7 of 0.8, with 0.7', policyOf({ threshold: '0.7' }), ['0.7', '0.1'], 'executed'],
  ['0.8 of 0.8, with 0.7', policyOf({ threshold: '0.8' }), ['0.7', '0.1'], 'pending'],
  ['more than there is, with everything', policyOf({ threshold: '5' }), ['2', '1'], 'pending'],
  ['half, with half', policyOf({ percentage: '0.5' }), ['1', '1'], 'executed'],
  ['two thirds, with 66.6666 %', policyOf({ percentage: '0.666667' }), ['2', '1'], 'pending'],
  ['66.6666 %, with two thirds', policyOf({ percentage: '0.666666' }), ['2', '1'], 'executed'],
] as const)('6 a decision policy that requires %s is %s', async (_, policy, weights, status) => {
  const { propose } = await aProposal(policy, weights)
  expect(await propose()).toMatchObject({ status })
})

test.each([
  ['no voting period', policyOf({ threshold: '1' }, { voting: 0n })],
  ['a negative voting period', policyOf({ threshold: '1' }, { voting: -5n })],
  ['an endless voting period', policyOf({ threshold: '1' }, { voting: 2n ** 62n })],
  ['a wait beyond the execution', policyOf({ threshold: '1' }, { waiting: 1_209_661n })],
  ['a threshold of zero', policyOf({ threshold: '0' })],
  ['a percentage above 1', policyOf({ percentage: '1.01' })],
  ['an unknown kind', { typeUrl: '/policy', value: Uint8Array.of() }],
] as const)('6 a group with %s is refused', async (_, policy) => {
  const { created } = await aProposal(policy, ['1', '1'])
  expect(await refusalOf(created)).toMatch(/: invalid value$/)
})

test('6 a proposal is not executed before the minimum period', async () => {
  const { chain, at, advance, ben, propose } = await aProposal(
    policyOf({ threshold: '2' }, { waiting: 30n }),
    ['1', '1'],
  )
  const submitted = await propose()
  const proposalId = submitted.status === 'pending' ? submitted.proposalId : ''
  const vote = await ben.send([voteMessage({ proposalId, voter: ben.address, choice: 'yes' })])
  expect(vote).toMatchObject({
    code: 1,
    rawLog: expect.stringMatching(/must wait until 2026-01-01T00:00:30.000Z to execute/),
  })
  expect(await readProposal(chain, proposalId, at())).toMatchObject({ status: 'failed' })
  advance(30_000)
  expect(await ben.send([execMessage({ proposalId, executor: ben.address })])).toMatchObject({
    code: 0,
  })
})

test('a database of the first version is upgraded with its groups', async () => {
  const database = memoryDatabase()
  const [first = ''] = Object.keys(MIGRATIONS)
  const { [first]: baseline = {} as never } = MIGRATIONS
  await migrate(database, { [first]: baseline })
  await sql`insert into chain_groups values (1, 'tp1policy', '{"name":"Old"}', '1', 5)`.execute(
    database,
  )
  await sql`insert into chain_group_members values (1, 'tp1member', '1', '', 5)`.execute(database)
  const policy = '{"threshold":"1","windows":{"voting_period":"60s","min_execution_period":"0s"}}'
  await sql`insert into chain_group_policies values ('tp1policy', 1, 'tp1policy', '', ${policy}, 5)`.execute(
    database,
  )
  const { chain, node } = await aDevelopmentChain(database)
  expect(await chain.groupsOfMember('tp1member')).toMatchObject([
    { id: '1', metadata: '{"name":"Old"}' },
  ])
  expect((await node('/cosmos/group/v1/group_info/1')).content).toMatchObject({
    info: { version: '1' },
  })
  expect(await chain.proposalsOfPolicy('tp1policy')).toEqual([])
  // Opening it again changes nothing.
  await migrate(database)
})

test('6 the seeded groups have their threshold', async () => {
  const { chain, seedGroups, account } = await aDevelopmentChain()
  const [ana, ben] = [account(), account()]
  const group = {
    address: 'tp1policy',
    name: 'Alder',
    members: [ana.address, ben.address],
    threshold: 2,
  }
  await seedGroups([group])
  await seedGroups([group])
  expect(await chain.groupsOfMember(ben.address)).toHaveLength(1)
  expect((await chain.policy('tp1policy')).decision_policy.threshold).toBe('2')
})
