/** Searches transactions by a transfer's sender or recipient, the part of a node's search that wallets use for their history. */
import type { ChainEvent } from './block.ts'
import type { TransferSearch } from './chain.store.ts'

const QUERY = /^transfer\.(sender|recipient)\s*=\s*'([a-z0-9]{1,128})'$/
const MAX_LIMIT = 100

/** Parses the parameters of `/cosmos/tx/v1beta1/txs`; undefined if the query is not supported. */
export function readTransferSearch(parameters: URLSearchParams): TransferSearch | undefined {
  const [, role, address] = QUERY.exec(parameters.get('query')?.trim() ?? '') ?? []
  if ((role !== 'sender' && role !== 'recipient') || address === undefined) return undefined
  return {
    role,
    address,
    isNewestFirst: parameters.get('order_by') === 'ORDER_BY_DESC',
    page: positive(parameters.get('page'), 1),
    limit: Math.min(positive(parameters.get('limit'), MAX_LIMIT), MAX_LIMIT),
  }
}

/** The addresses between which the events transfer coins, each once per role. */
export function transferParties(
  events: readonly ChainEvent[],
): readonly Pick<TransferSearch, 'role' | 'address'>[] {
  const parties = new Map<string, Pick<TransferSearch, 'role' | 'address'>>()
  for (const { type, attributes } of events) {
    if (type !== 'transfer') continue
    for (const { key, value } of attributes) {
      if (key === 'sender' || key === 'recipient') {
        parties.set(`${key} ${value}`, { role: key, address: value })
      }
    }
  }
  return [...parties.values()]
}

function positive(text: string | null, fallback: number): number {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fallback
}
