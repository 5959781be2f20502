import { Refusal } from '@portico/contracts/errors'
import { ADMIN_PAGE_SIZE } from '@portico/contracts/limits'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A keyset cursor: the last item of a page, after which the next page begins. */
export interface Cursor {
  readonly createdAt: number
  readonly id: string
}

/** @throws Refusal - `invalid-request` for an invalid cursor */
export function parseCursor(text: string): Cursor {
  const [, createdAt, id] = /^(\d{1,15})\.([\da-f-]{36})$/.exec(text) ?? []
  if (createdAt === undefined || id === undefined) throw new Refusal('invalid-request')
  return { createdAt: Number(createdAt), id }
}

/** Limits a list ordered by `createdAt` and ID, newest first, to what follows the cursor, if there is one. */
export function isAfter(cursor: Cursor | undefined, idColumn = 'id'): RawBuilder<SqlBool> {
  if (cursor === undefined) return sql<SqlBool>`1 = 1`
  return sql<SqlBool>`(${sql.ref('createdAt')}, ${sql.ref(idColumn)}) < (${cursor.createdAt}, ${cursor.id})`
}

/** How many rows are read at once for those that the operator may see. */
const SCANNED_ROWS = 500

/** A page of the rows that an operator may see, of a small table whose rows have lists of organizations. */
export async function visiblePage<Row extends Cursor>(
  query: { readonly after?: string | undefined; readonly limit?: string | undefined },
  {
    list,
    isVisible,
  }: {
    readonly list: (page: { after: Cursor | undefined; limit: number }) => Promise<Row[]>
    readonly isVisible: (row: Row) => boolean
  },
): Promise<{ readonly items: Row[]; readonly next: string | null }> {
  const limit = query.limit === undefined ? ADMIN_PAGE_SIZE : Number(query.limit)
  let after = query.after === undefined ? undefined : parseCursor(query.after)
  const visible: Row[] = []
  for (let isMore = true; isMore; ) {
    const rows = await list({ after, limit: SCANNED_ROWS })
    visible.push(...rows.filter(isVisible))
    after = rows.at(-1)
    isMore = rows.length === SCANNED_ROWS && visible.length <= limit
  }
  const items = visible.slice(0, limit)
  const last = items.at(-1)
  const hasNext = last !== undefined && visible.length > limit
  return { items, next: hasNext ? `${last.createdAt}.${last.id}` : null }
}
