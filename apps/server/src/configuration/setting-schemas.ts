/** Schemas for single settings: each parses the text of a variable or reports what it must be. */
import { BlockList, isIP, isIPv6 } from 'node:net'
import { OrganizationFile } from '@portico/contracts/organization-file'
import * as z from 'zod/mini'
import type { OutboundHosts } from '../http/outbound-post.ts'

const ADDRESS_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

export const optionalText = z.optional(z.string())

export function oneOf<const Words extends readonly [string, string, ...string[]]>(words: Words) {
  return z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
}

/** A whole number from `least` to `most`, in digits only. */
export function wholeNumber(
  { least, most }: { readonly least: number; readonly most: number },
  message: string,
) {
  const holds = (text: string) =>
    /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most
  return z.pipe(z.string().check(z.refine(holds, message)), z.transform(Number))
}

/** A number from 0 to 1. */
export const ratio = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => /^(?:0|1|0?\.\d{1,9}|[01]\.0{1,9})$/.test(text),
        'must be a number from 0 to 1, such as 0.01',
      ),
    ),
  z.transform(Number),
)

/** Comma-separated headers with percent-encoded values, as OpenTelemetry writes them. */
export const headerList = z._default(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => splitList(text).every((each) => headerIn(each) !== undefined),
          'must be headers such as authorization=Bearer%20token separated by commas',
        ),
      ),
    z.transform((text) =>
      Object.fromEntries(splitList(text).flatMap((each) => [headerIn(each) ?? []])),
    ),
  ),
  {},
)

function headerIn(text: string): readonly [name: string, value: string] | undefined {
  const [, name = '', value = ''] = /^([\w-]+)\s*=\s*([\x21-\x7e]*)$/.exec(text) ?? []
  try {
    const decoded = decodeURIComponent(value)
    return name !== '' && /^[\x20-\x7e]*$/.test(decoded) ? [name, decoded] : undefined
  } catch {
    return undefined // A % without two digits.
  }
}

/** An optional URL with one of the given schemes, such as `https:`. */
export function optionalUrl(...schemes: readonly string[]) {
  const holds = (text: string) => URL.canParse(text) && schemes.includes(new URL(text).protocol)
  const decodes = (text: string) => {
    const { username = '', password = '' } = URL.parse(text) ?? {}
    return [username, password].every((part) => !/%(?![\da-f]{2})/i.test(part))
  }
  const namesOneHost = (text: string) => !/^[a-z]+:\/\/(?:[^/?#]*@)?[^/?#@]*,/.test(text)
  const beginnings = schemes.map((scheme) => `${scheme}//`).join(' or ')
  return z.optional(
    z
      .string()
      .check(
        z.refine(namesOneHost, { error: 'must name one host, not several', abort: true }),
        z.refine(holds, `must be a URL beginning with ${beginnings}`),
        z.refine(decodes, 'must have a percent-encoded user and password: write % as %25'),
      ),
  )
}

/** Comma-separated organizations and fields that operators cannot edit. */
export const lockedNames = z._default(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => splitList(text).every(isLockedName),
          'must be *, organization codes, fields such as hosts, or both such as FIGURE.companyInfo.name, separated by commas',
        ),
      ),
    z.transform(splitList),
  ),
  [],
)

function isLockedName(name: string): boolean {
  const [, code, field, part] =
    /^(\*|[A-Z][A-Z0-9_]{1,39})?\.?(?:([a-z]\w*)(?:\.(\w+))?)?$/.exec(name) ?? []
  if (field === undefined) return code !== undefined && !name.endsWith('.')
  const { shape } = OrganizationFile
  const groups: Readonly<Record<string, object>> = {
    companyInfo: shape.companyInfo.shape,
    behaviors: shape.behaviors.def.innerType.shape,
    wallet: shape.wallet.def.innerType.shape,
  }
  return Object.hasOwn(shape, field) && (part === undefined || part in (groups[field] ?? {}))
}

/** Comma-separated keys of 32 bytes in base64. */
export const masterKeys = z.optional(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => text.split(',').every((key) => Buffer.from(key, 'base64').length === 32),
          'must be 32 bytes in base64 (`openssl rand -base64 32`), or several such keys separated by commas',
        ),
      ),
    z.transform((text) => text.split(',')),
  ),
)

/** Comma-separated token issuers, without wildcards. */
export const issuers = z.pipe(
  z
    .string()
    .check(
      z.refine((text) => !text.includes('*'), 'must be issuers separated by commas, without *'),
    ),
  z.transform(splitList),
)

