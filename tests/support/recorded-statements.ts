/**
 * The statements that stores send, without a database: every method is called with arguments that stand for any value, and
 * every statement is answered with one row of any values. New stores and methods are therefore included.
 */
import type { Database } from '@portico/server/database'
import {
  CamelCasePlugin,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/** A statement and the store's method, such as `passports.find`, or task that sent it. */
export interface RecordedStatement {
  readonly sender: string
  readonly sql: string
}

const TEXT = '[]'
const TEXT_METHODS = /^(?:replace|replaceAll|toJSON|toLowerCase|toUpperCase|trim)$/

/** Stands for any value: a text of JSON, a number, a list of one, and an object with any property. */
export const ANYTHING: never = new Proxy([undefined], {
  get(target, name) {
    if (name === 'then') return undefined
    if (name === Symbol.toPrimitive) return (hint: string) => (hint === 'string' ? TEXT : 1)
    if (typeof name === 'string' && TEXT_METHODS.test(name)) return () => TEXT
    // Our objects have times with this name.
    const member: unknown = name === 'at' ? undefined : Reflect.get(target, name)
    return member === undefined ? ANYTHING : member
  },
}) as never

class RecordingDriver extends DummyDriver {
  readonly #record: (sql: string) => void

  constructor(record: (sql: string) => void) {
    super()
    this.#record = record
  }

  override async acquireConnection() {
    const record = this.#record
    return {
      async executeQuery<Row>({ sql }: { readonly sql: string }): Promise<QueryResult<Row>> {
        record(sql)
        return { rows: [ANYTHING], numAffectedRows: 0n, numChangedRows: 0n }
      },
      async *streamQuery(): AsyncGenerator<never> {},
    }
  }
}

export class StatementRecorder {
  readonly statements: RecordedStatement[] = []
  readonly database: Database
  #sender = ''

  constructor(onPostgres: boolean) {
    const driver = new RecordingDriver((sql) => {
      this.statements.push({ sender: this.#sender, sql })
    })
    const dialect: Dialect = onPostgres
      ? {
          createDriver: () => driver,
          createAdapter: () => new PostgresAdapter(),
          createIntrospector: (database) => new PostgresIntrospector(database),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        }
      : {
          createDriver: () => driver,
          createAdapter: () => new SqliteAdapter(),
          createIntrospector: (database) => new SqliteIntrospector(database),
          createQueryCompiler: () => new SqliteQueryCompiler(),
        }
    const camelCase = new CamelCasePlugin()
    // Rows of any values are not mapped: they have every column.
    this.database = new Kysely({
      dialect,
      plugins: [
        {
          transformQuery: (args) => camelCase.transformQuery(args),
          transformResult: async ({ result }) => result,
        },
      ],
    })
  }

  /** Records what `work` sends, and returns how many statements that were. */
  async during(sender: string, work: () => unknown): Promise<number> {
    this.#sender = sender
    const before = this.statements.length
    await work()
    return this.statements.length - before
  }
}
