/** The development chain refuses the same attacks as a real node. */
import { randomBytes, randomInt } from 'node:crypto'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { expect, test } from 'vitest'
import { aChainAccount, balanceOf, broadcast } from '../support/chain-account.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld } from '../support/world.ts'

const RACERS = 200
const FAUCET = 1_000_000_000_000
const UNAUTHORIZED = { code: 4, raw_log: expect.stringMatching(/^signature verification failed/) }

/** A victim with funds, and a thief. */
async function chain(nodes = 1) {
  const world = await aWorld().withNodes(nodes)
  const url = `${world.url}/chain`
  return { world, url, victim: aChainAccount(url), thief: aChainAccount(url) }
}

test('a transaction is accepted only from its signer, for its exact bytes, on this chain', {
  tags: 'database',
}, async () => {
  const { world, url, victim, thief } = await chain()
  await using _ = world
  const loot = [victim.payment(thief.address, '5')]
  expect(await victim.send(loot, { signedBy: thief.privateKey })).toMatchObject(UNAUTHORIZED)
  expect(await victim.send(loot, { chainId: 'pio-mainnet-1' })).toMatchObject(UNAUTHORIZED)
  expect(await victim.send(loot, { accountNumber: 4711 })).toMatchObject(UNAUTHORIZED)
  // The thief's key and signature in place of the victim's.
  const { privateKey: signedBy, publicKey } = thief
  expect(await victim.send(loot, { signedBy, publicKey })).toMatchObject({ code: 8 })
  expect(await thief.send(loot)).toMatchObject({ code: 8 })
  const noKey = new Uint8Array(33)
  expect(await victim.send(loot, { publicKey: noKey })).toMatchObject({ code: 8 })

  const good = TxRaw.decode(await victim.build([victim.payment(publicAddress(url), '5')]))
  const body = TxBody.decode(good.bodyBytes)
  const tampered = { ...body, messages: loot }
  const bodyBytes = TxBody.encode(TxBody.fromPartial(tampered)).finish()
  expect(await broadcast(url, TxRaw.encode({ ...good, bodyBytes }).finish())).toMatchObject(
    UNAUTHORIZED,
  )
  for (const signatures of [
    [],
    [new Uint8Array(64)],
    [randomBytes(64)],
    [...good.signatures, ...good.signatures],
  ]) {
    const { code } = await broadcast(url, TxRaw.encode({ ...good, signatures }).finish())
    expect([4, 15]).toContain(code)
  }
  expect(await balanceOf(url, thief.address)).toBe(FAUCET)
  expect(await balanceOf(url, victim.address)).toBe(FAUCET)
})

test('a transaction works once: a replay is refused, and so is its high-S twin', async () => {
  const { world, url, victim, thief } = await chain()
  await using _ = world
  const bytes = await victim.build([victim.payment(thief.address, '5')])
  expect(await broadcast(url, bytes)).toMatchObject({ code: 0 })
  expect(await broadcast(url, bytes)).toMatchObject({ code: 32 })
  expect(
    await broadcast(url, twinOf(await victim.build([victim.payment(thief.address, '5')]))),
  ).toMatchObject(UNAUTHORIZED)
  expect(await balanceOf(url, thief.address)).toBe(FAUCET + 5)
})

test('exactly one of 200 simultaneous broadcasts with the same sequence succeeds', {
  tags: 'database',
}, async () => {
  const { world, victim, thief } = await chain(ON_POSTGRES ? 2 : 1)
  await using _ = world
  const urls = world.nodes.map(({ url }) => `${url}/chain`)
  const transactions = await Promise.all(
    Array.from({ length: RACERS }, (_, index) =>
      victim.build([victim.payment(thief.address, '5')], { memo: `${index}`, sequence: 0 }),
    ),
  )
  const answers = await Promise.all(
    transactions.map((bytes, index) => broadcast(urls[index % urls.length] ?? '', bytes)),
  )
  const codes = Map.groupBy(answers, ({ code }) => code)
  expect(
    [...codes].map(([code, all]) => [code, all.length]).toSorted(([a = 0], [b = 0]) => a - b),
  ).toEqual([
    [0, 1],
    [32, RACERS - 1],
  ])
  expect(await world.query('select * from chain_transactions')).toHaveLength(1)
  expect(await balanceOf(urls[0] ?? '', thief.address)).toBe(FAUCET + 5)
})

