import * as z from 'zod/mini'
import { MAX_EMAIL_LENGTH } from './limits.ts'
import { hasInvisibleCharacters } from './text.ts'

/**
 * One local part and a domain of at least two labels. Deliberately narrower than RFC 5322: quotes, comments and address
 * literals help only attackers.
 */
const SHAPE =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u

/**
 * Normalizes an e-mail address for storage and comparison: trimmed, NFKC, lower case, the domain in its ASCII form
 * (`bücher.example` is `xn--bcher-kva.example`), so that one mailbox has one identity. Returns undefined for an invalid
 * address or one with invisible characters.
 */
export function emailAddress(text: string): string | undefined {
  if (text.length > 4 * MAX_EMAIL_LENGTH) return undefined
  const address = text.trim().normalize('NFKC').toLowerCase()
  if (
    hasInvisibleCharacters(address) ||
    new TextEncoder().encode(address).length > MAX_EMAIL_LENGTH
  ) {
    return undefined
  }
  if (!SHAPE.test(address) || address.indexOf('@') > 64) return undefined
  const at = address.indexOf('@')
  const domain = asciiDomain(address.slice(at + 1))
  if (domain === undefined || at + 1 + domain.length > MAX_EMAIL_LENGTH) return undefined
  return `${address.slice(0, at)}@${domain}`
}

/** Normalizes the domain of e-mail addresses, in ASCII; undefined for an invalid one. */
export function emailDomain(text: string): string | undefined {
  return emailAddress(`a@${text.trim()}`)?.slice('a@'.length)
}

/** The ASCII form of a domain (UTS 46), as URL parsers compute it; undefined for an invalid domain. */
function asciiDomain(domain: string): string | undefined {
  const url = `http://${domain}`
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

/** Parses an e-mail address into its stored form. */
export const EmailAddress = z.pipe(
  z
    .string()
    .check(z.refine((text) => emailAddress(text) !== undefined, 'Please enter a valid email.')),
  z.transform((text) => emailAddress(text) ?? text),
)
