/** Every setting there is; `docs/configuration.md` is generated from them. */
import { fileURLToPath } from 'node:url'
import { Phone } from '@portico/contracts/organization'
import * as z from 'zod/mini'
import { INSECURE_SETTINGS } from './insecure.ts'
import {
  address,
  coins,
  issuers,
  masterKeys,
  networks,
  oneOf,
  optionalText,
  someOf,
  someText,
  webhookHosts,
  wholeNumber,
} from './readers.ts'

/** The folder of data that comes with the product. */
const SHIPPED_CONFIG = fileURLToPath(new URL('../../../../config', import.meta.url))

/** What is known of a setting. */
export interface Setting {
  /** Turns its text into what it means. */
  readonly reads: z.ZodMiniType<unknown, string | undefined>
  /** What holds where it is not set, in words. */
  readonly defaultText: string
  readonly meaning: string
  /** Whether `NODE_ENV=production` refuses to start without it. */
  readonly neededInProduction?: boolean
}

/** The settings by the names of their variables, in the order of the documentation. */
export const SETTINGS = {
  NODE_ENV: {
    reads: z.optional(oneOf(['production', 'development', 'test'])),
    defaultText: 'unset',
    meaning:
      '`production` turns demonstration mode off; unset, `development` and `test` leave it on. Nothing else is taken.',
  },
  PORT: {
    reads: z._default(wholeNumber({ least: 0, most: 65_535 }, 'must be a port number'), 8080),
    defaultText: '8080',
    meaning: 'The port it listens on; 0 takes a free one.',
  },
  HOST: {
    reads: z._default(someText, '127.0.0.1'),
    defaultText: '127.0.0.1',
    meaning: 'The address it listens on.',
  },
  PUBLIC_URL: {
    reads: address('http:', 'https:'),
    defaultText: 'from the request',
    meaning: 'Its own origin as users see it, such as `https://login.lender.example`.',
    neededInProduction: true,
  },
  DATA_DIR: {
    reads: z._default(someText, './data'),
    defaultText: './data',
    meaning: 'Where the embedded database and generated keys lie.',
  },
  CONFIG_DIR: {
    reads: z._default(someText, SHIPPED_CONFIG),
    defaultText: './config of the installation',
    meaning:
      'Where organizations, labels, logos and whatever else is data lie; see [white-label.md](white-label.md).',
  },
  DATABASE_URL: {
    reads: address('postgres:', 'postgresql:'),
    defaultText: 'the embedded database',
    meaning: 'A PostgreSQL 15 or newer, or a compatible engine: `postgres://user:pass@host/name`.',
    neededInProduction: true,
  },
  DATABASE_CONNECTIONS: {
    reads: z._default(
      wholeNumber({ least: 1, most: 9999 }, 'must be a number of connections, at least 1'),
      20,
    ),
    defaultText: '20',
    meaning: 'How many connections this node opens to PostgreSQL at most.',
  },
  REDIS_URL: {
    reads: address('redis:', 'rediss:'),
    defaultText: 'each node by itself',
    meaning:
      'A Redis 7 or newer, or what understands it: `redis://user:pass@host:port` or `rediss://…`. Several nodes need it: through it they share relayed messages and rate limits.',
  },
  RELAY_WEBHOOK_HOSTS: {
    reads: webhookHosts,
    defaultText: 'any public host, by https',
    meaning:
      'Which push servers the relay calls: hosts separated by commas (`push.lender.example` on any port, `10.0.0.9:8080` on that port), which may then be private and without https, or `none`.',
  },
  SMTP_URL: {
    reads: address('smtp:', 'smtps:'),
    defaultText: 'the mailbox',
    meaning:
      'The mail server: `smtp://user:pass@host:port`, which must offer STARTTLS unless it is on this machine, or `smtps://…`.',
    neededInProduction: true,
  },
  MAIL_FROM: {
    reads: z._default(z.email('must be an e-mail address'), 'no-reply@portico.example'),
    defaultText: 'no-reply@portico.example',
    meaning: 'The address mail is sent from.',
    neededInProduction: true,
  },
  SMS_URL: {
    reads: address('http:', 'https:'),
    defaultText: 'the mailbox',
    meaning:
      'The gateway of text messages, which takes `POST` of JSON `{ "to", "text" }` with a number such as `+12015550142`. Without it in production no phone can be added.',
  },
  BOT_CHECK: {
    reads: z._default(oneOf(['altcha', 'recaptcha', 'turnstile', 'off']), 'altcha'),
    defaultText: 'altcha',
    meaning: '`altcha` (proof of work, no third party), `recaptcha`, `turnstile` or `off`.',
  },
  BOT_CHECK_SITE_KEY: {
    reads: optionalText,
    defaultText: 'unset',
    meaning: 'The public key of reCAPTCHA or Turnstile.',
  },
  BOT_CHECK_SECRET: {
    reads: optionalText,
    defaultText: 'unset',
    meaning: 'The secret key of reCAPTCHA or Turnstile.',
  },
  BOT_CHECK_URL: {
    reads: address('http:', 'https:'),
    defaultText: "the service's own",
    meaning: 'Where tokens of reCAPTCHA or Turnstile are verified.',
  },
  BREACH_CHECK_URL: {
    reads: address('http:', 'https:'),
    defaultText: 'off',
    meaning:
      'Where new passwords are looked up among breached ones: the address before the first five hexadecimal digits of the SHA-1, such as `https://api.pwnedpasswords.com/range/`. The most common ones are refused always.',
  },
  MASTER_KEY: {
    reads: masterKeys,
    defaultText: 'generated into `DATA_DIR`',
    meaning:
      'Wraps every secret at rest: 32 bytes in base64. Several, separated by commas, rotate: the first wraps, all unwrap.',
    neededInProduction: true,
  },
  ADDRESS_PREFIX: {
    reads: z._default(oneOf(['pb', 'tp']), 'tp'),
    defaultText: 'tp',
    meaning: 'The network of wallets: `pb` for the main network, `tp` for the test network.',
  },
  WALLET_TOKEN_ISSUERS: {
    reads: z._default(issuers, ['provenance.io']),
    defaultText: 'provenance.io',
    meaning:
      'Whose wallet tokens are taken, separated by commas; those of the host in `PUBLIC_URL` always are.',
  },
  CHAIN_URL: {
    reads: address('http:', 'https:'),
    defaultText: 'the development chain',
    meaning:
      'The REST address of a node of that network. In production hosted wallets send no transactions without it.',
  },
  HOSTED_TRANSFER_LIMIT: {
    reads: z._default(coins, new Map([['nhash', 100_000_000_000n]])),
    defaultText: '100000000000nhash (100 hash)',
    meaning:
      'What a person may send from their hosted wallets in 24 hours, network fees included, without a fresh proof of who they are: amounts such as `100000000000nhash`, separated by commas, or `0`. Any other denomination, a new recipient, and a transaction whose effect cannot be told always need one.',
  },
  LENDER_APP_URL: {
    reads: address('http:', 'https:'),
    defaultText: 'unset',
    meaning: 'Where pages outside the product (`/account/heloc/…`) are redirected to.',
  },
  BANNERS_URL: {
    reads: address('http:', 'https:'),
    defaultText: 'the files in `CONFIG_DIR`',
    meaning:
      'The public bucket that pages fetch announcements from, such as `https://storage.lender.example/public`; see [banners.md](banners.md).',
  },
  SUPPORT_PHONE: {
    reads: z._default(Phone, '8005550142'),
    defaultText: '8005550142',
    meaning: 'The toll-free phone shown for organizations that have none of their own.',
  },
  TRACKING_CONSENT: {
    reads: z._default(oneOf(['implied', 'required']), 'implied'),
    defaultText: 'implied',
    meaning:
      '`required` tracks only visitors whose browser holds the cookie `portico-consent` with the value `granted`; `implied` tracks all but those who send Global Privacy Control.',
  },
  EXPERIMENTS_URL: {
    reads: address('http:', 'https:'),
    defaultText: 'the files under `config/experiments` only',
    meaning:
      'Where a GrowthBook server tells the rules of experiments, such as `https://growthbook.lender.example/api/features/sdk-…`; asked every minute, and its rules go before those of the files.',
  },
  TRUSTED_PROXIES: {
    reads: z._default(networks, []),
    defaultText: 'nobody',
    meaning: 'Addresses or networks, separated by commas, whose forwarded headers count.',
  },
  TELEMETRY_DAYS: {
    reads: z._default(
      wholeNumber({ least: 0, most: 9999 }, 'must be a number of days up to 9999'),
      90,
    ),
    defaultText: '90',
    meaning: 'How many days telemetry is kept; 0 turns it off, on the server and in the pages.',
  },
  TELEMETRY_MB_PER_DAY: {
    reads: z._default(
      wholeNumber({ least: 1, most: 1_000_000 }, 'must be a number of megabytes'),
      500,
    ),
    defaultText: '500',
    meaning:
      'How many megabytes of telemetry are stored in a day at most, 50 of them from one network; what comes later is refused.',
  },
  ALLOW_INSECURE: {
    reads: z._default(someOf(INSECURE_SETTINGS), []),
    defaultText: 'nothing',
    meaning:
      'Settings, separated by commas, whose insecure values are taken all the same: see [operations.md](operations.md#what-production-refuses).',
  },
  LOG_LEVEL: {
    reads: z._default(
      oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
      'info',
    ),
    defaultText: 'info',
    meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  },
} as const satisfies Readonly<Record<string, Setting>>
