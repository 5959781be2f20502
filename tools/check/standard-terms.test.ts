import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../setup/processes.mjs'

/** What an engineer who has never seen the project searches for. */
const STANDARD_TERMS = [
  'altcha',
  'approval',
  'attach',
  'audit',
  'backup',
  'banner',
  'bech32',
  'bot check',
  'brand appearance',
  'breached passwords',
  'broadcast',
  'captcha',
  'confirmation',
  'content security policy',
  'contrast',
  'cookie',
  'CSRF',
  'development chain',
  'device name',
  'dialog',
  'email change',
  'envelope',
  'error catalog',
  'ES256K',
  'experiment',
  'exposure',
  'gallery',
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
  'logo contrast',
  'master key',
  'metrics',
  'migration',
  'nonce',
  'OpenAPI',
  'organizations',
  'outbox',
  'passcode',
  'passkey',
  'password hash',
  'password strength',
  'PNG',
  'QR',
  'rate limit',
  'readiness',
  'recovery code',
  'recovery questions',
  'redirect target',
  'relay',
  'remembered device',
  'restore',
  'security headers',
  'seed',
  'session token',
  'short link',
  'signing key',
  'SSRF guard',
  'static file',
  'style sheet',
  'SVG',
  'telemetry',
  'theme',
  'toast',
  'TOTP',
  'tracker',
  'transaction',
  'trusted proxies',
  'two-factor',
  'vault',
  'visibility guard',
  'wallet session',
  'webhook',
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
