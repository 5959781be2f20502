/** How single settings are read: each turns the text of a variable into what it means, or says what it must be. */
import { BlockList, isIP, isIPv6 } from 'node:net'
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
  const decodes = (text: string) => {
    const { username = '', password = '' } = URL.parse(text) ?? {}
    return [username, password].every((part) => !/%(?![\da-f]{2})/i.test(part))
  }
  const beginnings = schemes.map((scheme) => `${scheme}//`).join(' or ')
  return z.optional(
    z
      .string()
      .check(
        z.refine(holds, `must be an address beginning with ${beginnings}`),
        z.refine(decodes, 'must have its user and password percent-encoded: a % as %25'),
      ),
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

/** Issuers of tokens, separated by commas. Each is one issuer: no pattern stands for any. */
export const issuers = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => !text.includes('*'),
        'must be issuers, separated by commas; there is no *',
      ),
    ),
  z.transform(listed),
)

/** Some of the given words, separated by commas. */
export function someOf(known: readonly string[]) {
  const holds = (text: string) => listed(text).every((each) => known.includes(each))
  return z.pipe(
    z.string().check(z.refine(holds, `must be some of ${known.join(', ')}, separated by commas`)),
    z.transform(listed),
  )
}

const COIN = /^(\d{1,80})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/

/** Amounts of a chain's coins by denomination, such as `100000000000nhash`, separated by commas; 0 for none. */
export const coins = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => text === '0' || listed(text).every((coin) => COIN.test(coin)),
        'must be amounts such as 100000000000nhash, separated by commas, or 0',
      ),
    ),
  z.transform(
    (text): ReadonlyMap<string, bigint> =>
      new Map(
        listed(text).flatMap((coin) => {
          const [, amount = '0', denom] = COIN.exec(coin) ?? []
          return denom === undefined ? [] : [[denom, BigInt(amount)] as const]
        }),
      ),
  ),
)

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
        'must be addresses or networks such as 10.0.0.0/8, separated by commas; not one that contains every address, which trusts all clients',
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
  if (prefix === undefined) return true
  if (!/^[1-9]\d{0,2}$/.test(prefix) || Number(prefix) > bits) return false
  return !(isIPv6(host) && containsAllIPv4(host, Number(prefix)))
}

/** Whether an IPv6 network contains every IPv4 address in its mapped form, as ::ffff:0:0/96 does. */
function containsAllIPv4(host: string, prefix: number): boolean {
  const network = new BlockList()
  network.addSubnet(host.replace(/%.*/, ''), prefix, 'ipv6')
  return ['::ffff:0.0.0.0', '::ffff:255.255.255.255'].every((end) => network.check(end, 'ipv6'))
}
