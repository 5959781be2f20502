import * as z from 'zod/mini'

/** A well-formed passcode. */
export const Passcode = z.string().check(z.regex(/^[0-9]{6}$/, 'Please enter a valid code'))
