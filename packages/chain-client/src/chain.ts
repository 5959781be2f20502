/**
 * A client for the REST interface of a chain node. Responses are validated, and a failed request is reported and never
 * sent twice.
 */
import { Refusal } from '@portico/contracts/errors'
import { base64Of } from '@portico/keys/bytes'
import * as z from 'zod/mini'
import {
  type FailedProposal,
  failedExecutions,
  proposalFailure,
  toPageFormat,
} from './broadcast-result.ts'

/** Sends a request to a node: a path with query, and a body for POST. `content` is the parsed response body. */
export type ChainNode = (
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly content: unknown }>

/** An account's number and the sequence of its next transaction. */
export interface ChainAccount {
  readonly accountNumber: bigint
  readonly sequence: bigint
}

/** The gas that a transaction used in simulation, and the fees of its messages. */
export interface TransactionCost {
  readonly gas: number
  /** Undefined on networks that charge for gas alone. */
  readonly messageFees: readonly z.infer<typeof Coin>[] | undefined
}

/** The fields that show who controls a group. */
export interface ChainGroup {
  readonly id: string
  readonly admin: string
  readonly metadata: string
  /** Incremented by every change to the group. */
  readonly version: number
}

/** A policy account of a group. */
export type ChainPolicy = z.infer<typeof Policy>

/** A proposal in a node's format. */
export type ChainProposal = z.infer<typeof ProposalJson>

/** A node's response to a transaction, in the format for pages (protocol 9.3). */
export type TransactionResponse = Readonly<Record<string, unknown>>

export interface Chain {
  /** @throws Refusal - `transaction-refused` if the account has never received anything */
  readonly account: (address: string) => Promise<ChainAccount>
  /** Simulates a transaction. */
  readonly simulate: (transaction: Uint8Array) => Promise<TransactionCost>
  /** Simulates a transaction, with its fee. Returns the proposals that fail, although the transaction itself succeeds. */
  readonly failedProposals: (transaction: Uint8Array) => Promise<readonly FailedProposal[]>
  /** Broadcasts a signed transaction and returns the result in the format for pages (protocol 9.3). */
  readonly broadcast: (transaction: Uint8Array) => Promise<TransactionResponse>
  /** Submits a signed transaction. The response says only whether this node accepted it. */
  readonly submit: (transaction: Uint8Array) => Promise<TransactionResponse>
  /** The groups an address is a member of, newest first. */
  readonly groupsOfMember: (address: string) => Promise<readonly ChainGroup[]>
  readonly group: (id: string) => Promise<ChainGroup>
  /** All members of a group. */
  readonly membersOfGroup: (
    id: string,
  ) => Promise<readonly { address: string; weight: string; metadata: string }[]>
  /** The policy accounts of a group. */
  readonly policiesOfGroup: (id: string) => Promise<readonly ChainPolicy[]>
  readonly policy: (address: string) => Promise<ChainPolicy>
  readonly balances: (address: string) => Promise<readonly { denom: string; amount: string }[]>
  /** A transaction in a block, in the format for pages (protocol 9.3); undefined if no block contains it. */
  readonly transaction: (hash: string) => Promise<TransactionResponse | undefined>
  /** Undefined if the node does not have it. Nodes delete executed proposals and those that ended long ago. */
  readonly proposal: (id: string) => Promise<ChainProposal | undefined>
  /** The latest proposals of a group's policy. */
  readonly proposalsOfPolicy: (address: string) => Promise<readonly ChainProposal[]>
  readonly votesOfProposal: (id: string) => Promise<readonly { voter: string; option: string }[]>
  readonly tallyOfProposal: (id: string) => Promise<z.infer<typeof Tally>>
  /** The last transaction that executed a proposal, in a node's format. */
  readonly executionOfProposal: (
    id: string,
  ) => Promise<Readonly<Record<string, unknown>> | undefined>
}

/** How long to wait for an accepted transaction to be included in a block, and how often to poll. */
const INCLUSION_TIMEOUT_MS = 15_000
const INCLUSION_POLL_MS = 1000

