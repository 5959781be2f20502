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
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
} as const

/** The policy of answers that are no pages: nothing in them may load or run anything. */
export const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"

/** What an answer carries unless it is a page. */
export const CLOSED_HEADERS = {
  ...COMMON_HEADERS,
  'content-security-policy': CLOSED_POLICY,
} as const

/** The headers of a page: only our own scripts under the page's nonce, no frames, no third party. */
export function pageHeaders(
  nonce: string,
  { production, development }: Pick<Config, 'production' | 'development'>,
  { kind }: BotCheck,
): Readonly<Record<string, string>> {
  const others = BOT_CHECK_ORIGINS[kind].join(' ')
  const policy = {
    'default-src': "'none'",
    'script-src': `'nonce-${nonce}' 'strict-dynamic' ${others}`,
    // Vite's development client injects styles as it goes.
    'style-src': development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': `'self' ${others}`,
    'worker-src': "'self'",
    'frame-src': others === '' ? "'none'" : others,
    'frame-ancestors': "'none'",
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
    'content-security-policy': Object.entries(policy)
      .map(([directive, value]) => `${directive} ${value}`.trim())
      .join('; '),
    'cache-control': 'no-store',
  }
}
