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
 * The form in which an e-mail address is stored and compared: trimmed, NFKC, lower case, the domain in its ASCII form
 * (`bücher.example` is `xn--bcher-kva.example`), so that one mailbox has one identity.
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
  if (!SHAPE.test(address) || address.indexOf('@') > 64) return undefined
  const at = address.indexOf('@')
  const domain = asciiDomain(address.slice(at + 1))
  if (domain === undefined || at + 1 + domain.length > EMAIL_LENGTH_MAXIMUM) return undefined
  return `${address.slice(0, at)}@${domain}`
}

/** The ASCII form of a domain (UTS 46), which URL parsers know; nothing for one that has none. */
function asciiDomain(domain: string): string | undefined {
  const url = `http://${domain}`
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

/** An e-mail address on the wire; parsing gives its stored form. */
export const EmailAddress = z.pipe(
  z
    .string()
    .check(z.refine((text) => emailAddress(text) !== undefined, 'Please enter a valid email.')),
  z.transform((text) => emailAddress(text) ?? text),
)
