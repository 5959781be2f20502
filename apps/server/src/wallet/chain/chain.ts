/**
 * The chain as wallets need it, over the REST interface that every node offers. What the node answers is parsed; what it
 * cannot answer in time is told as such and nothing is sent twice.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '@portico/contracts/errors'
import * as z from 'zod/mini'
import type { AskNode } from '../../chain/chain.ts'
import { pageForm } from './page-form.ts'
import { proposalFailure } from './proposal-failure.ts'

/** The number of an account, and of its next transaction. */
export interface ChainAccount {
  readonly accountNumber: bigint
  readonly sequence: bigint
}

/** A group as far as it is told who controls it. */
export interface ChainGroup {
  readonly id: string
  readonly admin: string
  readonly metadata: string
}

/** A node of the chain. */
export interface Chain {
  /** @throws Refusal - `transaction-refused` for an account that has never received anything */
  readonly account: (address: string) => Promise<ChainAccount>
  /** The gas a transaction would use. */
  readonly simulate: (transaction: Uint8Array) => Promise<number>
  /** Hands a signed transaction over; gives what became of it, in the names pages know (protocol 9.3). */
  readonly broadcast: (transaction: Uint8Array) => Promise<Readonly<Record<string, unknown>>>
  /** The groups an address is a member of, newest first. */
  readonly groupsOfMember: (address: string) => Promise<readonly ChainGroup[]>
  readonly membersOfGroup: (id: string) => Promise<readonly { address: string; weight: string }[]>
  /** What a group acts as. */
  readonly policiesOfGroup: (id: string) => Promise<readonly { address: string; admin: string }[]>
}

/** How long a transaction that a node took is waited for to stand in a block, and how often that is looked for. */
const INCLUSION_WAIT_MS = 15_000
const INCLUSION_LOOK_MS = 1000

const BaseAccount = z.object({ account_number: z.string(), sequence: z._default(z.string(), '0') })
const AccountAnswer = z.object({
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
const SimulateAnswer = z.object({ gas_info: z.object({ gas_used: z.string() }) })
const TransactionAnswer = z.object({ tx_response: z.record(z.string(), z.unknown()) })
const GroupsAnswer = z.object({
  groups: z.array(z.object({ id: z.string(), admin: z.string(), metadata: z.string() })),
})
const MembersAnswer = z.object({
  members: z.array(z.object({ member: z.object({ address: z.string(), weight: z.string() }) })),
})
const PoliciesAnswer = z.object({
  group_policies: z.array(z.object({ address: z.string(), admin: z.string() })),
})
const Failure = z.object({ message: z.string() })

/** The chain behind a node; without one, whatever needs the chain is refused. */
export function openChain(askNode: AskNode | undefined): Chain {
  async function ask<Answer>(
    path: string,
    schema: z.ZodMiniType<Answer>,
    body?: unknown,
  ): Promise<Answer> {
    if (askNode === undefined) throw new Refusal('chain-not-available')
    const { status, answer } = await askNode(path, body)
    const parsed = schema.safeParse(answer)
    const isGood = status >= 200 && status < 300
    if (isGood && parsed.success) return parsed.data
    if (isGood || status >= 502) throw new Refusal('chain-not-available')
    const said = Failure.safeParse(answer)
    throw new Refusal('transaction-refused', said.success ? { errors: [said.data.message] } : {})
  }

  /** What became of a transaction in its block; nothing where it does not stand in one in time. */
  async function included(hash: string): Promise<Record<string, unknown> | undefined> {
    for (let waited = 0; waited <= INCLUSION_WAIT_MS; waited += INCLUSION_LOOK_MS) {
      if (waited > 0) await pause(INCLUSION_LOOK_MS)
      // It is on its way already: a node that cannot be reached now is asked again.
      const found = await askNode?.(`/cosmos/tx/v1beta1/txs/${hash}`).catch(() => undefined)
      const parsed = TransactionAnswer.safeParse(found?.answer)
      if (parsed.success) return parsed.data.tx_response
    }
    return undefined
  }

  return {
    async account(address) {
      const { account } = await ask(`/cosmos/auth/v1beta1/accounts/${address}`, AccountAnswer)
      return {
        accountNumber: BigInt(account.account_number),
        sequence: BigInt(account.sequence),
      }
    },
    async simulate(transaction) {
      const body = { tx_bytes: base64(transaction) }
      const { gas_info } = await ask('/cosmos/tx/v1beta1/simulate', SimulateAnswer, body)
      return Number(gas_info.gas_used)
    },
    async broadcast(transaction) {
      // In this mode the answer says that it was taken; whether its messages succeeded, only its block does.
      const body = { tx_bytes: base64(transaction), mode: 'BROADCAST_MODE_SYNC' }
      const { tx_response: taken } = await ask('/cosmos/tx/v1beta1/txs', TransactionAnswer, body)
      const { code, txhash } = taken
      const isTaken = (code === undefined || code === 0) && typeof txhash === 'string'
      const response = (isTaken ? await included(txhash) : undefined) ?? taken
      return pageForm({ ...response, ...proposalFailure(response) })
    },
    async groupsOfMember(address) {
      const path = `/cosmos/group/v1/groups_by_member/${address}?pagination.reverse=true`
      return (await ask(path, GroupsAnswer)).groups
    },
    async membersOfGroup(id) {
      const { members } = await ask(`/cosmos/group/v1/group_members/${id}`, MembersAnswer)
      return members.map(({ member }) => member)
    },
    policiesOfGroup: async (id) =>
      (await ask(`/cosmos/group/v1/group_policies_by_group/${id}`, PoliciesAnswer)).group_policies,
  }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
