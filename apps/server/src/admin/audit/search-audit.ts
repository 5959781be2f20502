import type { AuditFilter, AuditPage } from '@portico/contracts/admin/audit'
import { Refusal } from '@portico/contracts/errors'
import { ADMIN_PAGE_SIZE } from '@portico/contracts/limits'
import { isInScope, type Scope } from '@portico/rules/operator-permissions'
import type { Stores } from '../../stores.ts'
import { csvLine } from '../csv.ts'
import type { Operator } from '../operators/operators.ts'
import type { AuditCursor, AuditSearch } from './audit-search.store.ts'

/** How many entries an export reads per query. */
const EXPORT_BATCH = 500

const COLUMNS = [
  'time',
  'kind',
  'identityUuid',
  'organizationCode',
  'network',
  'operatorId',
  'operator',
  'details',
  'sequence',
  'id',
  'person',
] as const

/** Searches and exports the audit log within the operator's organizations. */
export function auditSearch({ stores }: { readonly stores: Pick<Stores, 'auditSearch'> }) {
  type Row = Awaited<ReturnType<typeof stores.auditSearch.list>>[number]

  async function linesOf(operator: Operator, rows: readonly Row[]): Promise<AuditPage['items']> {
    const [operators, people] = await Promise.all([
      stores.auditSearch.listOperators(
        rows.flatMap(({ operatorId }) => (operatorId === null ? [] : [operatorId])),
      ),
      // A person of another lender may have visited a page of one of the operator's.
      stores.auditSearch.listPeople(
        operator.scopeOf('people.read'),
        rows.flatMap(({ identityId }) => (identityId === null ? [] : [identityId])),
      ),
    ])
    return rows.map(({ createdAt, identityId, ...row }) => ({
      id: row.id,
      at: createdAt,
      kind: row.kind,
      identityUuid: identityId,
      person: people.get(identityId ?? '') ?? null,
      organizationCode: row.organizationCode,
      network: row.network,
      operatorId: row.operatorId,
      operator: operators.get(row.operatorId ?? '') ?? null,
      details: row.details,
      sequence: row.sequence,
    }))
  }

  /** @throws Refusal - `not-found` for an organization outside the operator's scope */
  function searchOf(
    operator: Operator,
    filter: AuditFilter,
  ): {
    readonly scope: Scope
    readonly search: Omit<AuditSearch, 'limit'>
  } {
    const { organizationCode, identityUuid, operatorId, kind, network, from, until } = filter
    const scope = operator.scopeOf('audit.read')
    if (organizationCode !== undefined && !isInScope(scope, organizationCode)) {
      throw new Refusal('not-found')
    }
    return {
      scope: organizationCode === undefined ? scope : { organizationCodes: [organizationCode] },
      search: {
        identityId: identityUuid,
        operatorId,
        kind,
        network,
        from: from === undefined ? undefined : Number(from),
        until: until === undefined ? undefined : Number(until),
      },
    }
  }

  return {
    async search(
      operator: Operator,
      {
        after,
        limit = `${ADMIN_PAGE_SIZE}`,
        ...filter
      }: AuditFilter & { readonly after?: string | undefined; readonly limit?: string | undefined },
    ): Promise<AuditPage> {
      const { scope, search } = searchOf(operator, filter)
      const size = Number(limit)
      const page = { ...search, after: parseAuditCursor(after), limit: size + 1 }
      const rows = await stores.auditSearch.list(scope, page)
      const items = await linesOf(operator, rows.slice(0, size))
      const last = items.at(-1)
      return { items, next: rows.length > size && last ? `${last.at}.${last.id}` : null }
    },

    /** Streams the file page by page, so memory use does not depend on its size. */
    export(
      operator: Operator,
      { format, ...filter }: AuditFilter & { readonly format: 'csv' | 'ndjson' },
    ): AsyncIterable<Uint8Array> {
      const { scope, search } = searchOf(operator, filter)
      const write = (line: AuditPage['items'][number]) =>
        format === 'ndjson' ? `${JSON.stringify(line)}\n` : csvLine(cellsOf(line))
      return (async function* content() {
        if (format === 'csv') yield Buffer.from(csvLine(COLUMNS))
        let after: AuditCursor | undefined
        for (;;) {
          const rows = await stores.auditSearch.list(scope, {
            ...search,
            after,
            limit: EXPORT_BATCH,
          })
          if (rows.length > 0)
            yield Buffer.from((await linesOf(operator, rows)).map(write).join(''))
          const last = rows.at(-1)
          if (last === undefined || rows.length < EXPORT_BATCH) return
          after = { at: last.createdAt, id: last.id }
        }
      })()
    },
  }
}

function cellsOf(line: AuditPage['items'][number]): readonly (string | number | null)[] {
  return [
    new Date(line.at).toISOString(),
    line.kind,
    line.identityUuid,
    line.organizationCode,
    line.network,
    line.operatorId,
    line.operator,
    line.details,
    line.sequence,
    line.id,
    line.person,
  ]
}

/** @throws Refusal - `invalid-request` if a client changed `next` */
function parseAuditCursor(after: string | undefined): AuditCursor | undefined {
  if (after === undefined) return undefined
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,100})$/.exec(after) ?? []
  if (at === undefined || id === undefined) throw new Refusal('invalid-request')
  return { at: Number(at), id }
}
