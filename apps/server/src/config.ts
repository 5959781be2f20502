/** The configuration, parsed once from the environment in `main.ts` and passed down. All errors are reported together. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ApprovableAct } from '@portico/contracts/admin/second-operator'
import * as z from 'zod/mini'
import { ConfigError } from './config-error.ts'
import { allowsPlainMail, insecureSettingErrors } from './configuration/insecure.ts'
import { SETTINGS, type Setting } from './configuration/settings.ts'
import type { S3Bucket } from './file-storage/s3-storage.ts'
import type { OutboundHosts } from './http/outbound-post.ts'
import { INSTALLATION_FOLDER } from './installation-folder.ts'
import { webhookSecretErrors, webhookSecrets } from './webhooks/webhook-secrets.ts'

type SettingSchemas = {
  readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['schema']
}

// The type of Object.fromEntries loses which schema belongs to which name.
const Environment = z.object(
  Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { schema }]) => [name, schema]),
  ) as SettingSchemas,
)

type Settings = z.output<typeof Environment>

/** Variables for the command-line tools, which the server ignores. */
const TOOL_VARIABLES = /^PORTICO_(?:CHROMIUM|TEST_|DEV)/

export type BotCheckConfig =
  | { readonly kind: 'altcha' }
  | { readonly kind: 'off' }
  | {
      readonly kind: 'recaptcha' | 'turnstile'
      readonly siteKey: string
      readonly secret: string
      readonly url: string | undefined
    }

/** The server's configuration; `SETTINGS` explains each setting. */
export interface Config {
  readonly production: boolean
  readonly development: boolean
  readonly port: number
  readonly host: string
  /** The port and address for metrics and probes; if unset, the public port serves them. */
  readonly managementPort: number | undefined
  readonly managementHost: string
  readonly publicUrl: string | undefined
  readonly dataDir: string
  /** The bucket for uploaded files; by default they are in the data folder. */
  readonly uploadsBucket: S3Bucket | undefined
  /** The folder of organizations, labels and other data files. */
  readonly configDir: string
  readonly databaseUrl: string | undefined
  readonly databaseConnections: number
  /** Whether a start leaves migrations to `npm run migrate`. */
  readonly migratesSeparately: boolean
  readonly redisUrl: string | undefined
  /** Push servers that the relay may call, or any public host. */
  readonly relayWebhookHosts: 'public' | readonly string[]
  /** Push services that may be called, or any public host. */
  readonly pushHosts: OutboundHosts
  /** Hosts that may receive webhooks, or any public host. */
  readonly webhookHosts: OutboundHosts
  /** Webhook signing secrets by variable name. */
  readonly webhookSecrets: ReadonlyMap<string, string>
  /** Hosts where identity providers may be, or any public host. */
  readonly identityProviderHosts: OutboundHosts
  /** Name servers for domain verification; the system's by default. */
  readonly dnsServers: readonly string[] | undefined
  /** Origins of relays besides our own that the mobile wallet may connect to. */
  readonly mobileWalletRelays: readonly string[]
  readonly smtpUrl: string | undefined
  /** Whether mail is held back rather than sent without TLS. */
  readonly smtpRequiresTls: boolean
  readonly mailFrom: string
  readonly smsUrl: string | undefined
  readonly botCheck: BotCheckConfig
  readonly breachCheckUrl: string | undefined
  readonly masterKeys: readonly string[] | undefined
  readonly addressPrefix: 'pb' | 'tp'
  readonly walletTokenIssuers: readonly string[]
  readonly chainUrl: string | undefined
  /** The daily limit on transfers from a hosted wallet without a fresh proof, by denomination. */
  readonly hostedTransferLimits: ReadonlyMap<string, bigint>
  readonly lenderAppUrl: string | undefined
  /** Whether requests for its pages are proxied instead of redirected. */
  readonly proxiesLenderApp: boolean
  /** The bucket with the banner files, without a trailing slash. */
  readonly bannersUrl: string | undefined
  readonly supportPhone: string
  /** The organization of visitors who name no other. */
  readonly defaultOrgCode: string
  /** Organizations and fields that operators cannot edit. */
  readonly organizationsLocked: readonly string[]
  /** Calls that a second operator must approve. */
  readonly secondOperatorActs: readonly ApprovableAct[]
  /** Whether visitors must consent before they are tracked or take part in experiments. */
  readonly trackingConsent: 'implied' | 'required'
  readonly experimentsUrl: string | undefined
  readonly trustedProxies: readonly string[]
  /** How many days telemetry is stored; 0 turns it off. */
  readonly telemetryDays: number
  readonly telemetryMegabytesPerDay: number
  /** Where traces are sent; undefined without tracing. */
  readonly tracing:
    | {
        readonly url: string
        readonly headers: Readonly<Record<string, string>>
        readonly ratio: number
      }
    | undefined
  /** Settings for which insecure values are accepted. */
  readonly allowInsecure: readonly string[]
  readonly logLevel: Settings['LOG_LEVEL']
  readonly version: string
}

