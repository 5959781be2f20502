import {
  type AuditFilter,
  exportAudit,
  listAuditKinds,
  searchAudit,
} from '@portico/contracts/admin/audit'
import { AUDIT_EVENTS } from '../../audit/audit-events.ts'
import type { Stores } from '../../stores.ts'
import { type AdminEdge, type Operator, serveAdmin, serveAdminDownload } from '../serve-admin.ts'
import { auditSearch } from './search-audit.ts'

/** Routes for the audit log. */
export function adminAudit(
  edge: AdminEdge,
  deps: { readonly stores: Pick<Stores, 'auditSearch'> },
): void {
  const audit = auditSearch(deps)
  serveAdmin(edge, searchAudit, async ({ operator, query, visitor }) => {
    const page = await audit.search(operator, query)
    const read = readOf(operator, query)
    await edge.boundedAudit.recordRead('audit-searched', read, visitor)
    return page
  })
  serveAdmin(edge, listAuditKinds, async () => ({ kinds: Object.keys(AUDIT_EVENTS).toSorted() }))
  serveAdminDownload(edge, exportAudit, async ({ operator, query, visitor }) => {
    const { format } = query
    const content = audit.export(operator, query)
    const read = readOf(operator, query, { format })
    await edge.boundedAudit.recordRead('audit-exported', read, visitor)
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
    return { name: `audit.${format}`, type, content }
  })
}

/** What an operator reads of the audit log. The pages of one search are repetitions. */
function readOf(
  { id: operatorId }: Operator,
  { identityUuid, organizationCode = '*', ...filter }: AuditFilter,
  more: Readonly<Record<string, string>> = {},
) {
  const { operatorId: ofOperator, kind, network, from, until } = filter
  const chosen = Object.entries({ operator: ofOperator, kind, network, from, until })
  const details = Object.fromEntries(
    chosen.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  return {
    operatorId,
    organizationCode,
    ...(identityUuid === undefined ? {} : { identityId: identityUuid }),
    details: { ...more, ...details },
  }
}
