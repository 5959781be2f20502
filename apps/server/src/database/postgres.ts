import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'

/** PostgreSQL's type id of `int8`, which its driver would give as text: our times and counts fit a number. */
const INT8 = 20
/** Statements kept prepared on each connection. */
const PREPARED_MAXIMUM = 500

/** A pool of connections to PostgreSQL. */
export function postgresDialect(connectionString: string, connections: number): Dialect {
  pg.types.setTypeParser(INT8, Number)
  const pool = new pg.Pool({ connectionString, max: connections })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool: preparing(pool) })
}

/** Gives each statement a name, by which a connection that has seen it runs it without reading and planning it anew. */
function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()

  function nameOf(sql: string): string | undefined {
    const known = names.get(sql)
    if (known !== undefined || names.size >= PREPARED_MAXIMUM || !keeps(sql)) return known
    const name = `portico_${names.size}`
    names.set(sql, name)
    return name
  }

  function preparingClient(client: pg.PoolClient): PostgresPoolClient {
    const query = (sql: string, parameters: readonly unknown[]) => {
      const name = nameOf(sql)
      const values = [...parameters]
      return client.query(name === undefined ? { text: sql, values } : { name, text: sql, values })
    }
    return {
      // Without a cursor in the dialect's options there is no other form of this call.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy),
    }
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? preparingClient(client)
      clients.set(client, known)
      return known
    },
  }
}

/**
 * Whether a statement keeps its meaning while newer nodes change the schema: one that asks for every column would fail
 * from the moment that a column is added.
 */
function keeps(sql: string): boolean {
  return /^(?:select|insert|update|delete) /.test(sql) && !sql.includes('*')
}
