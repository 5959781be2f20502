import {
  exportFunnel,
  exportSeries,
  readFunnel,
  readSeries,
} from '@portico/contracts/admin/insight'
import type { Clock } from '../../clock.ts'
import type { Stores } from '../../stores.ts'
import { type AdminEdge, serveAdmin, serveAdminDownload } from '../serve-admin.ts'
import { insightReader } from './insight.ts'

/** Routes for Insight. */
export function adminInsight(
  edge: AdminEdge,
  deps: { readonly stores: Pick<Stores, 'insight'>; readonly clock: Clock },
): void {
  const insight = insightReader(deps)
  serveAdmin(edge, readFunnel, ({ operator, query }) => insight.readFunnel(operator, query))
  serveAdmin(edge, readSeries, ({ operator, query }) => insight.readSeries(operator, query))
  serveAdminDownload(edge, exportFunnel, async ({ operator, query }) =>
    csvFile(
      `${query.funnel}-${query.from}-${query.to}`,
      await insight.exportFunnel(operator, query),
    ),
  )
  serveAdminDownload(edge, exportSeries, async ({ operator, query }) =>
    csvFile(
      `${query.metric}-${query.from}-${query.to}`,
      await insight.exportSeries(operator, query),
    ),
  )
}

function csvFile(name: string, text: string) {
  const bytes = Buffer.from(text)
  return {
    name: `${name}.csv`,
    type: 'text/csv; charset=utf-8',
    bytes: bytes.length,
    content: (async function* content() {
      yield bytes
    })(),
  }
}