/** The settings that data files are checked against, available even if other settings have errors. */
export function dataLocation(environment: Readonly<Record<string, string | undefined>>): Config {
  const { CONFIG_DIR, DEFAULT_ORGANIZATION, WEBHOOK_HOSTS, ALLOW_INSECURE } = environment
  const production = environment['NODE_ENV'] === 'production'
  const location = { CONFIG_DIR, ...Object.fromEntries(webhookSecrets(environment)) }
  try {
    const settings = { ...location, DEFAULT_ORGANIZATION, WEBHOOK_HOSTS, ALLOW_INSECURE }
    return { ...parseConfig(settings), production }
  } catch {
    // Errors in these settings are reported with the others.
    return {
      ...parseConfig({ CONFIG_DIR }),
      production,
      webhookSecrets: webhookSecrets(environment),
    }
  }
}

/** @throws ConfigError - listing every error, not only the first */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const variables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Environment.safeParse(variables)
  const errors = [
    ...unknownVariables(variables),
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
    ...missingInProduction(variables),
    ...insecureSettingErrors(variables),
    ...botCheckErrors(variables),
    ...uploadsErrors(variables),
    ...lenderAppErrors(variables),
    ...webhookSecretErrors(variables),
  ]
  if (errors.length > 0 || !parsed.success) throw new ConfigError(errors)
  const settings = parsed.data
  return {
    production: settings.NODE_ENV === 'production',
    development: variables['PORTICO_DEV'] === '1',
    port: settings.PORT,
    host: settings.HOST,
    managementPort: settings.MANAGEMENT_PORT,
    managementHost: settings.MANAGEMENT_HOST ?? settings.HOST,
    publicUrl: settings.PUBLIC_URL === undefined ? undefined : new URL(settings.PUBLIC_URL).origin,
    dataDir: resolve(settings.DATA_DIR),
    uploadsBucket: uploadsBucket(settings),
    configDir: resolve(settings.CONFIG_DIR),
    databaseUrl: settings.DATABASE_URL,
    databaseConnections: settings.DATABASE_CONNECTIONS,
    migratesSeparately: settings.MIGRATE === 'separately',
    redisUrl: settings.REDIS_URL,
    relayWebhookHosts: settings.RELAY_WEBHOOK_HOSTS,
    pushHosts: settings.PUSH_HOSTS,
    webhookHosts: settings.WEBHOOK_HOSTS,
    webhookSecrets: webhookSecrets(variables),
    identityProviderHosts: settings.IDENTITY_PROVIDER_HOSTS,
    dnsServers: settings.DNS_SERVERS,
    mobileWalletRelays: settings.MOBILE_WALLET_RELAYS,
    smtpUrl: settings.SMTP_URL,
    smtpRequiresTls: !allowsPlainMail(variables),
    mailFrom: settings.MAIL_FROM,
    smsUrl: settings.SMS_URL,
    botCheck: botCheck(settings),
    breachCheckUrl: settings.BREACH_CHECK_URL,
    masterKeys: settings.MASTER_KEY,
    addressPrefix: settings.ADDRESS_PREFIX,
    walletTokenIssuers: settings.WALLET_TOKEN_ISSUERS,
    chainUrl: settings.CHAIN_URL,
    hostedTransferLimits: settings.HOSTED_TRANSFER_LIMIT,
    lenderAppUrl: settings.LENDER_APP_URL,
    proxiesLenderApp: settings.LENDER_APP_MODE === 'proxy',
    bannersUrl:
      settings.BANNERS_URL === undefined ? undefined : withoutTrailingSlash(settings.BANNERS_URL),
    supportPhone: settings.SUPPORT_PHONE,
    defaultOrgCode: settings.DEFAULT_ORGANIZATION,
    organizationsLocked: settings.ORGANIZATIONS_LOCKED,
    secondOperatorActs: settings.SECOND_OPERATOR_ACTS,
    trackingConsent: settings.TRACKING_CONSENT,
    experimentsUrl: settings.EXPERIMENTS_URL,
    trustedProxies: settings.TRUSTED_PROXIES,
    telemetryDays: settings.TELEMETRY_DAYS,
    telemetryMegabytesPerDay: settings.TELEMETRY_MB_PER_DAY,
    tracing: tracing(settings),
    allowInsecure: settings.ALLOW_INSECURE,
    logLevel: settings.LOG_LEVEL,
    version: packageVersion(),
  }
}

