import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../setup/processes.mjs'

/** What an engineer who has never seen the project searches for. */
const STANDARD_TERMS = [
  'account data',
  'altcha',
  'approval',
  'attach',
  'audit',
  'authenticator',
  'backup',
  'banner',
  'base64',
  'bech32',
  'bot check',
  'brand appearance',
  'breached passwords',
  'broadcast',
  'captcha',
  'challenge',
  'configuration',
  'confirmation',
  'connect wallet',
  'content security policy',
  'contrast',
  'convert wallet',
  'cookie',
  'create organization',
  'create wallet',
  'credential',
  'CSRF',
  'delete account',
  'derivation',
  'development chain',
  'device name',
  'dialog',
  'email address',
  'email change',
  'envelope',
  'error boundary',
  'error catalog',
  'error response',
  'ES256K',
  'experiment',
  'exposure',
  'gallery',
  'group policy',
  'handshake',
  'hosted wallet',
  'housekeeping',
  'inheritance',
  'JSON-RPC',
  'JWT',
  'key store',
  'label',
  'live region',
  'lockout',
  'login',
  'logo contrast',
  'logout',
  'mailbox',
  'master key',
  'metrics',
  'migration',
  'mnemonic',
  'mobile wallet',
  'new password',
  'nonce',
  'one-time code',
  'OpenAPI',
  'organizations',
  'outbox',
  'page data',
  'page frame',
  'partner onboarding',
  'passcode',
  'passkey',
  'password hash',
  'password strength',
  'PNG',
  'protobuf',
  'public key',
  'QR',
  'rate limit',
  'readiness',
  'recovery code',
  'recovery questions',
  'redirect target',
  'Redis',
  'registration',
  'relay',
  'reload',
  'remembered device',
  'restore',
  'security headers',
  'seed',
  'select account',
  'select wallet',
  'session start',
  'session token',
  'settings',
  'short link',
  'signature',
  'signing key',
  'SQLite',
  'SSRF guard',
  'static file',
  'storage keys',
  'style sheet',
  'SVG',
  'telemetry',
  'theme',
  'toast',
  'TOTP',
  'tracker',
  'tracking',
  'transaction',
  'transfer limit',
  'trusted proxies',
  'two-factor',
  'vault',
  'visibility guard',
  'wallet card',
  'wallet lock',
  'wallet modal',
  'wallet session',
  'wallet token',
  'webhook',
  'WebSocket',
  'window message',
]

const normalized = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Names of source files and of what they export. */
function names(): readonly string[] {
  const files = execFileSync('git', ['ls-files', 'apps', 'packages', 'tools'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /(?<!\.test)\.(?:ts|tsx|mjs)$/.test(file))
  return files.flatMap((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    const exported = source.matchAll(
      /^export (?:async )?(?:function|const|interface|type|class) (\w+)/gm,
    )
    return [path.basename(file), ...[...exported].map(([, name = '']) => name)].map(normalized)
  })
}

test('a standard term finds a file by its name or by what it exports', () => {
  const known = names()
  const missing = STANDARD_TERMS.filter(
    (term) => !known.some((name) => name.includes(normalized(term))),
  )
  expect(missing).toEqual([])
})
