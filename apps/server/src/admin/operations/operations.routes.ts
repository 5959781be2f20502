import {
  listWaitingMessages,
  readOperations,
  retryMessages,
} from '@portico/contracts/admin/operations'
import { type AdminEdge, serveAdmin } from '../serve-admin.ts'
import { operations } from './operations.ts'

/** Routes for the state of the installation. */
export function adminOperations(edge: AdminEdge, deps: Parameters<typeof operations>[0]): void {
  const use = operations(deps)
  serveAdmin(edge, readOperations, ({ operator }) => use.read(operator))
  serveAdmin(edge, listWaitingMessages, async ({ operator, query, visitor }) => {
    const read = { operatorId: operator.id, organizationCode: '*' }
    await edge.boundedAudit.recordRead('messages-viewed', read, visitor)
    return use.listMessages(query.after, operator)
  })
  serveAdmin(edge, retryMessages, ({ body, ...actor }) => use.retryMessages(body, actor))
}
