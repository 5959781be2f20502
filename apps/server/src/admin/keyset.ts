import { Refusal } from '@portico/contracts/errors'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** The last item of a page, after which the next page begins. */
export interface Place {
  readonly createdAt: number
  readonly id: string
}

/** @throws Refusal - `invalid-request` for an invalid position */
export function parsePlace(text: string): Place {
  const [, createdAt, id] = /^(\d{1,15})\.([\da-f-]{36})$/.exec(text) ?? []
  if (createdAt === undefined || id === undefined) throw new Refusal('invalid-request')
  return { createdAt: Number(createdAt), id }
}

/** Limits a list of `createdAt` and ID, newest first, to what follows a place, if there is one. */
export function isAfter(place: Place | undefined, idColumn = 'id'): RawBuilder<SqlBool> {
  if (place === undefined) return sql<SqlBool>`1 = 1`
  return sql<SqlBool>`(${sql.ref('createdAt')}, ${sql.ref(idColumn)}) < (${place.createdAt}, ${place.id})`
}
