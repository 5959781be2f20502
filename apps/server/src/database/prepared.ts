import type { Compilable, CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

/** Stands for a value while a query is built. */
class Placeholder {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

/**
 * A query that is built once and run with other values each time. Building one costs more than running it, so what
 * every request asks is prepared; anything else is better read where it stands.
 *
 * @example
 * const byId = prepared(database, (id: string) => database.selectFrom('identities').selectAll().where('id', '=', id))
 */
export function prepared<const Values extends readonly unknown[], Row>(
  database: Database,
  build: (...values: Values) => Compilable<Row>,
): (...values: Values) => Promise<Row[]> {
  let known: { query: CompiledQuery<Row>; from: readonly unknown[] } | undefined
  return async (...values) => {
    if (known === undefined) {
      const placeholders = values.map((_, index) => new Placeholder(index))
      // The builder passes values on without looking at them.
      const query = build(...(placeholders as unknown as Values)).compile()
      known = { query, from: query.parameters }
    }
    const parameters = known.from.map((from) =>
      from instanceof Placeholder ? values[from.index] : from,
    )
    const { rows } = await database.executeQuery<Row>({ ...known.query, parameters })
    return rows
  }
}
