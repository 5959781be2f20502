/**
 * The development chain: the part of a node's REST interface that wallets use, on a database. It makes the
 * same checks and returns the same responses as a real node, but has no consensus or validators.
 */
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import { BASE_DENOM, FAUCET_AMOUNT, openAccount } from './block.ts'
import { openChainStore, type Proposal } from './chain.store.ts'
import { ChainFailure, MessageFailure } from './chain-failure.ts'
import { isDenom } from './coins.ts'
import type { TransactionResult } from './deliver.ts'
import { migrate } from './migrate.ts'
import {
  accountResponse,
  blockTime,
  broadcastResponse,
  groupResponse,
  memberResponse,
  pageOf,
  policyResponse,
  proposalResponse,
  transactionResponse,
  voteResponse,
} from './responses.ts'
import { type GroupAccount, seedGroups } from './seed-groups.ts'
import type { ChainTables } from './tables.ts'

/** A node's HTTP response. */
interface NodeResponse {
  readonly status: number
  /** The JSON body. */
  readonly content: unknown
}

export interface DevelopmentChain {
  /** Handles a request to the node: a path with query, and a body for POST. */
  readonly request: (path: string, body?: unknown) => Promise<NodeResponse>
  /** Creates the groups that do not exist yet. */
  readonly seedGroups: (groups: readonly GroupAccount[]) => Promise<void>
}

type Route = readonly [
  method: 'GET' | 'POST',
  path: RegExp,
  handle: (parts: {
    name: string
    other: string
    query: URLSearchParams
    body: unknown
  }) => Promise<NodeResponse>,
]

/** How often the faucet pays an address. */
const FAUCET_INTERVAL_MS = 3_600_000

const FaucetRequest = z.object({ address: z.string() })
const Broadcast = z.object({ tx_bytes: z.base64() })
/** The number of proposals that a node returns at once. */
const PAGE_SIZE = 100
const EXECUTION_QUERY = /^cosmos\.group\.v1\.EventExec\.proposal_id='"(\d+)"'$/
const NUMBER = /^[1-9]\d{0,14}$/

/** gRPC status codes by HTTP status. */
const GRPC_CODES = { 400: 3, 404: 5, 429: 8, 501: 12 } as const

// Loaded on demand: the libraries for transactions are large and not needed at startup.
const delivery = () => import('./deliver.ts')
const addresses = () => import('@portico/keys/address')