/** A node returns a hundred entries at once. Groups with more members are refused. */
const MAX_MEMBER_PAGES = 20
const MAX_GROUP_PAGES = 10

/** A whole number that a node sends as a string, small enough for arithmetic. */
const WholeNumber = z.string().check(z.regex(/^\d{1,15}$/))

const BaseAccount = z.object({
  account_number: WholeNumber,
  sequence: z._default(WholeNumber, '0'),
})
const AccountResponse = z.object({
  account: z.union([
    BaseAccount,
    z.pipe(
      z.object({ base_account: BaseAccount }),
      z.transform(({ base_account }) => base_account),
    ),
    z.pipe(
      z.object({ base_vesting_account: z.object({ base_account: BaseAccount }) }),
      z.transform(({ base_vesting_account }) => base_vesting_account.base_account),
    ),
  ]),
})
const SimulateResponse = z.object({
  gas_info: z.object({ gas_used: WholeNumber }),
  result: z.optional(z.unknown()),
})
const Coin = z.object({ denom: z.string(), amount: z.string().check(z.regex(/^\d{1,30}$/)) })
/** The response of `provenance.flatfees.v1.Query/CalculateTxFees`. */
const FeesResponse = z.object({ total_fees: z.array(Coin), estimated_gas: WholeNumber })
const TxResponse = z.object({ tx_response: z.record(z.string(), z.unknown()) })
const Group = z.object({
  id: z.string(),
  admin: z.string(),
  metadata: z.string(),
  version: z._default(z.pipe(WholeNumber, z.transform(Number)), 0),
})
const Pagination = z.optional(
  z.nullable(z.object({ next_key: z.optional(z.nullable(z.string())) })),
)
const GroupsResponse = z.object({ groups: z.array(Group), pagination: Pagination })
const GroupResponse = z.object({ info: Group })
const Member = z.object({
  address: z.string(),
  weight: z.string(),
  metadata: z._default(z.string(), ''),
})
const MembersResponse = z.object({
  members: z.array(z.object({ member: Member })),
  pagination: Pagination,
})
const Policy = z.object({
  address: z.string(),
  group_id: z.string(),
  admin: z.string(),
  /** Other kinds of policies have neither. */
  decision_policy: z.object({
    threshold: z.optional(z.string()),
    percentage: z.optional(z.string()),
  }),
})
const PoliciesResponse = z.object({ group_policies: z.array(Policy) })
const PolicyResponse = z.object({ info: Policy })
const BalancesResponse = z.object({
  balances: z.array(z.object({ denom: z.string(), amount: z.string() })),
})
const ProposalJson = z.object({
  id: z.string(),
  group_policy_address: z.string(),
  proposers: z.array(z.string()),
  submit_time: z.string(),
  voting_period_end: z.string(),
  status: z.string(),
  executor_result: z.string(),
  messages: z.array(z.record(z.string(), z.unknown())),
  title: z._default(z.string(), ''),
  summary: z._default(z.string(), ''),
})
const ProposalResponse = z.object({ proposal: ProposalJson })
const ProposalsResponse = z.object({ proposals: z.array(ProposalJson) })
const VotesResponse = z.object({
  votes: z.array(z.object({ voter: z.string(), option: z.string() })),
  pagination: Pagination,
})
const Tally = z.object({
  yes_count: z.string(),
  no_count: z.string(),
  abstain_count: z.string(),
  no_with_veto_count: z.string(),
})
const TallyResponse = z.object({ tally: Tally })
const TransactionsResponse = z.object({
  tx_responses: z.nullable(z.array(z.record(z.string(), z.unknown()))),
})
const Failure = z.object({ message: z.string() })

/**
 * Without a node, every call is refused with `chain-not-available`. A node that responds with anything but its format is
 * refused with `chain-faulty`.
 */
