import type { CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

/** Stands for a value while a query is built. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Values that each know only their own name. The builder passes them on without looking at them. */
const PLACEHOLDERS = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

/** A query as far as this file is concerned: something that can be compiled. */
type Built<Row> = { readonly compile: () => CompiledQuery<Row> }

/**
 * A query that is built once for each engine and run with other values each time, in and out of transactions. Building
 * one costs more than running it, so what every sign-in asks is prepared; anything else is better read where it stands.
 * The builder must pass its values on as they are: what it computes from them, it would compute from placeholders.
 *
 * @example
 * const byId = prepared((database, { id }: { id: string }) =>
 *   database.selectFrom('identities').select('email').where('id', '=', id),
 * )
 * const [row] = await byId(database, { id })
 */
export function prepared<Values extends object, Row>(
  build: (database: Database, values: Values) => Built<Row>,
): (database: Database, values: Values) => Promise<Row[]> {
  // A database and its transactions share their adapter, and with it the form of their queries.
  const known = new WeakMap<object, CompiledQuery<Row>>()
  return async (database, values) => {
    const { adapter } = database.getExecutor()
    let query = known.get(adapter)
    if (query === undefined) {
      // Each value that is asked for is there, and stands for itself.
      query = build(database, PLACEHOLDERS as Values).compile()
      known.set(adapter, query)
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    const { rows } = await database.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}
