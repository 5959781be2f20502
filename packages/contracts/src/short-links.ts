import * as z from 'zod/mini'
import { call } from './call.ts'
import { visibleText } from './text.ts'

/** How long a short link works. A QR code is not shown for longer. */
export const SHORT_LINK_LIFETIME_MS = 60 * 60 * 1000

/**
 * Shortens a link that opens the mobile wallet (§7.4), so that its QR code is easy to scan. Pages of other origins call
 * it, and some of their clients send no content type: the body may also be `text/plain`, or have none.
 */
export const createShortLink = call({
  name: 'createShortLink',
  summary: 'Shorten a link that opens the mobile wallet, for an hour.',
  method: 'POST',
  path: '/links',
  auth: 'none',
  origins: 'any',
  body: z.strictObject({ longDynamicLink: visibleText({ max: 8192 }) }),
  answer: z.strictObject({ shortLink: z.url() }),
})

export const SHORT_LINK_CALLS = [createShortLink] as const
