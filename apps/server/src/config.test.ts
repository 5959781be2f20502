import { expect, test } from 'vitest'
import { parseConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { SETTINGS } from './configuration/settings.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://login.lender.example',
  DATABASE_URL: 'postgres://portico@database/portico?sslmode=verify-full',
  SMTP_URL: 'smtps://user:pass@mail.example',
  MAIL_FROM: 'login@lender.example',
  MASTER_KEY: KEY,
}

function errorsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.errors
    throw error
  }
}

test('an empty environment selects demonstration mode', () => {
  expect(parseConfig({})).toMatchObject({
    production: false,
    development: false,
    port: 8080,
    host: '127.0.0.1',
    publicUrl: undefined,
    databaseUrl: undefined,
    redisUrl: undefined,
    relayWebhookHosts: 'public',
    pushHosts: { publicNames: expect.arrayContaining(['fcm.googleapis.com', '*.push.apple.com']) },
    mobileWalletRelays: [],
    databaseConnections: 20,
    migratesSeparately: false,
    smtpUrl: undefined,
    botCheck: { kind: 'altcha' },
    masterKeys: undefined,
    addressPrefix: 'tp',
    walletTokenIssuers: ['provenance.io'],
    chainUrl: undefined,
    trackingConsent: 'implied',
    experimentsUrl: undefined,
    trustedProxies: [],
    logLevel: 'info',
    version: '0.1.0',
  })
})

test('an empty value counts as unset', () => {
  const unset = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']))
  expect(parseConfig(unset)).toEqual(parseConfig({}))
})

test('values that are set are used', () => {
  expect(
    parseConfig({
      ...PRODUCTION,
      PORT: '0',
      PUBLIC_URL: 'https://login.lender.example/auth/?x=1',
      MASTER_KEY: `${KEY},${KEY}`,
      BOT_CHECK: 'turnstile',
      BOT_CHECK_SITE_KEY: 'site',
      BOT_CHECK_SECRET: 'secret',
      TRACKING_CONSENT: 'required',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1,, 192.0.2.1 ',
      REDIS_URL: 'rediss://user:pass@redis:6380',
      RELAY_WEBHOOK_HOSTS: 'push.lender.example, 10.0.0.9:8080',
      PUSH_HOSTS: 'public',
      MOBILE_WALLET_RELAYS: 'wss://relay.partner.example, wss://10.0.0.9:8443',
    }),
  ).toMatchObject({
    production: true,
    port: 0,
    publicUrl: 'https://login.lender.example',
    masterKeys: [KEY, KEY],
    botCheck: { kind: 'turnstile', siteKey: 'site', secret: 'secret', url: undefined },
    trackingConsent: 'required',
    trustedProxies: ['10.0.0.0/8', '::1', '192.0.2.1'],
    redisUrl: 'rediss://user:pass@redis:6380',
    relayWebhookHosts: ['push.lender.example', '10.0.0.9:8080'],
    pushHosts: 'public',
    mobileWalletRelays: ['wss://relay.partner.example', 'wss://10.0.0.9:8443'],
  })
})

test('production lists every missing setting, and none when all are set', () => {
  expect(errorsOf(PRODUCTION)).toEqual([])
  const errors = errorsOf({ NODE_ENV: 'production' })
  expect(errors.map((error) => error.split(' ')[0])).toEqual([
    'PUBLIC_URL',
    'DATABASE_URL',
    'SMTP_URL',
    'MAIL_FROM',
    'MASTER_KEY',
  ])
})

test('production refuses plain http and a disabled bot check', () => {
  expect(errorsOf({ ...PRODUCTION, PUBLIC_URL: 'http://login.lender.example' })).toEqual([
    'PUBLIC_URL must begin with https:// in production',
  ])
  expect(errorsOf({ ...PRODUCTION, BANNERS_URL: 'http://storage.lender.example' })).toEqual([
    'BANNERS_URL must begin with https:// in production',
  ])
  expect(errorsOf({ ...PRODUCTION, BOT_CHECK: 'off' })).toEqual([
    'BOT_CHECK must not be off in production',
  ])
})

