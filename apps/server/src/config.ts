/**
 * The configuration: parsed once from the environment, every fault listed together, passed down from `main.ts`.
 * `docs/configuration.md` is generated from `SETTINGS`.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PorticoError } from '@portico/contracts/errors'
import { Phone } from '@portico/contracts/organization'
import * as z from 'zod/mini'

/** The folder of data that comes with the product. */
const SHIPPED_CONFIG = fileURLToPath(new URL('../../../config', import.meta.url))

/** So many faults are told at once; a slip in a script that wrote ten thousand files is seen in the first of them. */
const FAULTS_TOLD = 200

/** Thrown when the environment cannot be used; `faults` names each variable and what to do about it. */
export class ConfigError extends PorticoError<'configuration'> {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    const told = faults.slice(0, FAULTS_TOLD).map((fault) => `  - ${fault}`)
    const more = faults.length - told.length
    if (more > 0) told.push(`  - and ${more} more`)
    super('configuration', `Portico cannot start. Please mend:\n${told.join('\n')}`)
    this.faults = faults
  }
}

interface Setting {
  readonly name: string
  readonly meaning: string
  readonly defaultText: string
  /** Whether `NODE_ENV=production` refuses to start without it. */
  readonly neededInProduction?: boolean
}

/** Every variable that is read, in the order of the documentation. */
export const SETTINGS = [
  {
    name: 'NODE_ENV',
    defaultText: 'unset',
    meaning:
      '`production` turns demonstration mode off; unset, `development` and `test` leave it on. Nothing else is taken.',
  },
  { name: 'PORT', defaultText: '8080', meaning: 'The port it listens on; 0 takes a free one.' },
  { name: 'HOST', defaultText: '127.0.0.1', meaning: 'The address it listens on.' },
  {
    name: 'PUBLIC_URL',
    defaultText: 'from the request',
    meaning: 'Its own origin as users see it, such as `https://login.lender.example`.',
    neededInProduction: true,
  },
  {
    name: 'DATA_DIR',
    defaultText: './data',
    meaning: 'Where the embedded database and generated keys lie.',
  },
  {
    name: 'CONFIG_DIR',
    defaultText: './config of the installation',
    meaning:
      'Where organisations, labels, logos and whatever else is data lie; see [white-label.md](white-label.md).',
  },
  {
    name: 'DATABASE_URL',
    defaultText: 'the embedded database',
    meaning: 'A PostgreSQL 15 or newer, or a compatible engine: `postgres://user:pass@host/name`.',
    neededInProduction: true,
  },
  {
    name: 'DATABASE_CONNECTIONS',
    defaultText: '20',
    meaning: 'How many connections this node opens to PostgreSQL at most.',
  },
  {
    name: 'REDIS_URL',
    defaultText: 'each node by itself',
    meaning:
      'A Redis 7 or newer, or what understands it: `redis://user:pass@host:port` or `rediss://…`. Several nodes need it: through it they share relayed messages and rate limits.',
  },
  {
    name: 'RELAY_WEBHOOK_HOSTS',
    defaultText: 'any public host, by https',
    meaning:
      'Which push servers the relay calls: hosts separated by commas (`push.lender.example`, `10.0.0.9:8080`), which may then be private and without https, or `none`.',
  },
  {
    name: 'SMTP_URL',
    defaultText: 'the mailbox',
    meaning: 'The mail server: `smtp://user:pass@host:port` or `smtps://…`.',
    neededInProduction: true,
  },
  {
    name: 'MAIL_FROM',
    defaultText: 'no-reply@portico.example',
    meaning: 'The address mail is sent from.',
    neededInProduction: true,
  },
  {
    name: 'SMS_URL',
    defaultText: 'the mailbox',
    meaning:
      'The gateway of text messages, which takes `POST` of JSON `{ "to", "text" }` with a number such as `+12015550142`. Without it in production no phone can be added.',
  },
  {
    name: 'BOT_CHECK',
    defaultText: 'altcha',
    meaning: '`altcha` (proof of work, no third party), `recaptcha`, `turnstile` or `off`.',
  },
  {
    name: 'BOT_CHECK_SITE_KEY',
    defaultText: 'unset',
    meaning: 'The public key of reCAPTCHA or Turnstile.',
  },
  {
    name: 'BOT_CHECK_SECRET',
    defaultText: 'unset',
    meaning: 'The secret key of reCAPTCHA or Turnstile.',
  },
  {
    name: 'BOT_CHECK_URL',
    defaultText: "the service's own",
    meaning: 'Where tokens of reCAPTCHA or Turnstile are verified.',
  },
  {
    name: 'BREACH_CHECK_URL',
    defaultText: 'off',
    meaning:
      'Where new passwords are looked up among breached ones: the address before the first five hexadecimal digits of the SHA-1, such as `https://api.pwnedpasswords.com/range/`. The most common ones are refused always.',
  },
  {
    name: 'MASTER_KEY',
    defaultText: 'generated into `DATA_DIR`',
    meaning:
      'Wraps every secret at rest: 32 bytes in base64. Several, separated by commas, rotate: the first wraps, all unwrap.',
    neededInProduction: true,
  },
  {
    name: 'ADDRESS_PREFIX',
    defaultText: 'tp',
    meaning: 'The network of wallets: `pb` for the main network, `tp` for the test network.',
  },
  {
    name: 'WALLET_TOKEN_ISSUERS',
    defaultText: 'provenance.io',
    meaning:
      'Whose wallet tokens are taken, separated by commas; those of the host in `PUBLIC_URL` always are.',
  },
  {
    name: 'CHAIN_URL',
    defaultText: 'the development chain',
    meaning:
      'The REST address of a node of that network. In production hosted wallets send no transactions without it.',
  },
  {
    name: 'LENDER_APP_URL',
    defaultText: 'unset',
    meaning: 'Where pages outside the product (`/account/heloc/…`) are redirected to.',
  },
  {
    name: 'BANNERS_URL',
    defaultText: 'the files in `CONFIG_DIR`',
    meaning:
      'The public bucket that pages fetch announcements from, such as `https://storage.lender.example/public`; see [banners.md](banners.md).',
  },
  {
    name: 'SUPPORT_PHONE',
    defaultText: '8005550142',
    meaning: 'The toll-free phone shown for organisations that have none of their own.',
  },
  {
    name: 'TRACKING_CONSENT',
    defaultText: 'implied',
    meaning:
      '`required` tracks only visitors whose browser holds the cookie `portico-consent` with the value `granted`; `implied` tracks all but those who send Global Privacy Control.',
  },
  {
    name: 'EXPERIMENTS_URL',
    defaultText: 'the files under `config/experiments` only',
    meaning:
      'Where a GrowthBook server tells the rules of experiments, such as `https://growthbook.lender.example/api/features/sdk-…`; asked every minute, and its rules go before those of the files.',
  },
  {
    name: 'TRUSTED_PROXIES',
    defaultText: 'nobody',
    meaning: 'Addresses or networks, separated by commas, whose forwarded headers count.',
  },
  {
    name: 'TELEMETRY_DAYS',
    defaultText: '90',
    meaning: 'How many days telemetry is kept; 0 turns it off, on the server and in the pages.',
  },
  {
    name: 'LOG_LEVEL',
    defaultText: 'info',
    meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  },
] as const satisfies readonly Setting[]

