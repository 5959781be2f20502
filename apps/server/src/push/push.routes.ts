import { readPushKey, subscribePush, unsubscribePush } from '@portico/contracts/push'
import { COSTLY } from '../http/rate-limits.ts'
import { type Edge, serve } from '../http/serve.ts'
import type { Push } from './push.ts'
import type { Vapid } from './vapid.ts'

/**
 * Routes that subscribe mobile wallets to notifications. They need no session: as with the relay, knowing the secret topic
 * suffices.
 */
export function pushRoutes(
  edge: Edge,
  { push, vapid }: { readonly push: Push; readonly vapid: Vapid },
): void {
  serve(edge, readPushKey, async () => ({ publicKey: vapid.publicKey }))
  serve(
    edge,
    subscribePush,
    ({ body, visitor: { network } }) => push.subscribe({ ...body, network }),
    COSTLY,
  )
  serve(edge, unsubscribePush, ({ body }) => push.unsubscribe(body.endpoint), COSTLY)
  edge.app.addHook('onClose', async () => push.close())
}