/** Opens the chain on a database that maps names in camelCase to snake_case, and creates its tables there. */
export async function openDevelopmentChain(deps: {
  readonly database: Kysely<ChainTables>
  /** Returns the time in epoch milliseconds. */
  readonly clock: () => number
  readonly network: { readonly chainId: string; readonly prefix: string }
}): Promise<DevelopmentChain> {
  const { database, clock, network } = deps
  const { chainId, prefix } = network
  await migrate(database)
  const chain = openChainStore(database)
  const environment = { store: chain, clock, prefix, chainId }

  /** Finds an account, creating it on first access. */
  async function account(address: string): Promise<Awaited<ReturnType<typeof chain.account>>> {
    const existing = await chain.account(address)
    if (existing !== undefined) return existing
    const { decodeAddress, isAddress } = await addresses()
    const decoded = isAddress(address) ? decodeAddress(address) : undefined
    if (decoded?.prefix !== prefix || decoded.bytes.length !== 20) return undefined
    return chain.atomically((transaction) => openAccount({ chain: transaction }, address))
  }

  async function withTransactionBytes(
    body: unknown,
    work: (bytes: Uint8Array) => Promise<NodeResponse>,
  ) {
    const parsed = Broadcast.safeParse(body)
    if (!parsed.success) return failed(400, 'invalid transaction bytes')
    return work(Buffer.from(parsed.data.tx_bytes, 'base64'))
  }

  async function broadcast(bytes: Uint8Array): Promise<NodeResponse> {
    try {
      const { hash } = await (await delivery()).deliver(environment, bytes)
      return success({ tx_response: broadcastResponse(hash) })
    } catch (error) {
      if (!(error instanceof ChainFailure)) throw error
      const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase()
      return success({ tx_response: broadcastResponse(hash, error) })
    }
  }

  async function simulate(bytes: Uint8Array): Promise<NodeResponse> {
    try {
      const { gasUsed, events } = await (await delivery()).simulate(environment, bytes)
      return success({
        gas_info: { gas_wanted: '0', gas_used: `${gasUsed}` },
        result: { data: null, log: '', events, msg_responses: [] },
      })
    } catch (error) {
      if (!(error instanceof ChainFailure || error instanceof MessageFailure)) throw error
      return failed(400, error.message)
    }
  }

  async function transaction(hash: string) {
    const found = await chain.transaction(hash)
    return found && storedTransaction(found)
  }

  async function proposalJson(proposal: Proposal) {
    const [{ currentProposal, messagesOf }, { messageJson }] = await Promise.all([
      import('./proposals.ts'),
      import('./transaction-json.ts'),
    ])
    const current = await currentProposal(chain, proposal, clock())
    return proposalResponse(current, messagesOf(current).map(messageJson))
  }

  const findProposal = async (id: string) =>
    NUMBER.test(id) ? await chain.proposal(Number(id)) : undefined

  /** Pays the faucet amount to an address, at most once an hour. */
  async function payFromFaucet(address: string): Promise<NodeResponse> {
    if ((await account(address)) === undefined) return failed(400, `invalid address: ${address}`)
    const at = clock()
    return chain.atomically(async (transaction) => {
      const isDue = await transaction.recordFaucetPayment(address, at, at - FAUCET_INTERVAL_MS)
      if (!isDue) return failed(429, 'The faucet pays each address once an hour.')
      const isPaid = await transaction.credit(address, BASE_DENOM, FAUCET_AMOUNT)
      return isPaid
        ? success({ amount: coinResponse({ denom: BASE_DENOM, amount: FAUCET_AMOUNT }) })
        : failed(400, `${address} cannot hold more.`)
    })
  }

  const routes: readonly Route[] = [
    get('/cosmos/base/tendermint/v1beta1/node_info', async () =>
      success({
        default_node_info: { network: chainId, moniker: 'portico', version: '0' },
        application_version: { name: 'portico', app_name: 'portico', version: 'development' },
      }),
    ),
    get('/cosmos/base/tendermint/v1beta1/blocks/latest', async () => {
      const header = {
        chain_id: chainId,
        height: `${await chain.height()}`,
        time: blockTime(clock()),
      }
      return success({ block: { header } })
    }),
    get('/cosmos/auth/v1beta1/accounts/{name}', async ({ name }) => {
      const found = await account(name)
      return found === undefined
        ? failed(404, `account ${name} not found`)
        : success({ account: accountResponse(found) })
    }),
    get('/cosmos/bank/v1beta1/balances/{name}', async ({ name }) => {
      if ((await account(name)) === undefined) return failed(400, 'invalid address')
      const balances = (await chain.balances(name)).map(coinResponse)
      return success({ balances, pagination: pageOf(balances.length) })
    }),
    get('/cosmos/bank/v1beta1/balances/{name}/by_denom', async ({ name, query }) => {
      const denom = query.get('denom') ?? BASE_DENOM
      if (!isDenom(denom)) return failed(400, `invalid denom: ${denom}`)
      if ((await account(name)) === undefined) return failed(400, 'invalid address')
      return success({ balance: coinResponse({ denom, amount: await chain.balance(name, denom) }) })
    }),
    post('/cosmos/tx/v1beta1/simulate', ({ body }) => withTransactionBytes(body, simulate)),
    post('/cosmos/tx/v1beta1/txs', ({ body }) => withTransactionBytes(body, broadcast)),
    get('/cosmos/tx/v1beta1/txs/{name}', async ({ name }) => {
      const found = await transaction(name.toUpperCase())
      return found === undefined ? failed(404, `tx not found: ${name}`) : success(found)
    }),
    get('/cosmos/tx/v1beta1/txs', async ({ query }) => {
      const { readTransferSearch } = await import('./transaction-search.ts')
      const search = readTransferSearch(query)
      if (search !== undefined) {
        const { transactions, total } = await chain.searchTransfers(search)
        return success(
          foundTransactions(await Promise.all(transactions.map(storedTransaction)), total),
        )
      }
      const [, id = ''] = EXECUTION_QUERY.exec(query.get('query') ?? '') ?? []
      if (!NUMBER.test(id)) return failed(400, `unsupported query: ${query.get('query') ?? ''}`)
      const proposal = await chain.proposal(Number(id))
      const found =
        proposal?.executionHash == null ? undefined : await transaction(proposal.executionHash)
      const all = found === undefined ? [] : [found]
      return success(foundTransactions(all, all.length))
    }),
    get('/cosmos/group/v1/group_info/{name}', async ({ name }) => {
      const found = NUMBER.test(name) ? await chain.group(Number(name)) : undefined
      return found === undefined
        ? failed(404, `group: ${name}: not found`)
        : success({ info: groupResponse(found) })
    }),
    get('/cosmos/group/v1/group_policy_info/{name}', async ({ name }) => {
      const found = await chain.policy(name)
      return found === undefined
        ? failed(404, `group policy: ${name}: not found`)
        : success({ info: policyResponse(found) })
    }),
    get('/cosmos/group/v1/group_members/{name}', async ({ name }) => {
      const members = NUMBER.test(name) ? await chain.members(Number(name)) : []
      return success({ members: members.map(memberResponse), pagination: pageOf(members.length) })
    }),
    get('/cosmos/group/v1/groups_by_member/{name}', async ({ name }) => {
      const groups = await chain.groupsOfMember(name)
      return success({ groups: groups.map(groupResponse), pagination: pageOf(groups.length) })
    }),
    get('/cosmos/group/v1/group_policies_by_group/{name}', async ({ name }) => {
      const policies = NUMBER.test(name) ? await chain.policiesOfGroup(Number(name)) : []
      return success({
        group_policies: policies.map(policyResponse),
        pagination: pageOf(policies.length),
      })
    }),
    get('/cosmos/group/v1/proposal/{name}', async ({ name }) => {
      const found = await findProposal(name)
      return found === undefined
        ? failed(404, `load proposal: not found`)
        : success({ proposal: await proposalJson(found) })
    }),
    get('/cosmos/group/v1/proposals_by_group_policy/{name}', async ({ name, query }) => {
      const found = await chain.proposalsOfPolicy(name)
      const ordered = query.get('pagination.reverse') === 'true' ? found.toReversed() : found
      const limit = Number(query.get('pagination.limit') ?? PAGE_SIZE) || PAGE_SIZE
      const proposals = await Promise.all(ordered.slice(0, limit).map(proposalJson))
      return success({ proposals, pagination: pageOf(found.length) })
    }),
    get('/cosmos/group/v1/proposals/{name}/tally', async ({ name }) => {
      const found = await findProposal(name)
      if (found === undefined) return failed(404, 'load proposal: not found')
      const { currentTally } = await import('./proposals.ts')
      return success({ tally: await currentTally(chain, found, clock()) })
    }),
    get('/cosmos/group/v1/votes_by_proposal/{name}', async ({ name }) => {
      const votes = NUMBER.test(name) ? await chain.votes(Number(name)) : []
      return success({ votes: votes.map(voteResponse), pagination: pageOf(votes.length) })
    }),
    get('/cosmos/group/v1/vote_by_proposal_voter/{name}/{voter}', async ({ name, other }) => {
      const votes = NUMBER.test(name) ? await chain.votes(Number(name)) : []
      const vote = votes.find(({ voter }) => voter === other)
      return vote === undefined ? failed(404, 'not found') : success({ vote: voteResponse(vote) })
    }),
    post('/faucet', ({ body }) => {
      const parsed = FaucetRequest.safeParse(body)
      return parsed.success
        ? payFromFaucet(parsed.data.address)
        : Promise.resolve(failed(400, 'The address is missing.'))
    }),
  ]

  return {
    async request(path, body) {
      const [pathname = '', search] = path.split('?', 2)
      const query = new URLSearchParams(search)
      const method = body === undefined ? 'GET' : 'POST'
      for (const [routeMethod, pattern, handle] of routes) {
        const match = routeMethod === method ? pattern.exec(pathname) : null
        if (match !== null)
          return handle({ name: match[1] ?? '', other: match[2] ?? '', query, body })
      }
      return failed(501, 'Not Implemented')
    },
    seedGroups: (groups) => seedGroups(chain, { groups, at: clock() }),
  }
}

