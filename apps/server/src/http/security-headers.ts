import { createHash } from 'node:crypto'
import type { BotCheck } from '@portico/contracts/page-data'
import type { Config } from '../config.ts'

/** The origins of third-party bot checks. */
const BOT_CHECK_ORIGINS: Readonly<Record<BotCheck['kind'], readonly string[]>> = {
  altcha: [],
  off: [],
  recaptcha: ['https://www.google.com', 'https://www.gstatic.com'],
  turnstile: ['https://challenges.cloudflare.com'],
}

/** Headers of every response. */
const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissionsPolicy({ camera: '()' }),
  'x-frame-options': 'DENY',
} as const

/** Only our own origin may use passkeys: pages and same-origin frames such as the hosted wallet. */
function permissionsPolicy({ camera }: { readonly camera: string }): string {
  return `camera=${camera}, microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)`
}

/** The policy of responses that are not application pages: no loading, scripts or navigation. */
const CLOSED = {
  'default-src': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
} as const

/** The policy of a response without scripts; `exceptions` overrides single directives. */
export function contentSecurityPolicy(exceptions: Readonly<Record<string, string>> = {}): string {
  return formatPolicy({ ...CLOSED, ...exceptions })
}

/** A policy source that allows only the style or script element with this text, by its hash. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function formatPolicy(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([directive, value]) => `${directive} ${value}`.trim())
    .join('; ')
}

/** The default headers of responses that are not pages. */
export const CLOSED_HEADERS = {
  ...COMMON_HEADERS,
  'content-security-policy': contentSecurityPolicy(),
} as const

/** Who may show a page in a frame: no one, or pages of our own origin. */
export type Framing = 'none' | 'own-pages'

/**
 * The headers of a page: scripts only with the page's nonce, no third parties except a configured bot check, and frames
 * only of our own origin.
 */
export function pageHeaders(
  nonce: string,
  config: PageConfig,
  botCheck: BotCheck,
  framing: Framing,
): Readonly<Record<string, string>> {
  return {
    'content-security-policy': formatPolicy(pagePolicy(nonce, config, botCheck, framing)),
    'cache-control': 'no-store',
    ...(framing === 'own-pages' ? { 'x-frame-options': 'SAMEORIGIN' } : {}),
  }
}

/**
 * The mobile wallet's headers: like those of any page that must not be framed, but it may use the camera, WebAssembly (to
 * read QR codes and stretch passphrases) and the relays that the operator lists. Its URL may contain a secret connection
 * code, so it is never sent as a referrer.
 */
export function mobileWalletHeaders(
  nonce: string,
  config: PageConfig & Pick<Config, 'mobileWalletRelays'>,
): Readonly<Record<string, string>> {
  const policy = pagePolicy(nonce, { ...config, bannersUrl: undefined }, { kind: 'off' }, 'none')
  return {
    'content-security-policy': formatPolicy({
      ...policy,
      'script-src': `${policy['script-src'].trim()} 'wasm-unsafe-eval'`,
      'connect-src': [policy['connect-src'], ...config.mobileWalletRelays].join(' '),
      'frame-src': "'none'",
    }),
    'permissions-policy': permissionsPolicy({ camera: '(self)' }),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
}

/** The policy of the mobile wallet's workers, which load their own chunks; one of them reads QR codes with WebAssembly. */
export const MOBILE_WALLET_WORKER_POLICY = contentSecurityPolicy({
  'script-src': "'self' 'wasm-unsafe-eval'",
  'connect-src': "'self'",
})

type PageConfig = Pick<Config, 'production' | 'development' | 'bannersUrl'>

function pagePolicy(
  nonce: string,
  { production, development, bannersUrl }: PageConfig,
  { kind }: BotCheck,
  framing: Framing,
) {
  const botCheckOrigins = BOT_CHECK_ORIGINS[kind].join(' ')
  // Banners appear only on full pages, never in the wallet frame with its keys.
  const bucket =
    bannersUrl === undefined || framing === 'own-pages' ? [] : [new URL(bannersUrl).origin]
  return {
    'default-src': "'none'",
    'script-src': `'nonce-${nonce}' 'strict-dynamic' ${botCheckOrigins}`,
    // Vite's development client injects styles at run time.
    'style-src': development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': [`'self' ${botCheckOrigins}`.trim(), ...bucket].join(' '),
    // Vite's development client waits for a restarted server in a worker that it creates from text.
    'worker-src': development ? "'self' blob:" : "'self'",
    'frame-src': `'self' ${botCheckOrigins}`,
    'frame-ancestors': framing === 'own-pages' ? "'self'" : "'none'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'manifest-src': "'self'",
    // Third-party scripts do not support Trusted Types.
    ...(botCheckOrigins === '' && !development
      ? { 'require-trusted-types-for': "'script'", 'trusted-types': "portico 'allow-duplicates'" }
      : {}),
    ...(production ? { 'upgrade-insecure-requests': '' } : {}),
  }
}
