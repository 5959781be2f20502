/** The development chain in memory, and accounts that sign for tests. */
import { randomBytes } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type ChainNode, openChain } from '@portico/chain-client/chain'
import { prepareTransaction, signedTransaction } from '@portico/chain-client/transaction'
import { addressOf } from '@portico/keys/address'
import { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf, sign } from '@portico/keys/signature'
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely'
import { openDevelopmentChain } from './development-chain.ts'
import type { ChainTables } from './tables.ts'

const START = Date.UTC(2026, 0, 1)

/** Opens a development chain in memory. Its clock stands still until `advance`. */
export async function aDevelopmentChain(database = memoryDatabase()) {
  let now = START
  const network = NETWORKS.testnet
  const { request, seedGroups } = await openDevelopmentChain({
    database,
    clock: () => now,
    network,
  })
  const node: ChainNode = request
  const chain = openChain(node)

  /** An account with its own key. */
  function account(privateKey: Uint8Array = randomBytes(32)) {
    const publicKey = publicKeyOf(privateKey)
    const address = addressOf(publicKey, network.prefix)

    /** Signs messages (base64 of `Any`), optionally as a proposal of a group. */
    async function build(messages: readonly string[], group?: string): Promise<Uint8Array> {
      await chain.balances(address)
      const bytes = await prepareTransaction(chain, network, {
        request: { kind: 'send', address, messages: [...messages], group: group ?? null },
        publicKey,
      })
      return signedTransaction(bytes, sign(privateKey, bytes))
    }

    return {
      address,
      publicKey,
      privateKey,
      build,
      send: async (messages: readonly string[], group?: string) =>
        chain.broadcast(await build(messages, group)),
    }
  }

  return {
    node,
    chain,
    seedGroups,
    account,
    at: () => now,
    advance(milliseconds: number) {
      now += milliseconds
    },
  }
}

/** An empty database in memory. */
export function memoryDatabase(): Kysely<ChainTables> {
  const sqlite = new DatabaseSync(':memory:')
  return new Kysely<ChainTables>({
    plugins: [new CamelCasePlugin()],
    dialect: new SqliteDialect({
      database: {
        close: () => sqlite.close(),
        prepare(sql) {
          const statement = sqlite.prepare(sql)
          const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[] // Our columns have no other types.
          return {
            reader: statement.columns().length > 0,
            all: (parameters) => statement.all(...bind(parameters)),
            run: (parameters) => statement.run(...bind(parameters)),
            iterate: (parameters) => statement.iterate(...bind(parameters)),
          }
        },
      },
    }),
  })
}
