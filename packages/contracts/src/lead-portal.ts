import * as z from 'zod/mini'
import { call } from './call.ts'
import { visibleText } from './text.ts'

/** Keeps the query parameters a person arrived with (§4.4, §7.3). */
export const storeBorrowerQueryParams = call({
  name: 'storeBorrowerQueryParams',
  summary: 'Keep the query parameters a person arrived with.',
  method: 'PUT',
  path: '/service-lead-portal/secure/borrower/store-borrower-query-params',
  auth: 'session',
  body: z.strictObject({
    queryParams: z
      .record(visibleText({ max: 64 }), visibleText({ min: 0, max: 2048 }))
      .check(z.refine((params) => Object.keys(params).length <= 32, 'at most 32 parameters')),
  }),
})

/** The lead portal's calls. */
export const LEAD_PORTAL_CALLS = [storeBorrowerQueryParams] as const