/** A transaction that `deliver` stored. */
async function storedTransaction(stored: { hash: string; bytes: string; result: string }) {
  const result = JSON.parse(stored.result) as TransactionResult // Written by `deliver`.
  const { transactionJson } = await import('./transaction-json.ts')
  const tx = transactionJson(Buffer.from(stored.bytes, 'base64'))
  return { tx, tx_response: transactionResponse(stored.hash, result, tx) }
}

/** The response to a search. */
const foundTransactions = (
  found: readonly Awaited<ReturnType<typeof storedTransaction>>[],
  total: number,
) => ({
  txs: found.map(({ tx }) => tx),
  tx_responses: found.map(({ tx_response }) => tx_response),
  pagination: null,
  total: `${total}`,
})

const route = (method: Route[0], path: string, handle: Route[2]): Route => [
  method,
  new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([A-Za-z0-9]{1,128})')}$`),
  handle,
]
const get = (path: string, handle: Route[2]) => route('GET', path, handle)
const post = (path: string, handle: Route[2]) => route('POST', path, handle)

const success = (content: unknown): NodeResponse => ({ status: 200, content })
const failed = (status: keyof typeof GRPC_CODES, message: string): NodeResponse => ({
  status,
  content: { code: GRPC_CODES[status], message, details: [] },
})

const coinResponse = ({ denom, amount }: { denom: string; amount: number }) => ({
  denom,
  amount: `${amount}`,
})
