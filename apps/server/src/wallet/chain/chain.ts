/**
 * The chain as a hosted wallet needs it, over the REST interface that every node offers. What the node answers is
 * parsed; what it cannot answer in time is told as such and nothing is sent twice.
 */
import { Refusal } from '@portico/contracts/errors'
import * as z from 'zod/mini'

/** The number of an account, and of its next transaction. */
export interface ChainAccount {
  readonly accountNumber: bigint
  readonly sequence: bigint
}

/** A node of the chain. */
export interface Chain {
  /** @throws Refusal - `transaction-refused` for an account that has never received anything */
  readonly account: (address: string) => Promise<ChainAccount>
  /** The gas a transaction would use. */
  readonly simulate: (transaction: Uint8Array) => Promise<number>
  /** Hands a signed transaction over; gives its answer in the names pages know (protocol 9.3). */
  readonly broadcast: (transaction: Uint8Array) => Promise<Readonly<Record<string, unknown>>>
}

const TIMEOUT_MS = 10_000

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
const BroadcastAnswer = z.object({ tx_response: z.record(z.string(), z.unknown()) })
const Failure = z.object({ message: z.string() })

/** The node at an address; without one, whatever needs the chain is refused. */
export function openChain(url: string | undefined): Chain {
  async function ask<Answer>(
    path: string,
    schema: z.ZodMiniType<Answer>,
    body?: unknown,
  ): Promise<Answer> {
    if (url === undefined) throw new Refusal('chain-not-available')
    const response = await reach(new URL(path, url), body)
    const answer: unknown = await response.json().catch(() => undefined)
    const parsed = schema.safeParse(answer)
    if (response.ok && parsed.success) return parsed.data
    if (response.ok || response.status >= 502) throw new Refusal('chain-not-available')
    const said = Failure.safeParse(answer)
    throw new Refusal('transaction-refused', said.success ? { errors: [said.data.message] } : {})
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
      const body = { tx_bytes: base64(transaction), mode: 'BROADCAST_MODE_SYNC' }
      const { tx_response } = await ask('/cosmos/tx/v1beta1/txs', BroadcastAnswer, body)
      return pageForm(tx_response)
    },
  }
}

async function reach(address: URL, body: unknown): Promise<Response> {
  try {
    return await fetch(address, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
    })
  } catch (cause) {
    throw new Refusal('chain-not-available', { cause })
  }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** `raw_log` becomes `rawLog`; lists are called lists. */
function pageForm(response: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => {
      const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return [Array.isArray(value) ? `${camel}List` : camel, value]
    }),
  )
}