export function openChain(requestNode: ChainNode | undefined): Chain {
  async function request<ResponseBody>(
    path: string,
    schema: z.ZodMiniType<ResponseBody>,
    body?: unknown,
  ): Promise<ResponseBody> {
    if (requestNode === undefined) throw new Refusal('chain-not-available')
    return read(await requestNode(path, body), schema)
  }

  function read<ResponseBody>(
    { status, content }: Awaited<ReturnType<ChainNode>>,
    schema: z.ZodMiniType<ResponseBody>,
  ): ResponseBody {
    const parsed = schema.safeParse(content)
    const isSuccess = status >= 200 && status < 300
    if (isSuccess && parsed.success) return parsed.data
    if (isSuccess) throw new Refusal('chain-faulty')
    if (status >= 502 || status === 429) throw new Refusal('chain-not-available')
    const failure = Failure.safeParse(content)
    // Nodes report refused simulations as 500 with a message; without one, the node itself failed.
    if (failure.success) {
      throw new Refusal('transaction-refused', { errors: [failure.data.message] })
    }
    throw new Refusal(status >= 500 ? 'chain-faulty' : 'transaction-refused')
  }

  async function submit(transaction: Uint8Array): Promise<Record<string, unknown>> {
    // In this mode the response only confirms acceptance; whether the messages succeed is known once it is in a block.
    const body = { tx_bytes: base64Of(transaction), mode: 'BROADCAST_MODE_SYNC' }
    return (await request('/cosmos/tx/v1beta1/txs', TxResponse, body)).tx_response
  }

  /** Undefined if the node has no such call, as on networks without message fees. */
  async function costWithMessageFees(body: unknown): Promise<TransactionCost | undefined> {
    const response = await requestNode?.('/provenance/tx/v1/calculate_flat_fee', body)
    if (response === undefined || response.status === 404 || response.status === 501) return
    const { total_fees, estimated_gas } = read(response, FeesResponse)
    return { gas: Number(estimated_gas), messageFees: total_fees }
  }

  /** A 'not found' response is not an error. */
  async function find<ResponseBody>(
    path: string,
    schema: z.ZodMiniType<ResponseBody>,
  ): Promise<ResponseBody | undefined> {
    if (requestNode === undefined) throw new Refusal('chain-not-available')
    const response = await requestNode(path)
    if (response.status === 404) return undefined
    const parsed = schema.safeParse(response.content)
    if (response.status === 200 && parsed.success) return parsed.data
    throw new Refusal('chain-not-available')
  }

  /** Iterates over the pages of a list. */
  async function readPages<Page extends { readonly pagination?: z.infer<typeof Pagination> }>(
    path: string,
    schema: z.ZodMiniType<Page>,
    maximum: number,
  ): Promise<{ readonly pages: readonly Page[]; readonly isComplete: boolean }> {
    const pages: Page[] = []
    let next = path
    while (pages.length < maximum) {
      const page = await request(next, schema)
      pages.push(page)
      const key = page.pagination?.next_key
      if (key == null || key === '') return { pages, isComplete: true }
      next = `${path}${path.includes('?') ? '&' : '?'}pagination.key=${encodeURIComponent(key)}`
    }
    return { pages, isComplete: false }
  }

  /** @throws Refusal - `chain-faulty` if there are more entries than the largest group may have */
  async function readAllPages<Page extends { readonly pagination?: z.infer<typeof Pagination> }>(
    path: string,
    schema: z.ZodMiniType<Page>,
  ): Promise<readonly Page[]> {
    const { pages, isComplete } = await readPages(path, schema, MAX_MEMBER_PAGES)
    if (!isComplete) throw new Refusal('chain-faulty')
    return pages
  }

  /** Returns the result of a transaction in its block; undefined if it is not included in time. */
  async function waitForInclusion(hash: string): Promise<Record<string, unknown> | undefined> {
    for (let waited = 0; waited <= INCLUSION_TIMEOUT_MS; waited += INCLUSION_POLL_MS) {
      if (waited > 0) await pause(INCLUSION_POLL_MS)
      // The transaction is already broadcast, so an unreachable node is polled again.
      const found = await requestNode?.(`/cosmos/tx/v1beta1/txs/${hash}`).catch(() => undefined)
      const parsed = TxResponse.safeParse(found?.content)
      if (parsed.success) return parsed.data.tx_response
    }
    return undefined
  }

  return {
    async account(address) {
      const { account } = await request(`/cosmos/auth/v1beta1/accounts/${address}`, AccountResponse)
      return {
        accountNumber: BigInt(account.account_number),
        sequence: BigInt(account.sequence),
      }
    },
    async simulate(transaction) {
      const body = { tx_bytes: base64Of(transaction) }
      // First, because a network with message fees returns the fee as the gas of an ordinary simulation.
      const cost = await costWithMessageFees(body)
      if (cost) return cost
      const { gas_info } = await request('/cosmos/tx/v1beta1/simulate', SimulateResponse, body)
      return { gas: Number(gas_info.gas_used), messageFees: undefined }
    },
    async failedProposals(transaction) {
      const body = { tx_bytes: base64Of(transaction) }
      return failedExecutions(
        (await request('/cosmos/tx/v1beta1/simulate', SimulateResponse, body)).result,
      )
    },
    async broadcast(transaction) {
      const accepted = await submit(transaction)
      const { code, txhash } = accepted
      const isAccepted = (code === undefined || code === 0) && typeof txhash === 'string'
      const response = (isAccepted ? await waitForInclusion(txhash) : undefined) ?? accepted
      return toPageFormat({ ...response, ...proposalFailure(response) })
    },
    submit: async (transaction) => toPageFormat(await submit(transaction)),
    async groupsOfMember(address) {
      const path = `/cosmos/group/v1/groups_by_member/${address}?pagination.reverse=true`
      const { pages } = await readPages(path, GroupsResponse, MAX_GROUP_PAGES)
      return pages.flatMap(({ groups }) => groups)
    },
    async membersOfGroup(id) {
      const pages = await readAllPages(`/cosmos/group/v1/group_members/${id}`, MembersResponse)
      return pages.flatMap(({ members }) => members.map(({ member }) => member))
    },
    group: async (id) => (await request(`/cosmos/group/v1/group_info/${id}`, GroupResponse)).info,
    policiesOfGroup: async (id) =>
      (await request(`/cosmos/group/v1/group_policies_by_group/${id}`, PoliciesResponse))
        .group_policies,
    policy: async (address) =>
      (await request(`/cosmos/group/v1/group_policy_info/${address}`, PolicyResponse)).info,
    balances: async (address) =>
      (await request(`/cosmos/bank/v1beta1/balances/${address}`, BalancesResponse)).balances,
    async transaction(hash) {
      const found = await find(`/cosmos/tx/v1beta1/txs/${hash}`, TxResponse)
      return found && toPageFormat({ ...found.tx_response, ...proposalFailure(found.tx_response) })
    },
    proposal: async (id) =>
      (await find(`/cosmos/group/v1/proposal/${id}`, ProposalResponse))?.proposal,
    async proposalsOfPolicy(address) {
      const path = `/cosmos/group/v1/proposals_by_group_policy/${address}?pagination.reverse=true`
      return (await request(path, ProposalsResponse)).proposals
    },
    async votesOfProposal(id) {
      const pages = await readAllPages(`/cosmos/group/v1/votes_by_proposal/${id}`, VotesResponse)
      return pages.flatMap(({ votes }) => votes)
    },
    tallyOfProposal: async (id) =>
      (await request(`/cosmos/group/v1/proposals/${id}/tally`, TallyResponse)).tally,
    async executionOfProposal(id) {
      const query = encodeURIComponent(`cosmos.group.v1.EventExec.proposal_id='"${id}"'`)
      const path = `/cosmos/tx/v1beta1/txs?query=${query}&order_by=ORDER_BY_DESC&limit=1`
      return (await request(path, TransactionsResponse)).tx_responses?.[0]
    },
  }
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
