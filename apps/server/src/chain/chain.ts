/**
 * The development chain: the part of a node's REST interface that wallets use, over the installation's own database. It
 * checks what a node checks and answers as one does. It has no consensus, no validators and no votes, and exists in
 * demonstration mode only, where no other node is configured.
 */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import type { Network } from '../secrets/wallet-key.ts'
import type { AllStores } from '../stores.ts'
import {
  accountAnswer,
  blockTime,
  groupAnswer,
  memberAnswer,
  pageOf,
  policyAnswer,
  takenAnswer,
  transactionAnswer,
} from './answers.ts'
import { BASE_DENOM, openAccount } from './block.ts'
import { ChainFailure, MessageFailure } from './chain-failure.ts'
import { isDenom } from './coins.ts'
import type { TransactionResult } from './deliver.ts'

/** An answer of a node over HTTP. */
interface NodeAnswer {
  readonly status: number
  readonly answer: unknown
}

/** A node as whoever asks it sees it: a path with its query, and a body where something is posted. */
export type AskNode = (path: string, body?: unknown) => Promise<NodeAnswer>

type Door = readonly [
  method: 'GET' | 'POST',
  path: RegExp,
  answer: (parts: { name: string; query: URLSearchParams; body: unknown }) => Promise<NodeAnswer>,
]

const Broadcast = z.object({ tx_bytes: z.base64() })
const NUMBER = /^[1-9]\d{0,14}$/

/** The numbers by which the interface says what kind of failure an answer is (gRPC). */
const KINDS = { 400: 3, 404: 5, 501: 12 } as const

// What reads, checks and carries out transactions is large, and most starts do not need it at once.
const delivery = () => import('./deliver.ts')
const addresses = () => import('@portico/keys/address')

