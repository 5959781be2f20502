/** What stands on the chain, in the form of the REST interface that nodes offer. */
import type { ChainStore } from './chain.store.ts'
import type { TransactionResult } from './deliver.ts'

type Found<Name extends keyof ChainStore> = NonNullable<
  Awaited<ReturnType<Extract<ChainStore[Name], (...given: never) => unknown>>>
>

const SECONDS = /\.\d{3}Z$/

/** A time as nodes write it in headers of blocks. */
export const blockTime = (at: number) => new Date(at).toISOString().replace(SECONDS, 'Z')

/** One page of a list that has no other. */
export const pageOf = (total: number) => ({ next_key: null, total: `${total}` })

/** An account. Its key is known once it has signed. */
export function accountAnswer({ address, number, sequence, public_key: key }: Found<'account'>) {
  return {
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address,
    pub_key: key === null ? null : { '@type': '/cosmos.crypto.secp256k1.PubKey', key },
    account_number: `${number}`,
    sequence: `${sequence}`,
  }
}

/** A group. */
export function groupAnswer(group: Found<'group'>) {
  return {
    id: `${group.id}`,
    admin: group.admin,
    metadata: group.metadata,
    version: '1',
    total_weight: group.total_weight,
    created_at: new Date(group.created_at).toISOString(),
  }
}

/** What a group acts as. */
export function policyAnswer(policy: Found<'policy'>) {
  return {
    address: policy.address,
    group_id: `${policy.group_id}`,
    admin: policy.admin,
    metadata: policy.metadata,
    version: '1',
    decision_policy: JSON.parse(policy.decision_policy) as unknown,
    created_at: new Date(policy.created_at).toISOString(),
  }
}

/** A member of a group. */
export function memberAnswer({
  group_id,
  address,
  weight,
  metadata,
  added_at,
}: Found<'members'>[number]) {
  return {
    group_id: `${group_id}`,
    member: { address, weight, metadata, added_at: new Date(added_at).toISOString() },
  }
}

/** A transaction that stands in a block. */
export function transactionAnswer(
  hash: string,
  result: TransactionResult,
  tx: Readonly<Record<string, unknown>>,
) {
  return {
    height: `${result.height}`,
    txhash: hash,
    codespace: result.codespace,
    code: result.code,
    data: '',
    raw_log: result.rawLog,
    logs: [],
    info: '',
    gas_wanted: `${result.gasWanted}`,
    gas_used: `${result.gasUsed}`,
    tx: { '@type': '/cosmos.tx.v1beta1.Tx', ...tx },
    timestamp: blockTime(result.at),
    events: result.events,
  }
}

/** A transaction that was taken, or was not, and stands in no block yet. */
export function takenAnswer(
  hash: string,
  refused?: { code: number; codespace: string; message: string },
) {
  return {
    height: '0',
    txhash: hash,
    codespace: refused?.codespace ?? '',
    code: refused?.code ?? 0,
    data: '',
    raw_log: refused?.message ?? '',
    logs: [],
    info: '',
    gas_wanted: '0',
    gas_used: '0',
    tx: null,
    timestamp: '',
    events: [],
  }
}