/** A comma-separated subset of the given words. */
export function someOf<const Word extends string>(known: readonly Word[]) {
  const isKnown = (text: string): text is Word => known.some((each) => each === text)
  const holds = (text: string) => splitList(text).every(isKnown)
  return z.pipe(
    z
      .string()
      .check(z.refine(holds, `must be one or more of ${known.join(', ')}, separated by commas`)),
    z.transform((text) => splitList(text).filter(isKnown)),
  )
}

const COIN = /^(\d{1,80})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/

/** Comma-separated amounts by denomination, such as `100000000000nhash`; 0 for none. */
export const coins = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => text === '0' || splitList(text).every((coin) => COIN.test(coin)),
        'must be amounts such as 100000000000nhash separated by commas, or 0',
      ),
    ),
  z.transform(
    (text): ReadonlyMap<string, bigint> =>
      new Map(
        splitList(text).flatMap((coin) => {
          const [, amount = '0', denom] = COIN.exec(coin) ?? []
          return denom === undefined ? [] : [[denom, BigInt(amount)] as const]
        }),
      ),
  ),
)

const hostList = z
  .string()
  .check(
    z.refine(
      (text) =>
        ['none', 'public'].includes(text) ||
        splitList(text).every((host) => URL.parse(`http://${host}`)?.host === host),
      'must be hosts such as push.lender.example or 10.0.0.9:8080 separated by commas, public, or none',
    ),
  )

const hostsIn = (text: string): 'public' | readonly string[] => {
  if (text === 'public') return text
  return text === 'none' ? [] : splitList(text)
}

/** Comma-separated hosts of push servers, or `none`; any public host by default. */
export const webhookHosts = z._default(z.pipe(hostList, z.transform(hostsIn)), 'public')

/** The push services of Chromium, Firefox, Safari and Edge. Browsers choose theirs; a page cannot. */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
] as const

/** As `webhookHosts`, but only the push services of browsers by default. */
export const pushHosts = z._default(
  z.pipe(
    hostList,
    z.transform((text): OutboundHosts => hostsIn(text)),
  ),
  { publicNames: PUSH_SERVICES },
)

/** Comma-separated origins of relays. */
export const relayOrigins = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) =>
          splitList(text).every(
            (each) => each.startsWith('wss:') && URL.parse(each)?.origin === each,
          ),
        'must be origins such as wss://relay.partner.example separated by commas',
      ),
    ),
  z.transform(splitList),
)

/** Comma-separated addresses of name servers, with a port if it is not 53. */
export const nameServers = z.optional(
  z.pipe(
    z
      .string()
      .check(
        z.refine(
          (text) => splitList(text).every(isNameServer),
          'must be addresses such as 10.0.0.53, 10.0.0.53:5353 or [2001:db8::53]:5353 separated by commas',
        ),
      ),
    z.transform(splitList),
  ),
)

/** Comma-separated IP addresses and networks. */
export const networks = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => splitList(text).every(isNetwork),
        'must be addresses or networks such as 10.0.0.0/8 separated by commas; a network of all addresses would trust every client',
      ),
    ),
  z.transform(splitList),
)

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}

function isNameServer(text: string): boolean {
  if (isIP(text) !== 0) return true
  const [, address = '', port] = /^(.*):(\d{1,5})$/.exec(text) ?? []
  return isIP(address.replace(/^\[(.*)\]$/, '$1')) !== 0 && Number(port) < 65_536
}

function isNetwork(text: string): boolean {
  const [host = '', prefix, ...rest] = text.split('/')
  const bits = ADDRESS_BITS[isIP(host)]
  if (bits === undefined || rest.length > 0) return false
  if (prefix === undefined) return true
  if (!/^[1-9]\d{0,2}$/.test(prefix) || Number(prefix) > bits) return false
  return !(isIPv6(host) && containsAllIPv4(host, Number(prefix)))
}

/** Whether an IPv6 network contains all IPv4-mapped addresses, as ::ffff:0:0/96 does. */
function containsAllIPv4(host: string, prefix: number): boolean {
  const network = new BlockList()
  network.addSubnet(host.replace(/%.*/, ''), prefix, 'ipv6')
  return ['::ffff:0.0.0.0', '::ffff:255.255.255.255'].every((end) => network.check(end, 'ipv6'))
}