test('6 a proposal is executed once, however many members vote on it and execute it at once', {
  tags: 'database',
}, async () => {
  const { world, url, victim, thief } = await chain(ON_POSTGRES ? 2 : 1)
  await using _ = world
  const urls = world.nodes.map((node) => `${node.url}/chain`)
  const others = Array.from({ length: 8 }, (_each, index) =>
    aChainAccount(urls[index % urls.length] ?? ''),
  )
  const creation = victim.groupCreation('', {
    others: others.map(({ address }) => address),
    threshold: 3,
  })
  expect(await victim.send([creation], { gas: 800_000 })).toMatchObject({ code: 0 })
  const [row] = await world.query(
    'select address from chain_group_policies order by group_id desc limit 1',
  )
  const policy = String(row?.['address'])
  for (let round = 1; round <= 5; round += 1) {
    const before = await balanceOf(url, thief.address)
    const payment = victim.payment(thief.address, '70', 'nhash', policy)
    expect(await victim.send([victim.proposal(policy, [payment])])).toMatchObject({ code: 0 })
    const [proposal] = await world.query('select max(id) as id from chain_proposals')
    const id = Number(proposal?.['id'])
    const voters = others.slice(0, 5)
    const executors = others.slice(5)
    const ends = await Promise.all([
      ...voters.map((voter) => voter.send([voter.vote(id)])),
      ...executors.map((executor) => executor.send([executor.execution(id)])),
    ])
    const executions = ends.flatMap(({ events }) =>
      events.filter(({ type }) => type === 'cosmos.group.v1.EventProposalPruned'),
    )
    expect(executions).toHaveLength(1)
    expect(await balanceOf(url, thief.address)).toBe(before + 70)
    // Two votes besides the proposer's are enough; later transactions are refused.
    expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([0, 38]))
    const votes = await world.query(`select * from chain_votes where proposal_id = ${id}`)
    expect(votes).toHaveLength(3)
  }
})

test('nothing is spent twice and nothing is lost: the total stays what the faucet issued', async () => {
  const { world, url } = await chain()
  await using _ = world
  const people = Array.from({ length: 6 }, () => aChainAccount(url))
  await Promise.all(
    people.map(async (person, index) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const to = people[(index + turn + 1) % people.length]?.address ?? ''
        await person.send([person.payment(to, `${turn === 2 ? FAUCET * 2 : 1000}`)])
      }
    }),
  )
  const [{ total, accounts } = {}] = await world.query(
    'select sum(amount) as total, (select count(*) from chain_accounts) as accounts from chain_balances',
  )
  // The fee collector received no initial funds and is not counted.
  expect(Number(total)).toBe(Number(accounts) * FAUCET)
})

test('the chain answers any bytes without an internal error', async () => {
  const { world, url, victim, thief } = await chain()
  await using _ = world
  const good = await victim.build([victim.groupCreation('{}'), victim.payment(thief.address, '5')])
  const ends = await Promise.all(
    Array.from({ length: 300 }, async (_each, index) => {
      const bytes = Uint8Array.from(good)
      for (let change = 0; change <= index % 4; change += 1) {
        bytes[randomInt(bytes.length)] = randomInt(256)
      }
      const cut = index % 7 === 0 ? bytes.subarray(0, randomInt(bytes.length)) : bytes
      for (const path of ['txs', 'simulate']) {
        const response = await fetch(`${url}/cosmos/tx/v1beta1/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ tx_bytes: Buffer.from(cut).toString('base64') }),
        })
        if (response.status >= 500) return `${response.status} ${Buffer.from(cut).toString('hex')}`
      }
      return 'answered'
    }),
  )
  expect(new Set(ends)).toEqual(new Set(['answered']))
  // Values that one database engine cannot store are refused by both.
  expect(await victim.send([victim.groupCreation('a\0b')])).toMatchObject({
    code: 6,
    codespace: 'group',
  })
  const reply = await fetch(
    `${url}/cosmos/bank/v1beta1/balances/${victim.address}/by_denom?denom=%00`,
  )
  expect(reply.status).toBe(400)
  for (const body of ['{}', '{"tx_bytes":7}', '[]', 'null', '{"tx_bytes":"!"}']) {
    const response = await fetch(`${url}/cosmos/tx/v1beta1/txs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect([body, response.status]).toEqual([body, 400])
  }
  // Two slashes begin a host in a relative URL.
  for (const path of ['/', '//', '//[', '/?', '/@:x']) {
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 501])
  }
})

/** The victim's address. */
const publicAddress = (url: string) => aChainAccount(url).address

/** The same transaction with the high-S twin of its signature. */
function twinOf(bytes: Uint8Array): Uint8Array {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const { signatures, ...rest } = TxRaw.decode(bytes)
  const [signature = new Uint8Array()] = signatures
  const low = BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`)
  const high = Buffer.from((order - low).toString(16).padStart(64, '0'), 'hex')
  const twin = Buffer.concat([signature.subarray(0, 32), high])
  return TxRaw.encode({ ...rest, signatures: [twin] }).finish()
}
