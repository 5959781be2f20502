import { createServer, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { listen } from '../support/listen.ts'
import { aWorld } from '../support/world.ts'

const ADDRESS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const POLICY = 'tp1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzserjkkf'
const HASH = 'A1'.repeat(32)
const BROADCAST = { tx_bytes: 'AQID', mode: 'BROADCAST_MODE_SYNC' }

/** A node that records its requests, and a world that uses it. */
async function aNode(
  answer: { status?: number; text?: string; headers?: Record<string, string> } = {},
) {
  const received: { request: string; body: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      received.push({ request: `${request.method} ${request.url}`, body, headers: request.headers })
      response.writeHead(answer.status ?? 200, answer.headers)
      response.end(answer.text ?? '{"ok":true}')
    })
  })
  const port = await listen(server)
  const world = await aWorld().withSettings({ CHAIN_URL: `http://127.0.0.1:${port}/rest/` })
  return {
    received,
    post: (path: string, body: unknown) =>
      world.browser().fetch(`/chain${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    get: (path: string, headers: Record<string, string> = {}) =>
      world.browser().fetch(`/chain${path}`, { headers }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

test('7.4 wallets’ reads and posts are forwarded to the node, without the browser’s headers', async () => {
  await using node = await aNode()
  const paths = [
    `/cosmos/auth/v1beta1/accounts/${ADDRESS}`,
    `/cosmos/bank/v1beta1/balances/${POLICY}/by_denom?denom=nhash`,
    `/cosmos/tx/v1beta1/txs/${HASH}`,
    `/cosmos/group/v1/groups_by_member/${ADDRESS}?pagination.reverse=true`,
    '/cosmos/group/v1/group_members/7',
    '/cosmos/group/v1/proposals/7/tally',
    `/cosmos/group/v1/vote_by_proposal_voter/7/${ADDRESS}`,
  ]
  for (const path of paths) {
    const response = await node.get(path, { cookie: 'a=b', authorization: 'Bearer x' })
    expect([response.status, await response.json()], path).toEqual([200, { ok: true }])
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  }
  expect(node.received.map(({ request }) => request)).toEqual(
    paths.map((path) => `GET /rest${path}`),
  )
  for (const { headers } of node.received) {
    expect(headers).not.toHaveProperty('cookie')
    expect(headers).not.toHaveProperty('authorization')
  }
  expect((await node.post('/cosmos/tx/v1beta1/txs', BROADCAST)).status).toBe(200)
  expect(node.received.at(-1)).toMatchObject({
    request: 'POST /rest/cosmos/tx/v1beta1/txs',
    body: JSON.stringify(BROADCAST),
  })
  const { tx_bytes } = BROADCAST
  for (const call of ['cosmos/tx/v1beta1/simulate', 'provenance/tx/v1/calculate_flat_fee']) {
    expect((await node.post(`/${call}`, { tx_bytes })).status).toBe(200)
    expect(node.received.at(-1)).toMatchObject({
      request: `POST /rest/${call}`,
      body: JSON.stringify({ tx_bytes }),
    })
  }
})

test('7.4 wallets find the transaction that executed a proposal; other searches are refused', async () => {
  await using node = await aNode()
  const search = (query: string) =>
    node.get(`/cosmos/tx/v1beta1/txs?${new URLSearchParams({ query, limit: '99' })}`)
  const execution = `cosmos.group.v1.EventExec.proposal_id='"7"'`
  expect((await search(execution)).status).toBe(200)
  const [{ request } = { request: '' }] = node.received
  const { pathname, searchParams } = new URL(request.replace('GET ', ''), 'http://node')
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([
    '/rest/cosmos/tx/v1beta1/txs',
    { query: execution, order_by: 'ORDER_BY_DESC', limit: '1' },
  ])
  for (const query of ['', 'tx.height>0', `${execution} OR tx.height>0`]) {
    expect((await search(query)).status).toBe(404)
  }
  expect(node.received).toHaveLength(1)
})

test('7.4 no other path, parameter or body reaches the node', async () => {
  await using node = await aNode()
  const refused = [
    '/',
    '/cosmos/staking/v1beta1/validators',
    '/cosmos/auth/v1beta1/accounts',
    `/cosmos/auth/v1beta1/accounts/${ADDRESS}/../../../../../admin`,
    `/cosmos/auth/v1beta1/accounts/${ADDRESS}%2f..%2fx`,
    `/cosmos/auth/v1beta1/accounts/${ADDRESS}%0a`,
    `//evil.example/cosmos/auth/v1beta1/accounts/${ADDRESS}`,
    '/@evil.example/',
    '/cosmos/tx/v1beta1/txs?query=tx.height=1',
    '/cosmos/group/v1/group_info/x',
  ]
  for (const path of refused) expect((await node.get(path)).status, path).toBe(404)
  expect((await node.post(`/cosmos/auth/v1beta1/accounts/${ADDRESS}`, BROADCAST)).status).toBe(404)
  expect((await node.post('/constructor', BROADCAST)).status).toBe(404)
  for (const body of [null, [], { ...BROADCAST, extra: 1 }, { ...BROADCAST, tx_bytes: '<' }, {}]) {
    expect((await node.post('/cosmos/tx/v1beta1/txs', body)).status).toBe(400)
  }
  expect(node.received).toEqual([])
  await node.get(`/cosmos/bank/v1beta1/balances/${ADDRESS}?x=1&denom=a%26b&height=9`)
  expect(node.received.map(({ request }) => request)).toEqual([
    `GET /rest/cosmos/bank/v1beta1/balances/${ADDRESS}?denom=a%26b`,
  ])
})

test('7.4 a page of more than a hundred entries is refused and says so', async () => {
  await using node = await aNode()
  const path = `/cosmos/group/v1/groups_by_member/${ADDRESS}`
  for (const limit of ['101', '0', '-1', '0x64', '1e2', '', '99999999999999999999']) {
    const response = await node.get(`${path}?pagination.limit=${limit}`)
    expect([response.status, await response.json()], limit).toEqual([
      400,
      expect.objectContaining({
        errors: ['pagination.limit must be a whole number from 1 to 100.'],
      }),
    ])
  }
  expect(node.received).toEqual([])
  // The first value counts, and no other one reaches the node.
  await node.get(`${path}?pagination.limit=100&pagination.limit=5000`)
  expect(node.received.map(({ request }) => request)).toEqual([
    `GET /rest${path}?pagination.limit=100`,
  ])
})

test.each([
  ['an error page', { status: 200, text: '<html>' }],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
  ['too much', { text: `"${'x'.repeat(1024 * 1024)}"` }],
])('7.4 a node that sends %s counts as unavailable', async (_, answer) => {
  await using node = await aNode(answer)
  const response = await node.get(`/cosmos/auth/v1beta1/accounts/${ADDRESS}`)
  expect([response.status, await response.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'chain-not-available' }),
  ])
})

test('7.4 the node’s own errors keep their status', async () => {
  await using node = await aNode({ status: 404, text: '{"code":5,"message":"not found"}' })
  const response = await node.get(`/cosmos/auth/v1beta1/accounts/${ADDRESS}`)
  expect([response.status, await response.json()]).toEqual([404, { code: 5, message: 'not found' }])
})

test('7.4 one network sends a limited number of transactions', async () => {
  await using node = await aNode()
  const statuses: number[] = []
  for (let each = 0; each < 301; each += 1) {
    statuses.push((await node.post('/cosmos/tx/v1beta1/simulate', { tx_bytes: 'AQID' })).status)
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(300)
  expect(statuses.at(-1)).toBe(429)
})
