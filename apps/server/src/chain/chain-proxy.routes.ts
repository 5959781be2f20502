/**
 * Forwards requests from wallets on users' devices to the configured node (§7.4), so that phones and extensions reach the
 * chain at the same path as in the demonstration, without permission for another origin. Only the paths that wallets use are
 * forwarded, and only the known parts of each request.
 */

import { Refusal } from '@portico/contracts/errors'
import { parseJson } from '@portico/contracts/parse-json'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { readBoundedBytes } from '../http/bounded-bytes.ts'
import { COSTLY } from '../http/rate-limits.ts'
import { type Edge, enforceRateLimit, type RateLimitRule } from '../http/serve.ts'
import { tracedFetch, traceHeaders } from '../tracing/tracing.ts'

const CHAIN_PATH = '/chain'

const READS: RateLimitRule = { allowed: 600, windowMs: 60_000 }

const TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 1024 * 1024

const ADDRESS = '[a-z]{2,10}1[a-z0-9]{38,58}'
const ID = '\\d{1,20}'

/** The paths that wallets read. */
const READ_PATHS = [
  `cosmos/auth/v1beta1/accounts/${ADDRESS}`,
  `cosmos/bank/v1beta1/balances/${ADDRESS}(?:/by_denom)?`,
  'cosmos/base/tendermint/v1beta1/(?:blocks/latest|node_info)',
  'cosmos/tx/v1beta1/txs/[0-9A-Fa-f]{64}',
  `cosmos/group/v1/(?:groups_by_member|group_policy_info|proposals_by_group_policy)/${ADDRESS}`,
  `cosmos/group/v1/(?:group_info|group_members|group_policies_by_group|proposal|votes_by_proposal)/${ID}`,
  `cosmos/group/v1/proposals/${ID}/tally`,
  `cosmos/group/v1/vote_by_proposal_voter/${ID}/${ADDRESS}`,
].map((path) => new RegExp(`^/${path}$`))

/** The search for the transaction that executed a proposal; others can be costly for a node. */
const EXECUTION_SEARCH = '/cosmos/tx/v1beta1/txs'
const EXECUTION_QUERY = /^cosmos\.group\.v1\.EventExec\.proposal_id='"\d{1,20}"'$/

/** The query parameters of those paths. */
const PARAMETERS = ['denom', 'pagination.key', 'pagination.limit', 'pagination.reverse']

/** A node's default page size. A larger one can be costly for it. */
const MAX_LIMIT = 100

/** The bodies that wallets post, by path. */
const POSTS = {
  '/cosmos/tx/v1beta1/simulate': z.strictObject({ tx_bytes: z.base64() }),
  '/provenance/tx/v1/calculate_flat_fee': z.strictObject({ tx_bytes: z.base64() }),
  '/cosmos/tx/v1beta1/txs': z.strictObject({
    tx_bytes: z.base64(),
    mode: z.enum(['BROADCAST_MODE_SYNC', 'BROADCAST_MODE_ASYNC']),
  }),
} as const

/** A request to the node: its path with query, and its body for POST. */
interface NodeRequest {
  readonly path: string
  readonly body?: string
}

export function chainProxy(edge: Edge, chainUrl: string): void {
  const base = chainUrl.replace(/\/+$/, '')
  edge.app.route({
    method: ['GET', 'POST'],
    url: `${CHAIN_PATH}/*`,
    handler: async (request, reply) => {
      const { network } = edge.visitor(request, reply)
      const isRead = request.method === 'GET'
      const kind = isRead ? 'reads' : 'transactions'
      await enforceRateLimit(edge.rateLimit, `chain ${kind} ${network}`, isRead ? READS : COSTLY)
      const { status, content } = await send(base, nodeRequest(request))
      return reply
        .code(status)
        .headers({
          // An extension is another origin. Neither the request nor the response belongs to a session.
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': 'no-store',
        })
        .send(content)
    },
  })
}

/** @throws Refusal - `not-found`, `invalid-request` */
function nodeRequest({ method, url, body }: FastifyRequest): NodeRequest {
  const [path = '', query = ''] = url.slice(CHAIN_PATH.length).split('?', 2)
  if (method === 'GET') {
    const given = new URLSearchParams(query)
    if (path === EXECUTION_SEARCH) return { path: `${path}?${executionSearch(given)}` }
    if (!READ_PATHS.some((allowed) => allowed.test(path))) throw new Refusal('not-found')
    if (!isPageSize(given.get('pagination.limit') ?? '1')) {
      const error = `pagination.limit must be a whole number from 1 to ${MAX_LIMIT}.`
      throw new Refusal('invalid-request', { errors: [error] })
    }
    const known = PARAMETERS.flatMap((name) => {
      const value = given.get(name)
      return value === null ? [] : [[name, value]]
    })
    return { path: known.length === 0 ? path : `${path}?${new URLSearchParams(known)}` }
  }
  if (!isPostPath(path)) throw new Refusal('not-found')
  const { data } = POSTS[path].safeParse(body)
  if (data === undefined) {
    throw new Refusal('invalid-request', { errors: ['The body must be a signed transaction.'] })
  }
  return { path, body: JSON.stringify(data) }
}

/** @throws Refusal - `not-found` */
function executionSearch(given: URLSearchParams): URLSearchParams {
  const query = given.get('query') ?? ''
  if (!EXECUTION_QUERY.test(query)) throw new Refusal('not-found')
  return new URLSearchParams({ query, order_by: 'ORDER_BY_DESC', limit: '1' })
}

const isPageSize = (text: string) =>
  /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LIMIT

const isPostPath = (path: string): path is keyof typeof POSTS => Object.hasOwn(POSTS, path)

/** @throws Refusal - `chain-not-available` */
async function send(base: string, { path, body }: NodeRequest) {
  try {
    const response = await tracedFetch(`${base}${path}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...traceHeaders() },
        body,
      }),
    })
    const bytes = await readBoundedBytes(response, MAX_RESPONSE_BYTES)
    const content = parseJson(bytes.toString())
    if (typeof content !== 'object' || content === null) throw new Error('The node sent no JSON')
    return { status: response.status, content }
  } catch (cause) {
    throw new Refusal('chain-not-available', { cause })
  }
}