function withoutTrailingSlash(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

function unknownVariables(variables: Record<string, unknown>): string[] {
  return Object.keys(variables)
    .filter((name) => name.startsWith('PORTICO_') && !TOOL_VARIABLES.test(name))
    .map((name) => `${name} is not a setting; see docs/configuration.md for the list`)
}

function missingInProduction(variables: Record<string, string | undefined>): string[] {
  if (variables['NODE_ENV'] !== 'production') return []
  const missing = Object.entries<Setting>(SETTINGS)
    .filter(
      ([name, { requiredInProduction }]) => requiredInProduction && variables[name] === undefined,
    )
    .map(([name, { meaning }]) => `${name} is not set. ${meaning}`)
  const insecure = ['PUBLIC_URL', 'BANNERS_URL']
    .filter((name) => !(variables[name] ?? 'https:').startsWith('https:'))
    .map((name) => `${name} must begin with https:// in production`)
  const open = variables['BOT_CHECK'] === 'off' ? ['BOT_CHECK must not be off in production'] : []
  return [...missing, ...insecure, ...open]
}

function botCheckErrors(variables: Record<string, string | undefined>): string[] {
  if (variables['BOT_CHECK'] !== 'recaptcha' && variables['BOT_CHECK'] !== 'turnstile') return []
  return ['BOT_CHECK_SITE_KEY', 'BOT_CHECK_SECRET']
    .filter((name) => variables[name] === undefined)
    .map((name) => `${name} is not set, but BOT_CHECK=${variables['BOT_CHECK']} requires it`)
}

function lenderAppErrors({
  LENDER_APP_MODE,
  LENDER_APP_URL,
  PUBLIC_URL,
}: Record<string, string | undefined>): string[] {
  if (LENDER_APP_MODE !== 'proxy') return []
  if (LENDER_APP_URL === undefined) {
    return ['LENDER_APP_URL is not set, but LENDER_APP_MODE=proxy requires it']
  }
  const own = URL.parse(PUBLIC_URL ?? '')?.origin
  return own !== undefined && URL.parse(LENDER_APP_URL)?.origin === own
    ? [
        'LENDER_APP_URL is PUBLIC_URL: set the address at which only this server reaches the application',
      ]
    : []
}

const BUCKET_SETTINGS = ['UPLOADS_S3_KEY_ID', 'UPLOADS_S3_SECRET']

function uploadsErrors(variables: Record<string, string | undefined>): string[] {
  const url = variables['UPLOADS_S3_URL']
  return BUCKET_SETTINGS.filter(
    (name) => (variables[name] === undefined) !== (url === undefined),
  ).map((name) =>
    url === undefined
      ? `${name} is set, but UPLOADS_S3_URL is not`
      : `${name} is not set, but UPLOADS_S3_URL requires it`,
  )
}

function uploadsBucket(settings: Settings): S3Bucket | undefined {
  const { UPLOADS_S3_URL: url, UPLOADS_S3_REGION: region } = settings
  if (url === undefined) return undefined
  return {
    url,
    region,
    keyId: settings.UPLOADS_S3_KEY_ID ?? '',
    secret: settings.UPLOADS_S3_SECRET ?? '',
  }
}

function tracing(settings: Settings): Config['tracing'] {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
    OTEL_TRACES_SAMPLER_ARG: ratio,
  } = settings
  if (endpoint === undefined) return undefined
  return { url: `${withoutTrailingSlash(endpoint)}/v1/traces`, headers, ratio }
}

function botCheck(settings: Settings): BotCheckConfig {
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
  const manifest = JSON.parse(readFileSync(join(INSTALLATION_FOLDER, 'package.json'), 'utf8')) as {
    version: string
  }
  return manifest.version
}
