import * as z from 'zod/mini'
import { trimInvisible } from './characters.ts'
import { MAX_EMAIL_LENGTH } from './limits.ts'

/**
 * A local part of visible characters, and a domain. Deliberately narrower than RFC 5322: quotes, comments and address literals
 * help only attackers.
 * The domain may have the joiners and signs of all scripts (RFC 5892 A); URL parsers check where they stand.
 */
const SHAPE =
  /^(?!.*\p{DI}.*@)([\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*)@([\p{L}\p{M}\p{N}·・。\u200c-\u200d\u05f3\u05f4.-]+)$/u

/** A domain of at least two labels. */
const HOST = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/

/**
 * Normalizes an e-mail address for storage and comparison: without invisible edges, NFKC, lower case, the domain in its ASCII
 * form (UTS 46: `bücher.example` is `xn--bcher-kva.example`), so that one mailbox has one identity. Returns undefined for
 * an invalid address or one with invisible characters.
 */
export function emailAddress(text: string): string | undefined {
  if (text.length > 4 * MAX_EMAIL_LENGTH) return undefined
  const [, local = '', domain = ''] =
    SHAPE.exec(trimInvisible(text).normalize('NFKC').toLowerCase()) ?? []
  const host = URL.parse(`http://${domain}`)?.hostname ?? ''
  const localOctets = new TextEncoder().encode(local).length
  const isTooLong = localOctets > 64 || localOctets + host.length >= MAX_EMAIL_LENGTH
  return HOST.test(host) && !isTooLong ? `${local}@${host}` : undefined
}

/** Parses an e-mail address into its stored form. */
export const EmailAddress = z.pipe(
  z
    .string()
    .check(z.refine((text) => emailAddress(text) !== undefined, 'Please enter a valid email.')),
  z.transform((text) => emailAddress(text) ?? text),
)
