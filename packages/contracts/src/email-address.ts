import * as z from 'zod/mini'
import { EMAIL_LENGTH_MAXIMUM } from './limits.ts'
import { hasUnseenCharacters } from './text.ts'

/**
 * One local part, one domain of at least two labels. Deliberately narrower than RFC 5322: no quotes, comments or
 * address literals, which no borrower has and every forger likes.
 */
const SHAPE =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u

/**
 * The form in which an e-mail address is stored and compared: trimmed, NFKC, lower case.
 * Gives nothing for what is not an address or hides characters.
 */
export function emailAddress(text: string): string | undefined {
  if (text.length > 4 * EMAIL_LENGTH_MAXIMUM) return undefined
  const address = text.trim().normalize('NFKC').toLowerCase()
  if (
    hasUnseenCharacters(address) ||
    new TextEncoder().encode(address).length > EMAIL_LENGTH_MAXIMUM
  ) {
    return undefined
  }
  return SHAPE.test(address) && address.indexOf('@') <= 64 ? address : undefined
}

/** An e-mail address on the wire; parsing gives its stored form. */
export const EmailAddress = z.pipe(
  z
    .string()
    .check(z.refine((text) => emailAddress(text) !== undefined, 'Please enter a valid email.')),
  z.transform((text) => emailAddress(text) ?? text),
)