/** Opens the chain on a database. */
export function developmentChain(deps: {
  readonly stores: AllStores
  readonly clock: Clock
  readonly network: Network
}): AskNode {
  const { stores, clock, network } = deps
  const { chainId, prefix } = network
  const chainlike = { stores, clock, prefix, chainId }
  const { chain } = stores

  /** An account of this network is there from the moment that somebody asks about it. */
  async function account(address: string): Promise<Awaited<ReturnType<typeof chain.account>>> {
    const known = await chain.account(address)
    if (known !== undefined) return known
    const { decodeAddress, isAddress } = await addresses()
    const decoded = isAddress(address) ? decodeAddress(address) : undefined
    if (decoded?.prefix !== prefix || decoded.bytes.length !== 20) return undefined
    return stores.atomically((together) => openAccount(together, address))
  }

  async function taken(body: unknown, work: (bytes: Uint8Array) => Promise<NodeAnswer>) {
    const parsed = Broadcast.safeParse(body)
    if (!parsed.success) return failed(400, 'invalid transaction bytes')
    return work(Buffer.from(parsed.data.tx_bytes, 'base64'))
  }

  async function broadcast(bytes: Uint8Array): Promise<NodeAnswer> {
    try {
      const { hash } = await (await delivery()).deliver(chainlike, bytes)
      return good({ tx_response: takenAnswer(hash) })
    } catch (error) {
      if (!(error instanceof ChainFailure)) throw error
      const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase()
      return good({ tx_response: takenAnswer(hash, error) })
    }
  }

  async function simulate(bytes: Uint8Array): Promise<NodeAnswer> {
    try {
      const { gasUsed, events } = await (await delivery()).simulate(chainlike, bytes)
      return good({
        gas_info: { gas_wanted: '0', gas_used: `${gasUsed}` },
        result: { data: null, log: '', events, msg_responses: [] },
      })
    } catch (error) {
      if (!(error instanceof ChainFailure || error instanceof MessageFailure)) throw error
      return failed(400, error.message)
    }
  }

  const doors: readonly Door[] = [
    get('/cosmos/base/tendermint/v1beta1/node_info', async () =>
      good({
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
      return good({ block: { header } })
    }),
    get('/cosmos/auth/v1beta1/accounts/{name}', async ({ name }) => {
      const found = await account(name)
      return found === undefined
        ? failed(404, `account ${name} not found`)
        : good({ account: accountAnswer(found) })
    }),
    get('/cosmos/bank/v1beta1/balances/{name}', async ({ name }) => {
      if ((await account(name)) === undefined) return failed(400, 'invalid address')
      const balances = (await chain.balances(name)).map(coinAnswer)
      return good({ balances, pagination: pageOf(balances.length) })
    }),
    get('/cosmos/bank/v1beta1/balances/{name}/by_denom', async ({ name, query }) => {
      const denom = query.get('denom') ?? BASE_DENOM
      if (!isDenom(denom)) return failed(400, `invalid denom: ${denom}`)
      if ((await account(name)) === undefined) return failed(400, 'invalid address')
      return good({ balance: coinAnswer({ denom, amount: await chain.balance(name, denom) }) })
    }),
    post('/cosmos/tx/v1beta1/simulate', ({ body }) => taken(body, simulate)),
    post('/cosmos/tx/v1beta1/txs', ({ body }) => taken(body, broadcast)),
    get('/cosmos/tx/v1beta1/txs/{name}', async ({ name }) => {
      const found = await chain.transaction(name.toUpperCase())
      if (found === undefined) return failed(404, `tx not found: ${name}`)
      // We wrote it ourselves.
      const result = JSON.parse(found.result) as TransactionResult
      const { transactionJson } = await import('./transaction-json.ts')
      const tx = transactionJson(Buffer.from(found.bytes, 'base64'))
      return good({ tx, tx_response: transactionAnswer(found.hash, result, tx) })
    }),
    get('/cosmos/group/v1/group_info/{name}', async ({ name }) => {
      const found = NUMBER.test(name) ? await chain.group(Number(name)) : undefined
      return found === undefined
        ? failed(404, `group: ${name}: not found`)
        : good({ info: groupAnswer(found) })
    }),
    get('/cosmos/group/v1/group_policy_info/{name}', async ({ name }) => {
      const found = await chain.policy(name)
      return found === undefined
        ? failed(404, `group policy: ${name}: not found`)
        : good({ info: policyAnswer(found) })
    }),
    get('/cosmos/group/v1/group_members/{name}', async ({ name }) => {
      const members = NUMBER.test(name) ? await chain.members(Number(name)) : []
      return good({ members: members.map(memberAnswer), pagination: pageOf(members.length) })
    }),
    get('/cosmos/group/v1/groups_by_member/{name}', async ({ name }) => {
      const groups = await chain.groupsOfMember(name)
      return good({ groups: groups.map(groupAnswer), pagination: pageOf(groups.length) })
    }),
    get('/cosmos/group/v1/group_policies_by_group/{name}', async ({ name }) => {
      const policies = NUMBER.test(name) ? await chain.policiesOfGroup(Number(name)) : []
      const answers = policies.map(policyAnswer)
      return good({ group_policies: answers, pagination: pageOf(answers.length) })
    }),
  ]

  return async (path, body) => {
    const [pathname = '', search] = path.split('?', 2)
    const query = new URLSearchParams(search)
    const method = body === undefined ? 'GET' : 'POST'
    for (const [wanted, form, answer] of doors) {
      const match = wanted === method ? form.exec(pathname) : null
      if (match !== null) return answer({ name: match[1] ?? '', query, body })
    }
    return failed(501, 'Not Implemented')
  }
}

const door = (method: Door[0], path: string, answer: Door[2]): Door => [
  method,
  new RegExp(`^${path.replace('{name}', '([A-Za-z0-9]{1,128})')}$`),
  answer,
]
const get = (path: string, answer: Door[2]) => door('GET', path, answer)
const post = (path: string, answer: Door[2]) => door('POST', path, answer)

const good = (answer: unknown): NodeAnswer => ({ status: 200, answer })
const failed = (status: keyof typeof KINDS, message: string): NodeAnswer => ({
  status,
  answer: { code: KINDS[status], message, details: [] },
})

const coinAnswer = ({ denom, amount }: { denom: string; amount: number }) => ({
  denom,
  amount: `${amount}`,
})
