import { expect, test } from 'vitest'
import { manifestFor, TARGETS } from './manifest.ts'

const OPTIONS = {
  version: '1.2.3',
  origins: ['https://app.lender.example', 'http://localhost:8080'],
}

test.each(TARGETS)('%s: only the lender is a fixed host; the user may grant others', (target) => {
  const manifest = manifestFor(target, OPTIONS)
  const matches = manifest.content_scripts.map((script) => script.matches)
  for (const each of [manifest.host_permissions, ...matches]) {
    expect(each).toEqual([
      'https://app.lender.example/*',
      target === 'firefox' ? 'http://localhost/*' : 'http://localhost:8080/*',
    ])
  }
  expect(manifest.optional_host_permissions).toContain('https://*/*')
  expect(manifest.homepage_url).toBe('https://app.lender.example/')
})

test.each(TARGETS)(
  '%s: no remote code, and no permission without its reason in the documentation',
  (target) => {
    const manifest = manifestFor(target, OPTIONS)
    expect(manifest.content_security_policy.extension_pages).toBe(
      "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'",
    )
    expect(manifest.permissions).toEqual(['activeTab', 'alarms', 'scripting', 'storage'])
    expect(manifest).not.toHaveProperty('web_accessible_resources')
    expect(manifest).not.toHaveProperty('externally_connectable')
    expect(manifest.description.length).toBeLessThanOrEqual(132)
  },
)
