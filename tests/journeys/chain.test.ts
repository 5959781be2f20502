import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { findTransaction, listTransfers, readBalance } from '@portico/chain-client/transfers'
import { readHostedAccounts } from '@portico/contracts/hosted-wallet'
import { expect, test } from 'vitest'
import { aChainAccount, askNode, balanceOf, broadcast } from '../support/chain-account.ts'
import { PEOPLE } from '../support/people.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld } from '../support/world.ts'

const FAUCET = 1_000_000_000_000
const FEE = 400_000 * 1905
/** The address that the chain's software derives for its first group, with our prefix. */
const FIRST_POLICY = 'tp1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzserjkkf'

/** A world with its development chain and an account. */
async function chain() {
  const world = await aWorld()
  const url = `${world.url}/chain`
  return { world, url, me: aChainAccount(url), other: aChainAccount(url) }
}

test('the development chain: an account exists from its first query, and an amount moves from one to another', async () => {
  const { world, url, me, other } = await chain()
  await using _ = world
  expect(await askNode(url, `/cosmos/auth/v1beta1/accounts/${me.address}`)).toEqual({
    account: {
      '@type': '/cosmos.auth.v1beta1.BaseAccount',
      address: me.address,
      pub_key: null,
      account_number: expect.stringMatching(/^\d+$/),
      sequence: '0',
    },
  })
  expect(await balanceOf(url, me.address)).toBe(FAUCET)
  const sent = await me.send([me.payment(other.address, '100000')], { memo: 'rent' })
  expect(sent).toMatchObject({ code: 0, codespace: '', raw_log: '', gas_wanted: '400000' })
  expect(sent.txhash).toMatch(/^[0-9A-F]{64}$/)
  expect(sent.events.map(({ type }) => type)).toContain('transfer')
  expect(await balanceOf(url, me.address)).toBe(FAUCET - FEE - 100_000)
  expect(await balanceOf(url, other.address)).toBe(FAUCET + 100_000)
  expect(await askNode(url, `/cosmos/tx/v1beta1/txs/${sent.txhash}`)).toMatchObject({
    tx: {
      body: {
        memo: 'rent',
        messages: [
          {
            '@type': '/cosmos.bank.v1beta1.MsgSend',
            from_address: me.address,
            to_address: other.address,
            amount: [{ denom: 'nhash', amount: '100000' }],
          },
        ],
      },
      auth_info: { signer_infos: [{ sequence: '0' }], fee: { gas_limit: '400000' } },
    },
  })
  expect(await askNode(url, '/cosmos/base/tendermint/v1beta1/node_info')).toMatchObject({
    default_node_info: { network: 'pio-testnet-1' },
  })
})

