import { storeBorrowerQueryParams } from '@portico/contracts/lead-portal'
import type { Clock } from '../clock.ts'
import { type Edge, serve } from '../http/serve.ts'
import type { leadPortalStore } from './lead-portal.store.ts'

/** The calls of §7.3 that sign-in needs. */
export function leadPortal(
  edge: Edge,
  needs: { readonly store: ReturnType<typeof leadPortalStore>; readonly clock: Clock },
): void {
  serve(edge, storeBorrowerQueryParams, async ({ body, session }) => {
    const { queryParams } = body
    await needs.store.keepQueryParams({
      identityId: session.identityId,
      queryParams,
      at: needs.clock(),
    })
  })
}
