import * as calls from '@portico/contracts/admin/banners'
import type { Visitor } from '../../http/visitor.ts'
import { type AdminEdge, type Operator, serveAct, serveAdmin } from '../serve-admin.ts'
import { type BannerDeps, bannerEdits } from './edit-banners.ts'

/** Routes for editing banners. */
export function adminBanners(edge: AdminEdge, deps: BannerDeps): void {
  const edits = bannerEdits(deps)
  const scopeOf = (operator: Operator) => operator.scopeOf('banners.write')
  const actOf = (operator: Operator, { network }: Visitor) => {
    const { id, name, approval } = operator
    return {
      scope: scopeOf(operator),
      editor: { id, name, network, ...(approval && { approval }) },
    }
  }

  serveAdmin(edge, calls.listBanners, ({ query, operator }) =>
    edits.list(scopeOf(operator), query.after),
  )
  serveAdmin(edge, calls.saveBannerDraft, ({ body, operator, visitor }) =>
    edits.saveDraft(body, actOf(operator, visitor)),
  )
  serveAdmin(edge, calls.discardBannerDraft, ({ body, operator }) =>
    edits.discardDraft(body.id, body.revision, scopeOf(operator)),
  )
  serveAct(edge, calls.publishBanner, {
    check: (body, operator) => edits.checkPublication(body, scopeOf(operator)),
    perform: ({ body, operator, visitor }) => edits.publish(body, actOf(operator, visitor)),
  })
  serveAct(edge, calls.endBanner, {
    check: (body, operator) => edits.checkEnd(body, scopeOf(operator)),
    perform: ({ body, operator, visitor }) => edits.end(body, actOf(operator, visitor)),
  })
  serveAdmin(edge, calls.readBannerHistory, ({ query, operator }) =>
    edits.readHistory(query.id, scopeOf(operator)),
  )
  serveAdmin(edge, calls.exportBanners, () => edits.exportFile())
}
