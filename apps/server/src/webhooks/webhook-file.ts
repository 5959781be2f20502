import { EmailAddress } from '@portico/contracts/email-address'
import { OrgCode } from '@portico/contracts/organization'
import { visibleText } from '@portico/contracts/text'
import * as z from 'zod/mini'
import { KINDS_BY_TYPE } from '../audit/audit-events.ts'
import { WEBHOOK_SECRET_NAME } from './webhook-secrets.ts'

/**
 * A webhook endpoint, as described by a file under `config/webhooks`.
 *
 * - `secrets`: the environment variables with the signing secrets, the current one first.
 * - `events`: the event types it receives; all by default.
 * - `contact`: the address that is notified when the endpoint is disabled.
 */
export const WebhookFile = z.strictObject({
  id: z
    .string()
    .check(z.regex(/^[a-z][a-z0-9-]{0,59}$/, 'must be lower-case letters, digits and -')),
  description: z.optional(visibleText({ max: 200 })),
  organization: OrgCode,
  url: z.string(),
  secrets: z
    .array(
      z
        .string()
        .check(z.regex(WEBHOOK_SECRET_NAME, 'must be a variable such as WEBHOOK_SECRET_LENDER')),
    )
    .check(z.minLength(1, 'must name a variable'), z.maxLength(2, 'must have at most two entries')),
  events: z.optional(
    z
      .array(
        z
          .string()
          .check(z.refine((type) => KINDS_BY_TYPE.has(type), 'must be a type of docs/webhooks.md')),
      )
      .check(z.minLength(1, 'must have at least one entry')),
  ),
  contact: EmailAddress,
})

export type WebhookFile = z.output<typeof WebhookFile>
