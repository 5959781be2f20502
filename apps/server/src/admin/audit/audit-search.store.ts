import { isInScope, type Scope } from '@portico/rules/operator-permissions'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

/** The position of an entry in the results, which are ordered by time and ID. */
export interface AuditCursor {
  readonly at: number
  readonly id: string
}

export interface AuditSearch {
  readonly identityId?: string | undefined
  readonly operatorId?: string | undefined
  readonly kind?: string | undefined
  readonly network?: string | undefined
  readonly from?: number | undefined
  readonly until?: number | undefined
  readonly after?: AuditCursor | undefined
  readonly limit: number
}

const COLUMNS = [
  'id',
  'createdAt',
  'kind',
  'identityId',
  'organizationCode',
  'network',
  'details',
  'operatorId',
  'sequence',
] as const

/** Searches of the audit log. Each reads one index in order and stops after a page. */
export function auditSearchStore(database: Database) {
  const search = (organizationCode: string | undefined, filter: AuditSearch) => {
    const { identityId, operatorId, kind, network, from, until, after, limit } = filter
    // The most selective filter uses its index; the others are written as expressions that match no index.
    const chosen =
      identityId !== undefined
        ? 'identityId'
        : operatorId !== undefined
          ? 'operatorId'
          : network !== undefined
            ? 'network'
            : 'others'
    const plain = chosen === 'others'
    const ofIndex = (column: string) =>
      plain || column === chosen || (column === 'kind' && chosen === 'operatorId')
    let query = database.selectFrom('auditEvents').select(COLUMNS)
    const also = (
      column: 'kind' | 'organizationCode' | 'network' | 'operatorId',
      value: string,
    ) => {
      query = ofIndex(column)
        ? query.where(column, '=', value)
        : query.where(sql<boolean>`${sql.ref(column)} || '' = ${value}`)
    }
    if (identityId !== undefined) query = query.where('identityId', '=', identityId)
    if (operatorId !== undefined) also('operatorId', operatorId)
    if (network !== undefined) also('network', network)
    if (kind !== undefined) also('kind', kind)
    if (organizationCode !== undefined) also('organizationCode', organizationCode)
    if (from !== undefined) query = query.where('createdAt', '>=', from)
    if (until !== undefined) query = query.where('createdAt', '<', until)
    if (after !== undefined) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '<', tuple(after.at, after.id)),
      )
    }
    return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
  }

  return {
    /** Newest first. Each organization has its own query, because one query for several would sort all their entries. */
    async list(scope: Scope, filter: AuditSearch) {
      if (scope.all) return search(undefined, filter)
      const lists = await Promise.all(
        scope.organizationCodes.map((organizationCode) => search(organizationCode, filter)),
      )
      return lists
        .flat()
        .toSorted((one, other) =>
          one.createdAt === other.createdAt
            ? one.id < other.id
              ? 1
              : -1
            : other.createdAt - one.createdAt,
        )
        .slice(0, filter.limit)
    },

    /** The email addresses of people of the organizations in a scope, by ID. */
    async listPeople(scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (ids.length === 0) return new Map()
      const people = await database
        .selectFrom('identities')
        .select(['id', 'email', 'organizationCode'])
        .where('id', 'in', [...new Set(ids)])
        .execute()
      return new Map(
        people
          .filter(({ organizationCode }) => isInScope(scope, organizationCode))
          .map(({ id, email }) => [id, email]),
      )
    },

    /** The email addresses of operators and the names of service tokens, by ID. */
    async listOperators(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (ids.length === 0) return new Map()
      const unique = [...new Set(ids)]
      const [people, tokens] = await Promise.all([
        database
          .selectFrom('identities')
          .select(['id', 'email as name'])
          .where('id', 'in', unique)
          .execute(),
        database
          .selectFrom('serviceTokens')
          .select(['id', 'name'])
          .where('id', 'in', unique)
          .execute(),
      ])
      return new Map([...people, ...tokens].map(({ id, name }) => [id, name]))
    },
  }
}
