import * as z from 'zod/mini'

/** A passcode as typed; whether it is the right one is not the schema's business. */
export const Passcode = z.string().check(z.regex(/^[0-9]{6}$/, 'Please enter a valid code'))
