import { Refusal } from '@portico/contracts/errors'
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
