/** All settings. `docs/configuration.md` is generated from them. */
import { join } from 'node:path'
import { APPROVABLE_ACTS } from '@portico/contracts/admin/second-operator'
import { OrgCode, Phone } from '@portico/contracts/organization'
import * as z from 'zod/mini'
import { INSTALLATION_FOLDER } from '../installation-folder.ts'
import { INSECURE_SETTINGS } from './insecure.ts'
import {
  coins,
  headerList,
  issuers,
  lockedNames,
  masterKeys,
  nameServers,
  networks,
  oneOf,
  optionalText,
  optionalUrl,
  pushHosts,
  ratio,
  relayOrigins,
  someOf,
  webhookHosts,
  wholeNumber,
} from './setting-schemas.ts'

/** The data folder that ships with the product. */
const SHIPPED_CONFIG = join(INSTALLATION_FOLDER, 'config')

export interface Setting {
  /** Parses the text of the variable. */
  readonly schema: z.ZodMiniType<unknown, string | undefined>
  /** The default, as the documentation shows it. */
  readonly defaultText: string
  readonly meaning: string
  /** Whether the server refuses to start without it when `NODE_ENV=production`. */
  readonly requiredInProduction?: boolean
}

/** The settings by variable name, in the order of the documentation. */
export const SETTINGS = {
  NODE_ENV: {
    schema: z.optional(oneOf(['production', 'development', 'test'])),
    defaultText: 'unset',
    meaning:
      '`production` turns demonstration mode off; unset, `development` and `test` leave it on. No other value is accepted.',
  },
  PORT: {
    schema: z._default(wholeNumber({ least: 0, most: 65_535 }, 'must be a port number'), 8080),
    defaultText: '8080',
    meaning: 'The port to listen on; 0 picks a free one.',
  },
  HOST: {
    schema: z._default(z.string(), '127.0.0.1'),
    defaultText: '127.0.0.1',
    meaning: 'The address to listen on.',
  },
  MANAGEMENT_PORT: {
    schema: z.optional(wholeNumber({ least: 0, most: 65_535 }, 'must be a port number')),
    defaultText: 'unset: in production there are no metrics',
    meaning:
      'A second port, for your own network: `/metrics`, `/healthz` with the version, `/readyz`, `/docs` and `/openapi.json`. In production only the two probes are on `PORT` too; see [operations.md](operations.md#monitoring).',
  },
  MANAGEMENT_HOST: {
    schema: optionalText,
    defaultText: '`HOST`',
    meaning: 'The address to listen on for `MANAGEMENT_PORT`.',
  },
  PUBLIC_URL: {
    schema: optionalUrl('http:', 'https:'),
    defaultText: 'from the request',
    meaning: 'The public origin, such as `https://login.lender.example`.',
    requiredInProduction: true,
  },
  DATA_DIR: {
    schema: z._default(z.string(), './data'),
    defaultText: './data',
    meaning: 'The folder for the embedded database, generated keys and uploaded files.',
  },
  UPLOADS_S3_URL: {
    schema: optionalUrl('http:', 'https:'),
    defaultText: 'the folder `uploads` in `DATA_DIR`',
    meaning:
      'The S3-compatible bucket for uploaded files, which this installation alone uses: `https://s3.eu-central-1.amazonaws.com/bucket` or `https://bucket.s3.lender.example`; see [operations.md](operations.md#uploaded-files).',
  },
  UPLOADS_S3_REGION: {
    schema: z._default(z.string(), 'us-east-1'),
    defaultText: 'us-east-1',
    meaning: 'The region of the bucket.',
  },
  UPLOADS_S3_KEY_ID: {
    schema: optionalText,
    defaultText: 'unset',
    meaning: 'The ID of the access key for the bucket.',
  },
  UPLOADS_S3_SECRET: {
    schema: optionalText,
    defaultText: 'unset',
    meaning: 'The secret of the access key for the bucket.',
  },
  CONFIG_DIR: {
    schema: z._default(z.string(), SHIPPED_CONFIG),
    defaultText: '`./config` of the installation',
    meaning:
      'The folder of organizations, labels, logos and other data files; see [white-label.md](white-label.md).',
  },
  DEFAULT_ORGANIZATION: {
    schema: z._default(OrgCode, 'FIGURE'),
    defaultText: 'FIGURE',
    meaning:
      'The code of the organization of visitors who name no other. Files without `extends` inherit from it.',
  },
  SECOND_OPERATOR_ACTS: {
    schema: z._default(someOf(APPROVABLE_ACTS), []),
    defaultText: 'none',
    meaning: `Calls of the admin API that another operator has to approve before they are done, separated by commas, such as \`deletePerson,publishOrganization\`. Possible are ${APPROVABLE_ACTS.map((act) => `\`${act}\``).join(', ')}. See [console.md](console.md#acts-that-need-a-second-operator).`,
  },
  ORGANIZATIONS_LOCKED: {
    schema: lockedNames,
    defaultText: 'none',
    meaning:
      'Organizations and fields that keep the values of their files, separated by commas, such as `FIGURE,hosts,AMBERFIELD.companyInfo.name`; `*` locks all. See [white-label.md](white-label.md#edits-over-the-files).',
  },
  DATABASE_URL: {
    schema: optionalUrl('postgres:', 'postgresql:'),
    defaultText: 'the embedded database',
    meaning: 'PostgreSQL 15 or newer, or a compatible database: `postgres://user:pass@host/name`.',
    requiredInProduction: true,
  },
  MIGRATE: {
    schema: z._default(oneOf(['at-start', 'separately']), 'at-start'),
    defaultText: 'at-start',
    meaning:
      '`at-start` migrates the database when a node starts. `separately` leaves that to `npm run migrate`; a node then refuses to start until it has run. See [upgrading.md](upgrading.md).',
  },
  DATABASE_CONNECTIONS: {
    schema: z._default(
      wholeNumber({ least: 1, most: 9999 }, 'must be a number of connections, at least 1'),
      20,
    ),
    defaultText: '20',
    meaning: 'The maximum number of connections that this node opens to PostgreSQL.',
  },
  REDIS_URL: {
    schema: optionalUrl('redis:', 'rediss:'),
    defaultText: 'unset: each node works alone',
    meaning:
      'Redis 7 or newer, or a compatible server: `redis://user:pass@host:port` or `rediss://…`. Required with several nodes, which share relayed messages and rate limits through it.',
  },
  RELAY_WEBHOOK_HOSTS: {
    schema: webhookHosts,
    defaultText: 'any public host, over https',
    meaning:
      'The push servers that the relay may call: `none`, `public`, or hosts separated by commas (`push.lender.example` for any port, `10.0.0.9:8080` for one port). Listed hosts may be private and use plain http.',
  },
  PUSH_HOSTS: {
    schema: pushHosts,
    defaultText: 'those of Chromium, Edge, Firefox and Safari, over https',
    meaning:
      'The push services of browsers through which closed mobile wallets are notified: `none` to turn notifications off, `public` for any public host over https, or hosts separated by commas, as in `RELAY_WEBHOOK_HOSTS`.',
  },
  WEBHOOK_HOSTS: {
    schema: webhookHosts,
    defaultText: 'any public host, over https',
    meaning:
      'The hosts that may receive [webhooks](webhooks.md): `none`, `public`, or hosts separated by commas, as in `RELAY_WEBHOOK_HOSTS`. Their signing secrets are in variables that begin with `WEBHOOK_SECRET_`.',
  },
  IDENTITY_PROVIDER_HOSTS: {
    schema: webhookHosts,
    defaultText: 'any public host, over https',
    meaning:
      "The hosts of organizations' identity providers: `none`, `public`, or hosts separated by commas, as in `RELAY_WEBHOOK_HOSTS`.",
  },
  DNS_SERVERS: {
    schema: nameServers,
    defaultText: "the system's",
    meaning:
      'The name servers that look up the records by which organizations prove that they own a domain: addresses such as `10.0.0.53` or `10.0.0.53:5353` separated by commas.',
  },
  MOBILE_WALLET_RELAYS: {
    schema: z._default(relayOrigins, []),
    defaultText: "this server's only",
    meaning:
      'Further relays that the mobile wallet may connect to, because pages elsewhere use them: origins such as `wss://relay.partner.example` separated by commas.',
  },
  SMTP_URL: {
    schema: optionalUrl('smtp:', 'smtps:'),
    defaultText: 'the mailbox',
    meaning:
      'The mail server: `smtps://…`, or `smtp://user:pass@host:port`, which must support STARTTLS unless it runs on this machine.',
    requiredInProduction: true,
  },
  MAIL_FROM: {
    schema: z._default(z.email('must be an e-mail address'), 'no-reply@portico.example'),
    defaultText: 'no-reply@portico.example',
    meaning: 'The sender address of mail.',
    requiredInProduction: true,
  },
  SMS_URL: {
    schema: optionalUrl('http:', 'https:'),
    defaultText: 'the mailbox',
    meaning:
      'The text message gateway. It receives `POST` requests with JSON `{ "to", "text" }` and a number such as `+12015550142`. Without it, users cannot add a phone in production.',
  },
  BOT_CHECK: {
    schema: z._default(oneOf(['altcha', 'recaptcha', 'turnstile', 'off']), 'altcha'),
    defaultText: 'altcha',
    meaning: '`altcha` (proof of work, no third party), `recaptcha`, `turnstile` or `off`.',
  },
  BOT_CHECK_SITE_KEY: {
    schema: optionalText,
    defaultText: 'unset',
    meaning: 'The public key of reCAPTCHA or Turnstile.',
  },
  BOT_CHECK_SECRET: {
    schema: optionalText,
    defaultText: 'unset',
    meaning: 'The secret key of reCAPTCHA or Turnstile.',
  },
  BOT_CHECK_URL: {
    schema: optionalUrl('http:', 'https:'),
    defaultText: "the service's own",
    meaning: 'The URL that verifies tokens of reCAPTCHA or Turnstile.',
  },
  BREACH_CHECK_URL: {
    schema: optionalUrl('http:', 'https:'),
    defaultText: 'off',
    meaning:
      'The service that new passwords are checked against for breaches: the URL to which the first five hexadecimal digits of the SHA-1 are appended, such as `https://api.pwnedpasswords.com/range/`. The most common passwords are always refused.',
  },
  MASTER_KEY: {
    schema: masterKeys,
    defaultText: 'generated into `DATA_DIR`',
    meaning:
      'Encrypts every secret at rest: 32 bytes in base64. To rotate, set several keys separated by commas: the first encrypts, all of them decrypt.',
    requiredInProduction: true,
  },
  ADDRESS_PREFIX: {
    schema: z._default(oneOf(['pb', 'tp']), 'tp'),
    defaultText: 'tp',
    meaning: 'The network of wallets: `pb` for the main network, `tp` for the test network.',
  },
  WALLET_TOKEN_ISSUERS: {
    schema: z._default(issuers, ['provenance.io']),
    defaultText: 'provenance.io',
    meaning:
      'The issuers of wallet tokens that are accepted, separated by commas. The host of `PUBLIC_URL` is always accepted.',
  },
  CHAIN_URL: {
    schema: optionalUrl('http:', 'https:'),
    defaultText: 'the development chain',
    meaning:
      'The REST URL of a node of that network. Without it, hosted wallets cannot send transactions in production.',
  },
  HOSTED_TRANSFER_LIMIT: {
    schema: z._default(coins, new Map([['nhash', 100_000_000_000n]])),
    defaultText: '100000000000nhash (100 hash)',
    meaning:
      'How much a user may send from hosted wallets in 24 hours, network fees included, without fresh proof of identity: amounts such as `100000000000nhash` separated by commas, or `0`. Other denominations, new recipients and transactions with an unknown effect always require proof.',
  },
  LENDER_APP_URL: {
    schema: optionalUrl('http:', 'https:'),
    defaultText: 'unset',
    meaning:
      'The application of pages outside this product: `/account`, `/portfolio` and `/legal` with everything below them. Only its origin is used.',
  },
  LENDER_APP_MODE: {
    schema: z._default(oneOf(['redirect', 'proxy']), 'redirect'),
    defaultText: 'redirect',
    meaning:
      '`redirect` sends browsers to `LENDER_APP_URL`. `proxy` passes their requests on to it, with the identity of the user in a signed header: its scripts then run in our origin, so prefer an origin of its own; see [openid-provider.md](openid-provider.md#pages-of-your-application-behind-portico).',
  },
  BANNERS_URL: {
    schema: optionalUrl('http:', 'https:'),
    defaultText: 'the files in `CONFIG_DIR`',
    meaning:
      'The public bucket from which pages fetch banners, such as `https://storage.lender.example/public`; see [banners.md](banners.md).',
  },
  SUPPORT_PHONE: {
    schema: z._default(Phone, '8005550142'),
    defaultText: '8005550142',
    meaning: 'The toll-free phone number shown for organizations without their own.',
  },
  TRACKING_CONSENT: {
    schema: z._default(oneOf(['implied', 'required']), 'implied'),
    defaultText: 'implied',
    meaning:
      '`required` tracks only visitors with the cookie `portico-consent=granted`; `implied` tracks all visitors except those with a browser that sends Global Privacy Control.',
  },
  EXPERIMENTS_URL: {
    schema: optionalUrl('http:', 'https:'),
    defaultText: 'the files under `config/experiments` only',
    meaning:
      'The GrowthBook endpoint with the rules of experiments, such as `https://growthbook.lender.example/api/features/sdk-…`. It is polled every minute, and its rules take precedence over the files.',
  },
  TRUSTED_PROXIES: {
    schema: z._default(networks, []),
    defaultText: 'none',
    meaning:
      'The proxies that may set forwarding headers: addresses or networks separated by commas.',
  },
  TELEMETRY_DAYS: {
    schema: z._default(
      wholeNumber({ least: 0, most: 9999 }, 'must be a number of days up to 9999'),
      90,
    ),
    defaultText: '90',
    meaning: 'How many days telemetry is kept; 0 turns it off, on the server and in pages.',
  },
  TELEMETRY_MB_PER_DAY: {
    schema: z._default(
      wholeNumber({ least: 1, most: 1_000_000 }, 'must be a number of megabytes'),
      500,
    ),
    defaultText: '500',
    meaning:
      'The maximum telemetry stored per day, in megabytes, of which one network may send 50. Anything beyond that is refused.',
  },
  ALLOW_INSECURE: {
    schema: z._default(someOf(INSECURE_SETTINGS), []),
    defaultText: 'none',
    meaning:
      'Settings, separated by commas, for which insecure values are accepted; see [operations.md](operations.md#what-production-refuses).',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: optionalUrl('http:', 'https:'),
    defaultText: 'unset: no tracing',
    meaning:
      'The OpenTelemetry collector that receives [traces](operations.md#tracing), such as `http://127.0.0.1:4318`. Spans are posted to `/v1/traces` below it.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: headerList,
    defaultText: 'none',
    meaning:
      'Headers for the collector: `authorization=Bearer%20…`, percent-encoded, separated by commas.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z._default(ratio, 0.01),
    defaultText: '0.01',
    meaning: 'The share of requests that are traced, from 0 to 1.',
  },
  LOG_LEVEL: {
    schema: z._default(
      oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
      'info',
    ),
    defaultText: 'info',
    meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  },
} as const satisfies Readonly<Record<string, Setting>>
