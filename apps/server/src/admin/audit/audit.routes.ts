import { exportAudit, listAuditKinds, searchAudit } from '@portico/contracts/admin/audit'
import { AUDIT_EVENTS } from '../../audit/audit-events.ts'
import type { Stores } from '../../stores.ts'
import { type AdminEdge, serveAdmin, serveAdminDownload } from '../serve-admin.ts'
import { auditSearch } from './search-audit.ts'

/** Routes for the audit log. */
export function adminAudit(
  edge: AdminEdge,
  deps: { readonly stores: Pick<Stores, 'auditSearch'> },
): void {
  const audit = auditSearch(deps)
  serveAdmin(edge, searchAudit, ({ operator, query }) => audit.search(operator, query))
  serveAdmin(edge, listAuditKinds, async () => ({ kinds: Object.keys(AUDIT_EVENTS).toSorted() }))
  serveAdminDownload(edge, exportAudit, async ({ operator, query, visitor }) => {
    const { format, organizationCode = '*' } = query
    const content = audit.export(operator, query)
    const read = { operatorId: operator.id, organizationCode, details: { format } }
    await edge.boundedAudit.recordRead('audit-exported', read, visitor)
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
    return { name: `audit.${format}`, type, content }
  })
}