test.each([
  ['NODE_ENV', 'prod'],
  ['NODE_ENV', 'Production'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '8080x'],
  ['PUBLIC_URL', 'login.lender.example'],
  ['PUBLIC_URL', 'javascript:alert(1)'],
  ['DATABASE_URL', 'mysql://database'],
  ['DATABASE_URL', 'postgres://portico@one,two/portico'],
  ['DATABASE_URL', 'postgres://portico@one:5432,two:5432/portico'],
  ['DATABASE_CONNECTIONS', '0'],
  ['REDIS_URL', 'http://redis:6379'],
  ['RELAY_WEBHOOK_HOSTS', 'https://push.example'],
  ['RELAY_WEBHOOK_HOSTS', 'push.example/path'],
  ['MOBILE_WALLET_RELAYS', 'https://relay.example'],
  ['MOBILE_WALLET_RELAYS', 'wss://relay.example/path'],
  ['MOBILE_WALLET_RELAYS', "wss://relay.example 'unsafe-eval'"],
  ['MOBILE_WALLET_RELAYS', 'wss:'],
  ['SMTP_URL', 'https://mail.example'],
  ['SMTP_URL', 'smtp://user:50%@127.0.0.1'],
  ['REDIS_URL', 'redis://user:%x@127.0.0.1'],
  ['MAIL_FROM', 'nobody'],
  ['BOT_CHECK', 'none'],
  ['BOT_CHECK_URL', 'ftp://x'],
  ['MASTER_KEY', 'short'],
  ['MASTER_KEY', `${KEY},`],
  ['LENDER_APP_URL', '/app'],
  ['SUPPORT_PHONE', '1'],
  ['TRACKING_CONSENT', 'yes'],
  ['EXPERIMENTS_URL', '/api/features'],
  ['TRUSTED_PROXIES', 'everybody'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
  ['TRUSTED_PROXIES', '::1/x'],
  ['TRUSTED_PROXIES', '0.0.0.0/0'],
  ['TRUSTED_PROXIES', '::/0'],
  ['TRUSTED_PROXIES', '::ffff:0:0/96'],
  ['TRUSTED_PROXIES', '10.0.0.1, ::FFFF:10.0.0.0/96'],
  ['TRUSTED_PROXIES', '::/64'],
  ['ALLOW_INSECURE', 'everything'],
  ['SECOND_OPERATOR_ACTS', 'deletePerson,createServiceToken'],
  ['WALLET_TOKEN_ISSUERS', 'provenance.io, *'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s stops the start with a message that names it', (name, value) => {
  const errors = errorsOf({ [name]: value })
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatch(new RegExp(`^${name} must `))
  expect(errors[0]).not.toContain('Invalid')
})

test('all errors are listed together', () => {
  const errors = errorsOf({
    PORT: 'x',
    LOG_LEVEL: 'x',
    PORTICO_COLOR: 'x',
    BOT_CHECK: 'recaptcha',
  })
  expect(errors).toHaveLength(5)
  expect(new ConfigError(errors).message).toContain(`\n  - ${errors[4]}`)
})

test('an unknown PORTICO_ variable is reported; those of the tools are ignored', () => {
  expect(errorsOf({ PORTICO_PORT: '1' })).toEqual([
    'PORTICO_PORT is not a setting; see docs/configuration.md for the list',
  ])
  expect(errorsOf({ PORTICO_TEST_DATABASE_URL: 'x', PORTICO_CHROMIUM: 'x', SHELL: 'x' })).toEqual(
    [],
  )
})

test('6 wallets: the network, accepted token issuers and the chain node', () => {
  expect(
    parseConfig({
      ADDRESS_PREFIX: 'pb',
      WALLET_TOKEN_ISSUERS: 'provenance.io, wallet.example',
      CHAIN_URL: 'https://node.example',
    }),
  ).toMatchObject({
    addressPrefix: 'pb',
    walletTokenIssuers: ['provenance.io', 'wallet.example'],
    chainUrl: 'https://node.example',
  })
  expect(errorsOf({ ADDRESS_PREFIX: 'cosmos', CHAIN_URL: 'node' })).toEqual([
    'ADDRESS_PREFIX must be pb or tp',
    'CHAIN_URL must be a URL beginning with http:// or https://',
  ])
})

test('10 C10 production reports all insecure values together and accepts those that are allowed', () => {
  const insecure = {
    DATABASE_URL: 'postgres://portico@database/portico',
    REDIS_URL: 'redis://redis:6379',
    SMS_URL: 'http://texts.example',
    CHAIN_URL: 'http://node.example',
    BOT_CHECK_URL: 'http://check.example',
    BREACH_CHECK_URL: 'http://breaches.example/range/',
    EXPERIMENTS_URL: 'http://experiments.example',
    LENDER_APP_URL: 'http://app.example',
  }
  const errors = errorsOf({ ...PRODUCTION, ...insecure })
  expect(errors.map((error) => error.split(' ')[0])).toEqual(Object.keys(insecure))
  for (const [index, name] of Object.keys(insecure).entries()) {
    expect(errors[index]).toMatch(new RegExp(`, or allow it with ALLOW_INSECURE=${name}$`))
  }
  const allowed = Object.keys(insecure).join(', ')
  expect(errorsOf({ ...PRODUCTION, ...insecure, ALLOW_INSECURE: allowed })).toEqual([])
  expect(errorsOf(insecure)).toEqual([])
})

test.each([
  'postgres://portico@127.0.0.1:5432/portico',
  'postgres://portico@localhost/portico',
  'postgres://portico@[::1]/portico',
  'postgres:///portico?host=/run/postgresql',
  'postgres://portico@database/portico?sslmode=require',
  'postgres://portico@database/portico?ssl=true',
])('10 C10 a database is safe on this machine and with TLS: %s', (DATABASE_URL) => {
  expect(errorsOf({ ...PRODUCTION, DATABASE_URL })).toEqual([])
})

test.each([
  'sslmode=disable',
  'sslmode=prefer',
  'sslmode=no-verify',
  'ssl=false',
  'sslmode=require&uselibpqcompat=true',
])('10 C10 a database is not safe without a verified certificate: %s', (query) => {
  const DATABASE_URL = `postgres://portico@database/portico?${query}`
  expect(errorsOf({ ...PRODUCTION, DATABASE_URL })).toHaveLength(1)
})

test('10 C10 mail needs TLS unless its server is on this machine or plain mail is allowed', () => {
  const requires = (environment: Record<string, string>) => parseConfig(environment).smtpRequiresTls
  expect(requires({ SMTP_URL: 'smtp://mail.example' })).toBe(true)
  expect(requires({ SMTP_URL: 'smtp://localhost.mail.example' })).toBe(true)
  expect(requires({ SMTP_URL: 'smtp://127.0.0.1:2525' })).toBe(false)
  expect(requires({ SMTP_URL: 'smtp://mail.example', ALLOW_INSECURE: 'SMTP_URL' })).toBe(false)
})

test('10 C4 the demonstration refuses to listen for other machines unless that is allowed', () => {
  const refused = { HOST: '0.0.0.0', PUBLIC_URL: 'https://demo.lender.example' }
  expect(errorsOf(refused).map((error) => error.split(' ')[0])).toEqual(['HOST', 'PUBLIC_URL'])
  expect(errorsOf({ ...refused, ALLOW_INSECURE: 'HOST,PUBLIC_URL' })).toEqual([])
  expect(errorsOf({ ...PRODUCTION, HOST: '0.0.0.0' })).toEqual([])
  for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
    expect(errorsOf({ HOST, PUBLIC_URL: 'http://lender.localhost:8080' })).toEqual([])
  }
  for (const HOST of ['::', '10.0.0.1', '127.0.0.1.example', 'localhost.example']) {
    expect(errorsOf({ HOST })).toHaveLength(1)
  }
})