test('5 a failed transaction returns the same code and raw log as a node', async () => {
  const { world, url, me, other } = await chain()
  await using _ = world
  const payment = (amount: string) => [me.payment(other.address, amount)]

  // A transaction that the node refuses changes nothing.
  const before = await balanceOf(url, me.address)
  for (const [deviations, code, log] of [
    [
      { sequence: 4 },
      32,
      'account sequence mismatch, expected 0, got 4: incorrect account sequence',
    ],
    [{ fee: '1' }, 13, 'insufficient fees; got: 1nhash required: 762000000nhash: insufficient fee'],
    [
      { fee: '9000000000000' },
      5,
      /^spendable balance \d+nhash is smaller than 9000000000000nhash: insufficient funds$/,
    ],
    [{ timeoutHeight: 1 }, 30, /^block height: \d+, timeout height: 1: tx timeout height$/],
    [{ memo: 'm'.repeat(257) }, 12, /memo too large$/],
    [{ memo: 'ж'.repeat(129) }, 12, /received 258 characters: memo too large$/],
    [{ granter: other.address }, 38, 'fee-grant not found: not found'],
  ] as const) {
    const answer = await me.send(payment('5'), deviations)
    expect(answer).toMatchObject({ code, codespace: 'sdk', height: '0' })
    expect(answer.raw_log).toEqual(typeof log === 'string' ? log : expect.stringMatching(log))
  }
  expect(await balanceOf(url, me.address)).toBe(before)

  // A transaction that fails in its block has paid its fee and used its sequence.
  const tooMuch = await me.send(payment(`${FAUCET}`))
  expect(tooMuch).toMatchObject({ code: 5, codespace: 'sdk' })
  expect(tooMuch.raw_log).toBe(
    `failed to execute message; message index: 0: spendable balance ${FAUCET - FEE}nhash is smaller than ${FAUCET}nhash: insufficient funds`,
  )
  const starved = await me.send(payment('5'), { gas: 1000 })
  expect(starved).toMatchObject({
    code: 11,
    raw_log: expect.stringMatching(/^out of gas in location/),
  })
  expect(await balanceOf(url, me.address)).toBe(before - FEE - 1000 * 1905)
  // Several messages are executed together or not at all.
  const half = await me.send([...payment('5'), ...payment(`${FAUCET}`)])
  expect(half.raw_log).toMatch(/^failed to execute message; message index: 1/)
  expect(await balanceOf(url, other.address)).toBe(FAUCET)

  for (const [amount, denom, code] of [
    ['0', 'nhash', 10],
    ['-5', 'nhash', 10],
    ['1e3', 'nhash', 10],
    ['5', 'n', 10],
    ['5', 'gold', 5],
    ['9'.repeat(70), 'nhash', 5],
  ] as const) {
    const answer = await me.send([me.payment(other.address, amount, denom)])
    expect([amount, denom, answer.code]).toEqual([amount, denom, code])
  }
  expect(await me.send([me.payment('tp1nobody', '5')])).toMatchObject({ code: 7 })
  expect(
    await me.send([{ typeUrl: '/cosmos.bank.v1beta1.MsgBurn', value: new Uint8Array() }]),
  ).toMatchObject({
    code: 2,
    raw_log: expect.stringContaining('unable to resolve type URL /cosmos.bank.v1beta1.MsgBurn'),
  })
  expect(await broadcast(url, new Uint8Array([1, 2, 3]))).toMatchObject({ code: 2 })
})

test('6 a group is created with its policy and acts by its member’s proposals', async () => {
  const { world, url, me, other } = await chain()
  await using _ = world
  const transaction = await me.send([me.groupCreation('{"name":"Larch"}')])
  expect(transaction).toMatchObject({ code: 0 })
  const { groups } = (await askNode(url, `/cosmos/group/v1/groups_by_member/${me.address}`)) as {
    groups: { id: string; admin: string; metadata: string; total_weight: string }[]
  }
  expect(groups).toEqual([
    {
      id: expect.stringMatching(/^\d+$/),
      admin: expect.stringMatching(/^tp1\w{58}$/),
      metadata: '{"name":"Larch"}',
      version: '2',
      total_weight: '1',
      created_at: expect.any(String),
    },
  ])
  const [group] = groups
  const policy = group?.admin ?? ''
  expect(await askNode(url, `/cosmos/group/v1/group_policy_info/${policy}`)).toMatchObject({
    info: {
      address: policy,
      group_id: group?.id,
      admin: policy,
      decision_policy: { '@type': '/cosmos.group.v1.ThresholdDecisionPolicy', threshold: '1' },
    },
  })
  expect(await askNode(url, `/cosmos/group/v1/group_members/${group?.id}`)).toMatchObject({
    members: [{ group_id: group?.id, member: { address: me.address, weight: '1' } }],
  })
  expect(await askNode(url, `/cosmos/group/v1/group_policies_by_group/${group?.id}`)).toMatchObject(
    {
      group_policies: [{ address: policy }],
    },
  )

  const groupPays = (amount: string) => me.payment(other.address, amount, 'nhash', policy)
  const done = await me.send([me.proposal(policy, [groupPays('70')])])
  expect(done).toMatchObject({ code: 0 })
  expect(await balanceOf(url, policy)).toBe(FAUCET - 70)
  expect(await balanceOf(url, other.address)).toBe(FAUCET + 70)

  // As on the real chain, a failed proposal does not fail its transaction; none of its messages take effect.
  const failed = await me.send([me.proposal(policy, [groupPays('7'), groupPays(`${FAUCET}`)])])
  expect(failed).toMatchObject({ code: 0 })
  const executed = failed.events.find(({ type }) => type === 'cosmos.group.v1.EventExec')
  expect(executed?.attributes).toContainEqual(
    expect.objectContaining({ key: 'result', value: '"PROPOSAL_EXECUTOR_RESULT_FAILURE"' }),
  )
  expect(await balanceOf(url, policy)).toBe(FAUCET - 70)

  // A non-member cannot propose, and a proposal can spend only the group's funds.
  expect(await other.send([other.proposal(policy, [groupPays('1')])])).toMatchObject({
    code: 7,
    codespace: 'group',
  })
  expect(await me.send([me.proposal(policy, [me.payment(other.address, '1')])])).toMatchObject({
    code: 4,
  })
  expect(await me.send([groupPays('1')])).toMatchObject({ code: 8 })
})

