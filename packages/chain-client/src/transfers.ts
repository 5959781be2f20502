/** Reads an account's balance and its transfers from a chain node. */
import { Refusal } from '@portico/contracts/errors'
import * as z from 'zod/mini'
import type { ChainNode } from './chain.ts'

/** An amount of one denomination. */
export interface Coin {
  readonly denom: string
  readonly amount: string
}

/** A transfer of coins within a transaction. */
export interface Transfer {
  readonly from: string
  readonly to: string
  readonly coins: readonly Coin[]
}

/** A transaction in a block. */
export interface Transaction {
  /** Upper-case hex. */
  readonly hash: string
  readonly height: number
  /** ISO 8601. */
  readonly at: string
  /** 0 for success; otherwise only the fee was charged, and `rawLog` says why. */
  readonly code: number
  readonly rawLog: string
  readonly memo: string
  readonly fee: readonly Coin[]
  /** Excluding the fee. */
  readonly transfers: readonly Transfer[]
}

const CoinResponse = z.object({ denom: z.string(), amount: z.string() })
const Attributes = z.array(z.object({ key: z.string(), value: z.string() }))
const Tx = z.object({
  body: z.object({ memo: z._default(z.string(), '') }),
  auth_info: z.object({ fee: z.object({ amount: z.array(CoinResponse) }) }),
})
const TxResponse = z.object({
  height: z.string(),
  txhash: z.string(),
  code: z._default(z.number(), 0),
  raw_log: z._default(z.string(), ''),
  timestamp: z.string(),
  tx: Tx,
  events: z._default(z.array(z.object({ type: z.string(), attributes: Attributes })), []),
})
const FoundTransaction = z.object({ tx_response: TxResponse })
const FoundTransactions = z.object({ tx_responses: z.array(TxResponse) })
const Balance = z.object({ balance: CoinResponse })

/** How many transactions a history shows. */
const HISTORY_LENGTH = 10

/** Returns the balance of an account in a denomination, in its smallest unit. */
export async function readBalance(
  node: ChainNode,
  address: string,
  denom: string,
): Promise<bigint> {
  const path = `/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=${encodeURIComponent(denom)}`
  const { balance } = await read(node, path, Balance)
  return BigInt(balance.amount)
}

/** Finds a transaction by its hash; undefined if it is not in a block. */
export async function findTransaction(
  node: ChainNode,
  hash: string,
): Promise<Transaction | undefined> {
  if (!/^[0-9a-f]{64}$/i.test(hash)) return undefined
  const { status, content } = await node(`/cosmos/tx/v1beta1/txs/${hash}`)
  if (status === 404) return undefined
  const found = FoundTransaction.safeParse(content)
  if (!found.success) throw new Refusal('chain-not-available')
  return transactionOf(found.data.tx_response)
}

/** Whether a transaction contains exactly this payment. */
export function isPayment(
  { transfers }: Pick<Transaction, 'transfers'>,
  payment: { readonly from: string; readonly to: string; readonly coin: Coin },
): boolean {
  return transfers.some(
    ({ from, to, coins: [coin, ...others] }) =>
      from === payment.from &&
      to === payment.to &&
      others.length === 0 &&
      coin?.denom === payment.coin.denom &&
      coin.amount === payment.coin.amount,
  )
}

/** Lists the latest transactions that sent coins from or to an account, the newest first. */
export async function listTransfers(
  node: ChainNode,
  address: string,
): Promise<readonly Transaction[]> {
  const [sent, received] = await Promise.all([
    search(node, `transfer.sender='${address}'`),
    search(node, `transfer.recipient='${address}'`),
  ])
  const found = new Map([...sent, ...received].map((each) => [each.hash, each]))
  return [...found.values()]
    .filter(({ transfers, code }) => code !== 0 || transfers.some(isOf(address)))
    .toSorted((one, other) => other.height - one.height)
    .slice(0, HISTORY_LENGTH)
}

const isOf =
  (address: string) =>
  ({ from, to }: Transfer) =>
    from === address || to === address

async function search(node: ChainNode, query: string): Promise<readonly Transaction[]> {
  const parameters = new URLSearchParams({
    query,
    order_by: 'ORDER_BY_DESC',
    page: '1',
    limit: `${HISTORY_LENGTH}`,
  })
  const { tx_responses } = await read(
    node,
    `/cosmos/tx/v1beta1/txs?${parameters}`,
    FoundTransactions,
  )
  return tx_responses.map(transactionOf)
}

async function read<Body>(
  node: ChainNode,
  path: string,
  schema: z.ZodMiniType<Body>,
): Promise<Body> {
  const { status, content } = await node(path)
  const parsed = schema.safeParse(content)
  if (status !== 200 || !parsed.success) throw new Refusal('chain-not-available')
  return parsed.data
}

function transactionOf(response: z.output<typeof TxResponse>): Transaction {
  const { txhash, height, timestamp, code, raw_log, tx, events } = response
  return {
    hash: txhash,
    height: Number(height),
    at: timestamp,
    code,
    rawLog: raw_log,
    memo: tx.body.memo,
    fee: tx.auth_info.fee.amount,
    transfers: events.filter(({ type }) => type === 'transfer').flatMap(transferOf),
  }
}

/** Only message events have an index; the fee transfer has none. */
function transferOf({ attributes }: { readonly attributes: z.output<typeof Attributes> }) {
  const values = new Map(attributes.map(({ key, value }) => [key, value]))
  const [from, to] = [values.get('sender'), values.get('recipient')]
  if (from === undefined || to === undefined || !values.has('msg_index')) return []
  return [{ from, to, coins: coinsOf(values.get('amount') ?? '') }]
}

/** Coins as a node writes them in events: `5nhash,1pm.sale`. */
function coinsOf(text: string): readonly Coin[] {
  return text.split(',').flatMap((coin) => {
    const [, amount, denom] = /^(\d+)(\D.*)$/.exec(coin) ?? []
    return amount === undefined || denom === undefined ? [] : [{ amount, denom }]
  })
}
