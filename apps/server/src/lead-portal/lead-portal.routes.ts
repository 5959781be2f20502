import {
  sendContinueApplicationEmail,
  storeBorrowerQueryParams,
} from '@portico/contracts/lead-portal'
import { assertBotCheckPassed, type BotCheck } from '../bot-check/bot-check.ts'
import type { Organizations } from '../brands/brands.ts'
import type { Clock } from '../clock.ts'
import { COSTLY } from '../http/rate-limits.ts'
import { type Edge, serve } from '../http/serve.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'
import { lockSession } from '../sessions/sessions.ts'
import type { AllStores } from '../stores.ts'
import { sendContinueApplication } from './continue-application.ts'

/** Routes for §7.3. */
export function leadPortal(
  edge: Edge,
  deps: {
    readonly stores: AllStores
    readonly organizations: Organizations
    readonly vault: Vault
    readonly clock: Clock
    readonly outbox: Outbox
    readonly botCheck: BotCheck
  },
): void {
  const send = sendContinueApplication(deps)
  serve(
    edge,
    sendContinueApplicationEmail,
    async ({ body, visitor, headers }) => {
      await assertBotCheckPassed(deps.botCheck, headers, visitor.network)
      return send(body, visitor)
    },
    COSTLY,
  )
  serve(edge, storeBorrowerQueryParams, async ({ body, session }) => {
    const { queryParams } = body
    const at = deps.clock()
    await deps.stores.atomically(async (transaction) => {
      await lockSession(transaction, session, at)
      await transaction.queryParams.upsert({
        identityId: session.identityId,
        queryParams,
        at,
      })
    })
  })
}
