import * as z from 'zod/mini'
import { call } from './call.ts'
import { EmailAddress } from './email-address.ts'
import { BOT_CHECK_HEADER } from './identity.ts'
import { OrgCode } from './organization.ts'
import { Uuid, visibleText } from './text.ts'

/** Mails a partner-referred borrower a code and a link to continue the application (§4.7, §7.3). */
export const sendContinueApplicationEmail = call({
  name: 'sendContinueApplicationEmail',
  summary:
    'Mail a borrower a code and a link to continue; the response is the same for every borrower.',
  method: 'POST',
  path: '/service-lead-portal/api/borrowers/send-continue-app-email-with-otp',
  auth: 'none',
  headers: { [BOT_CHECK_HEADER]: 'The solved bot check.' },
  body: z
    .strictObject({
      borrowerIdentityUuid: z.optional(Uuid),
      borrowerIdentifier: z.optional(
        z.strictObject({ borrowerEmail: EmailAddress, organization: OrgCode }),
      ),
    })
    .check(
      z.refine(
        (body) =>
          (body.borrowerIdentityUuid === undefined) !== (body.borrowerIdentifier === undefined),
        'give borrowerIdentityUuid or borrowerIdentifier',
      ),
    ),
  answer: z.object({ loginUuid: Uuid }),
  refusals: ['bot-check-failed'],
})

/** Stores the query parameters that a user arrived with (§4.4, §7.3). */
export const storeBorrowerQueryParams = call({
  name: 'storeBorrowerQueryParams',
  summary: 'Store the query parameters that a user arrived with.',
  method: 'PUT',
  path: '/service-lead-portal/secure/borrower/store-borrower-query-params',
  auth: 'session',
  body: z.strictObject({
    queryParams: z
      .record(visibleText({ max: 64 }), visibleText({ min: 0, max: 2048 }))
      .check(z.refine((params) => Object.keys(params).length <= 32, 'at most 32 parameters')),
  }),
})

export const LEAD_PORTAL_CALLS = [sendContinueApplicationEmail, storeBorrowerQueryParams] as const