const optionalText = z.optional(z.string())
const port = z._default(
  z
    .string()
    .check(
      z.refine((text) => /^\d{1,5}$/.test(text) && Number(text) < 65536, 'must be a port number'),
    ),
  '8080',
)
const address = (schemes: readonly string[]) =>
  z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => URL.canParse(text) && schemes.includes(new URL(text).protocol),
          `must be an address beginning with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
        ),
      ),
  )
const masterKeys = z.optional(
  z
    .string()
    .check(
      z.refine(
        (text) => text.split(',').every((key) => Buffer.from(key, 'base64').length === 32),
        'must be 32 bytes in base64 (`openssl rand -base64 32`), several separated by commas',
      ),
    ),
)

const webhookHosts = z.optional(
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
)

const networks = z
  .string()
  .check(
    z.refine(
      (text) => listed(text).every(isNetwork),
      'must be addresses or networks such as 10.0.0.0/8, separated by commas',
    ),
  )

const Environment = z.object({
  NODE_ENV: z.optional(
    z.enum(['production', 'development', 'test'], 'must be production, development or test'),
  ),
  PORT: port,
  HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  PUBLIC_URL: address(['http:', 'https:']),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  CONFIG_DIR: z._default(z.string().check(z.minLength(1)), SHIPPED_CONFIG),
  DATABASE_URL: address(['postgres:', 'postgresql:']),
  DATABASE_CONNECTIONS: z._default(
    z
      .string()
      .check(
        z.refine(
          (text) => /^[1-9]\d{0,3}$/.test(text),
          'must be a number of connections, at least 1',
        ),
      ),
    '20',
  ),
  REDIS_URL: address(['redis:', 'rediss:']),
  RELAY_WEBHOOK_HOSTS: webhookHosts,
  SMTP_URL: address(['smtp:', 'smtps:']),
  MAIL_FROM: z._default(z.email('must be an e-mail address'), 'no-reply@portico.example'),
  SMS_URL: address(['http:', 'https:']),
  BOT_CHECK: z._default(
    z.enum(
      ['altcha', 'recaptcha', 'turnstile', 'off'],
      'must be altcha, recaptcha, turnstile or off',
    ),
    'altcha',
  ),
  BOT_CHECK_SITE_KEY: optionalText,
  BOT_CHECK_SECRET: optionalText,
  BOT_CHECK_URL: address(['http:', 'https:']),
  BREACH_CHECK_URL: address(['http:', 'https:']),
  MASTER_KEY: masterKeys,
  ADDRESS_PREFIX: z._default(z.enum(['pb', 'tp'], 'must be pb or tp'), 'tp'),
  WALLET_TOKEN_ISSUERS: z._default(z.string(), 'provenance.io'),
  CHAIN_URL: address(['http:', 'https:']),
  LENDER_APP_URL: address(['http:', 'https:']),
  BANNERS_URL: address(['http:', 'https:']),
  SUPPORT_PHONE: z._default(Phone, '8005550142'),
  TRACKING_CONSENT: z._default(
    z.enum(['implied', 'required'], 'must be implied or required'),
    'implied',
  ),
  EXPERIMENTS_URL: address(['http:', 'https:']),
  TRUSTED_PROXIES: z._default(networks, ''),
  TELEMETRY_DAYS: z._default(
    z
      .string()
      .check(z.refine((text) => /^\d{1,4}$/.test(text), 'must be a number of days up to 9999')),
    '90',
  ),
  LOG_LEVEL: z._default(
    z.enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    ),
    'info',
  ),
})

/** Variables the tools read; the server lets them pass. */
const TOOL_VARIABLES = /^PORTICO_(?:CHROMIUM|TEST_|DEV)/

/** The bot check as configured. */
export type BotCheckConfig =
  | { readonly kind: 'altcha' }
  | { readonly kind: 'off' }
  | {
      readonly kind: 'recaptcha' | 'turnstile'
      readonly siteKey: string
      readonly secret: string
      readonly url: string | undefined
    }

/** What the server needs to know; see `SETTINGS` for what each part means. */
export interface Config {
  readonly production: boolean
  readonly development: boolean
  readonly port: number
  readonly host: string
  readonly publicUrl: string | undefined
  readonly dataDir: string
  /** The folder of organisations and whatever else is data. */
  readonly configDir: string
  readonly databaseUrl: string | undefined
  readonly databaseConnections: number
  readonly redisUrl: string | undefined
  /** Hosts of push servers that the relay calls; any public one where none is named. */
  readonly relayWebhookHosts: 'public' | readonly string[]
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  readonly smsUrl: string | undefined
  readonly botCheck: BotCheckConfig
  readonly breachCheckUrl: string | undefined
  readonly masterKeys: readonly string[] | undefined
  readonly addressPrefix: 'pb' | 'tp'
  readonly walletTokenIssuers: readonly string[]
  readonly chainUrl: string | undefined
  readonly lenderAppUrl: string | undefined
  /** The bucket of the banner files, without a slash at its end. */
  readonly bannersUrl: string | undefined
  readonly supportPhone: string
  /** Whether a visitor must have agreed before anything counts or experiments with them. */
  readonly trackingConsent: 'implied' | 'required'
  readonly experimentsUrl: string | undefined
  readonly trustedProxies: readonly string[]
  /** How many days telemetry is kept; with 0 there is none. */
  readonly telemetryDays: number
  readonly logLevel: z.output<typeof Environment>['LOG_LEVEL']
  readonly version: string
}

/**
 * Parses the environment.
 *
 * @throws ConfigError - with every fault there is, not only the first
 */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Environment.safeParse(given)
  const faults = [
    ...unknownVariables(given),
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
    ...missingInProduction(given),
    ...botCheckFaults(given),
  ]
  if (faults.length > 0 || !parsed.success) throw new ConfigError(faults)
  const settings = parsed.data
  return {
    production: settings.NODE_ENV === 'production',
    development: given['PORTICO_DEV'] === '1',
    port: Number(settings.PORT),
    host: settings.HOST,
    publicUrl: settings.PUBLIC_URL === undefined ? undefined : new URL(settings.PUBLIC_URL).origin,
    dataDir: resolve(settings.DATA_DIR),
    configDir: resolve(settings.CONFIG_DIR),
    databaseUrl: settings.DATABASE_URL,
    databaseConnections: Number(settings.DATABASE_CONNECTIONS),
    redisUrl: settings.REDIS_URL,
    relayWebhookHosts: relayWebhookHosts(settings.RELAY_WEBHOOK_HOSTS),
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    smsUrl: settings.SMS_URL,
    botCheck: botCheck(settings),
    breachCheckUrl: settings.BREACH_CHECK_URL,
    masterKeys: settings.MASTER_KEY?.split(','),
    addressPrefix: settings.ADDRESS_PREFIX,
    walletTokenIssuers: listed(settings.WALLET_TOKEN_ISSUERS),
    chainUrl: settings.CHAIN_URL,
    lenderAppUrl: settings.LENDER_APP_URL,
    bannersUrl:
      settings.BANNERS_URL === undefined ? undefined : folderAddress(settings.BANNERS_URL),
    supportPhone: settings.SUPPORT_PHONE,
    trackingConsent: settings.TRACKING_CONSENT,
    experimentsUrl: settings.EXPERIMENTS_URL,
    trustedProxies: listed(settings.TRUSTED_PROXIES),
    telemetryDays: Number(settings.TELEMETRY_DAYS),
    logLevel: settings.LOG_LEVEL,
    version: packageVersion(),
  }
}

function folderAddress(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

function relayWebhookHosts(text: string | undefined): Config['relayWebhookHosts'] {
  if (text === undefined) return 'public'
  return text === 'none' ? [] : listed(text)
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return (
    bits > 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix ?? '0') && Number(prefix ?? 0) <= bits
  )
}

function unknownVariables(given: Record<string, unknown>): string[] {
  return Object.keys(given)
    .filter((name) => name.startsWith('PORTICO_') && !TOOL_VARIABLES.test(name))
    .map((name) => `${name} is not a setting; docs/configuration.md lists those there are`)
}

function missingInProduction(given: Record<string, string | undefined>): string[] {
  if (given['NODE_ENV'] !== 'production') return []
  const missing = SETTINGS.filter(
    (setting: Setting) => setting.neededInProduction && given[setting.name] === undefined,
  ).map(({ name, meaning }) => `${name} is not set. ${meaning}`)
  const insecure = ['PUBLIC_URL', 'BANNERS_URL']
    .filter((name) => !(given[name] ?? 'https:').startsWith('https:'))
    .map((name) => `${name} must begin with https:// in production`)
  const open = given['BOT_CHECK'] === 'off' ? ['BOT_CHECK must not be off in production'] : []
  return [...missing, ...insecure, ...open]
}

function botCheckFaults(given: Record<string, string | undefined>): string[] {
  if (given['BOT_CHECK'] !== 'recaptcha' && given['BOT_CHECK'] !== 'turnstile') return []
  return ['BOT_CHECK_SITE_KEY', 'BOT_CHECK_SECRET']
    .filter((name) => given[name] === undefined)
    .map((name) => `${name} is not set, and BOT_CHECK=${given['BOT_CHECK']} needs it`)
}

function botCheck(settings: z.output<typeof Environment>): BotCheckConfig {
  if (settings.BOT_CHECK === 'altcha' || settings.BOT_CHECK === 'off') {
    return { kind: settings.BOT_CHECK }
  }
  return {
    kind: settings.BOT_CHECK,
    siteKey: settings.BOT_CHECK_SITE_KEY ?? '',
    secret: settings.BOT_CHECK_SECRET ?? '',
    url: settings.BOT_CHECK_URL,
  }
}

function packageVersion(): string {
  const manifest = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string }
  return manifest.version
}
