import { createHash } from 'node:crypto'
import type { BotCheck } from '@portico/contracts/page-data'
import type { Config } from '../config.ts'

/** What the configured bot check's own scripts need; nothing for ours. */
const BOT_CHECK_ORIGINS: Readonly<Record<BotCheck['kind'], readonly string[]>> = {
  altcha: [],
  off: [],
  recaptcha: ['https://www.google.com', 'https://www.gstatic.com'],
  turnstile: ['https://challenges.cloudflare.com'],
}

/** Headers of every answer. */
const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Passkeys are for our pages and frames of our own origin, as the hosted wallet is; no frame of others is lent them.
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'x-frame-options': 'DENY',
} as const

/** What an answer may do that is no page of an application: load nothing, run nothing, lead nowhere. */
const CLOSED = {
  'default-src': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
} as const

/** The policy of an answer without scripts; `opened` says what it may do after all. */
export function closedPolicy(opened: Readonly<Record<string, string>> = {}): string {
  return written({ ...CLOSED, ...opened })
}

/** The source by which a policy allows one style element and no other: the hash of its text. */
export function styleSource(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`
}

function written(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([directive, value]) => `${directive} ${value}`.trim())
    .join('; ')
}

/** What an answer carries unless it is a page. */
export const CLOSED_HEADERS = {
  ...COMMON_HEADERS,
  'content-security-policy': closedPolicy(),
} as const

/** Who may show a page in a frame: nobody, or pages of our own origin. */
export type Framing = 'nobody' | 'own-pages'

/**
 * The headers of a page: only our own scripts under the page's nonce, no third party, and of frames only those of our
 * own that let themselves be framed.
 */
export function pageHeaders(
  nonce: string,
  {
    production,
    development,
    bannersUrl,
  }: Pick<Config, 'production' | 'development' | 'bannersUrl'>,
  { kind }: BotCheck,
  framing: Framing,
): Readonly<Record<string, string>> {
  const others = BOT_CHECK_ORIGINS[kind].join(' ')
  // Banners are on our own pages, never in the frame that holds keys.
  const bucket =
    bannersUrl === undefined || framing === 'own-pages' ? [] : [new URL(bannersUrl).origin]
  const policy = {
    'default-src': "'none'",
    'script-src': `'nonce-${nonce}' 'strict-dynamic' ${others}`,
    // Vite's development client injects styles as it goes.
    'style-src': development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': [`'self' ${others}`.trim(), ...bucket].join(' '),
    'worker-src': "'self'",
    'frame-src': `'self' ${others}`,
    'frame-ancestors': framing === 'own-pages' ? "'self'" : "'none'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'manifest-src': "'self'",
    // Scripts of other services are not written for Trusted Types.
    ...(others === '' && !development
      ? { 'require-trusted-types-for': "'script'", 'trusted-types': "portico 'allow-duplicates'" }
      : {}),
    ...(production ? { 'upgrade-insecure-requests': '' } : {}),
  }
  return {
    'content-security-policy': written(policy),
    'cache-control': 'no-store',
    ...(framing === 'own-pages' ? { 'x-frame-options': 'SAMEORIGIN' } : {}),
  }
}
