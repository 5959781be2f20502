import * as z from 'zod/mini'

/** The operator console; its pages are below it. */
export const CONSOLE_PATH = '/console'

/** What the server embeds in the console's document. Everything else is loaded, after the operator is verified. */
export const ConsolePage = z.object({
  version: z.string(),
  demonstration: z.boolean(),
  supportPhone: z.string(),
})

export type ConsolePage = z.output<typeof ConsolePage>
