import {
  approveActRequest,
  declineActRequest,
  listActRequests,
  readActRequest,
  withdrawActRequest,
} from '@portico/contracts/admin/act-requests'
import { type AdminEdge, serveAdmin } from '../serve-admin.ts'

/** Routes for acts that need a second operator. */
export function adminActRequests(edge: AdminEdge): void {
  const { actRequests } = edge
  serveAdmin(edge, listActRequests, ({ query, operator }) => actRequests.list(query, operator))
  serveAdmin(edge, readActRequest, ({ query, operator }) =>
    actRequests.read(query.requestUuid, operator),
  )
  serveAdmin(edge, approveActRequest, ({ body, ...by }) => actRequests.approve(body, by))
  serveAdmin(edge, declineActRequest, ({ body, ...by }) => actRequests.decline(body, by))
  serveAdmin(edge, withdrawActRequest, ({ body, ...by }) => actRequests.withdraw(body, by))
}
