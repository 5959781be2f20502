import * as z from 'zod/mini'

/** The base path of the operator console. */
export const CONSOLE_PATH = '/console'

/** The data embedded in the console's document. Everything else is loaded after the operator is authenticated. */
export const ConsolePage = z.object({
  version: z.string(),
  demonstration: z.boolean(),
  supportPhone: z.string(),
})

export type ConsolePage = z.output<typeof ConsolePage>