test('the groups of the demonstration people are on the chain, with their wallets as members, once', async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const url = `${world.url}/chain`
  const browser = world.browser()
  await browser.signIn(PEOPLE.organizations)
  const [account] = await browser.call(readHostedAccounts, {})
  const [larch] = account?.groups ?? []
  // It has the address that the chain derives for its first group.
  expect(larch?.address).toBe(FIRST_POLICY)
  expect(await askNode(url, `/cosmos/group/v1/group_policy_info/${larch?.address}`)).toMatchObject({
    info: { address: larch?.address, admin: larch?.address },
  })
  expect(await askNode(url, `/cosmos/group/v1/groups_by_member/${account?.address}`)).toMatchObject(
    {
      groups: [{ metadata: '{"name":"Larch Partners"}' }],
    },
  )
  // The next group gets another address.
  const me = aChainAccount(url)
  expect(await me.send([me.groupCreation()])).toMatchObject({ code: 0 })
  expect(await world.query('select * from chain_group_policies')).toHaveLength(3)
})

test('with another node configured, and in production, there is no development chain', async () => {
  await using configured = await aWorld().withSettings({ CHAIN_URL: 'http://127.0.0.1:9' })
  const path = '/chain/cosmos/base/tendermint/v1beta1/node_info'
  // Requests go to that node, which does not respond.
  expect((await fetch(`${configured.url}${path}`)).status).toBe(503)
  await using production = await aWorld().inProduction({
    send: async () => undefined,
    close: () => undefined,
  })
  expect((await fetch(`${production.url}${path}`)).status).toBe(404)
})

test('an account’s transfers are found by sender and recipient, the newest first, without fees', async () => {
  const { world, url, me, other } = await chain()
  await using _ = world
  const node = httpChainNode(url)
  const sent = await me.send([me.payment(other.address, '100000')], { memo: 'rent' })
  const back = await other.send([other.payment(me.address, '7')])
  const failed = await me.send([me.payment(other.address, `${10n ** 15n}`)])
  const rent = {
    hash: sent.txhash,
    code: 0,
    memo: 'rent',
    fee: [{ denom: 'nhash', amount: `${FEE}` }],
    transfers: [
      { from: me.address, to: other.address, coins: [{ denom: 'nhash', amount: '100000' }] },
    ],
  }
  expect(await listTransfers(node, me.address)).toMatchObject([
    { hash: failed.txhash, code: 5, rawLog: expect.stringContaining('insufficient funds') },
    { hash: back.txhash, transfers: [{ from: other.address, to: me.address }] },
    rent,
  ])
  expect(await listTransfers(node, other.address)).toMatchObject([{ hash: back.txhash }, rent])
  expect(await findTransaction(node, sent.txhash.toLowerCase())).toMatchObject(rent)
  expect(await findTransaction(node, 'A'.repeat(64))).toBeUndefined()
  expect(await readBalance(node, other.address, 'nhash')).toBe(BigInt(FAUCET + 100_000 - 7 - FEE))
  for (const query of ['', 'message.sender=1', "transfer.sender='x' or 1=1", "tx.height='1'"]) {
    const path = `/cosmos/tx/v1beta1/txs?${new URLSearchParams({ query })}`
    expect((await node(path)).status).toBe(400)
  }
})
