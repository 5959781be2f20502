import * as z from 'zod/mini'
import { MAX_TIMEOUT_MS, MAX_URI_LENGTH, PAGE_EVENT_NAMES } from './page-event.ts'

/** The visible part of the screen that shows the page. */
const VisibleScreen = z.object({ left: z.int(), top: z.int(), width: z.int(), height: z.int() })

export type VisibleScreen = z.output<typeof VisibleScreen>

/**
 * A page's event as the content script sends it to the worker, or that the page is being left. It is checked again, because the
 * script runs in the page's process.
 */
export const PageMessage = z.object({
  event: z.enum([...PAGE_EVENT_NAMES, 'left']),
  uri: z.optional(z.string().check(z.maxLength(MAX_URI_LENGTH))),
  timeoutMs: z.optional(z.number().check(z.positive(), z.maximum(MAX_TIMEOUT_MS))),
  screen: VisibleScreen,
})

export type PageMessage = z.output<typeof PageMessage>
