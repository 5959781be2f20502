/** How single settings are read: each turns the text of a variable into what it means, or says what it must be. */
import { isIP } from 'node:net'
import * as z from 'zod/mini'

const ADDRESS_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** Any text, or none. */
export const optionalText = z.optional(z.string())

/** A text that has something in it. */
export const someText = z.string().check(z.minLength(1))

/** One of some words. */
export function oneOf<const Words extends readonly [string, string, ...string[]]>(words: Words) {
  return z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
}

/** A number from `least` to `most`, written in digits alone. */
export function wholeNumber(
  { least, most }: { readonly least: number; readonly most: number },
  fault: string,
) {
  const holds = (text: string) =>
    /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most
  return z.pipe(z.string().check(z.refine(holds, fault)), z.transform(Number))
}

/** An address of one of some schemes, such as `https:`; none where it is not set. */
export function address(...schemes: readonly string[]) {
  const holds = (text: string) => URL.canParse(text) && schemes.includes(new URL(text).protocol)
  const beginnings = schemes.map((scheme) => `${scheme}//`).join(' or ')
  return z.optional(
    z.string().check(z.refine(holds, `must be an address beginning with ${beginnings}`)),
  )
}

/** Keys of 32 bytes in base64, separated by commas. */
export const masterKeys = z.optional(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => text.split(',').every((key) => Buffer.from(key, 'base64').length === 32),
          'must be 32 bytes in base64 (`openssl rand -base64 32`), several separated by commas',
        ),
      ),
    z.transform((text) => text.split(',')),
  ),
)

/** Words separated by commas. */
export const words = z.pipe(z.string(), z.transform(listed))

/** Hosts of push servers, `none`, or any public one where nothing is set. */
export const webhookHosts = z._default(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) =>
            text === 'none' ||
            listed(text).every((host) => URL.parse(`http://${host}`)?.host === host),
          'must be hosts such as push.lender.example or 10.0.0.9:8080, separated by commas, or none',
        ),
      ),
    z.transform((text): 'public' | string[] => (text === 'none' ? [] : listed(text))),
  ),
  'public',
)

/** Addresses and networks, separated by commas. */
export const networks = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => listed(text).every(isNetwork),
        'must be addresses or networks such as 10.0.0.0/8, separated by commas',
      ),
    ),
  z.transform(listed),
)

function listed(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}

function isNetwork(text: string): boolean {
  const [host = '', prefix, ...rest] = text.split('/')
  const bits = ADDRESS_BITS[isIP(host)]
  if (bits === undefined || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
}
