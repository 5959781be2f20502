import type { CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

/** Represents a value while a query is built. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A stand-in for the values: each property is a placeholder, which the builder passes on unread. */
const PLACEHOLDERS = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

/** A query that can be compiled. */
type CompilableQuery<Row> = { readonly compile: () => CompiledQuery<Row> }

/**
 * Builds a query once per database engine and runs it with different values, inside and outside of transactions.
 * Building a query costs more than running it, so the queries of every sign-in are prepared; others are more readable
 * in place. The builder must pass its values on unchanged, because it receives placeholders.
 *
 * @example
 * const byId = prepared((database, { id }: { id: string }) =>
 *   database.selectFrom('identities').select('email').where('id', '=', id),
 * ) const [row] = await byId(database, { id })
 */
export function prepared<Values extends object, Row>(
  build: (database: Database, values: Values) => CompilableQuery<Row>,
): (database: Database, values: Values) => Promise<Row[]> {
  // A database and its transactions share an adapter and therefore compile queries alike.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return async (database, values) => {
    const { adapter } = database.getExecutor()
    let query = compiled.get(adapter)
    if (query === undefined) {
      // The proxy returns a placeholder for every property.
      query = build(database, PLACEHOLDERS as Values).compile()
      compiled.set(adapter, query)
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    const { rows } = await database.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}
