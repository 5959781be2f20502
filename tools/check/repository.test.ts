import { expect, test } from 'vitest'
import { REPOSITORY_RULES } from './repository.ts'

const RULES = '{"dependencies":{"@portico/contracts":"*","zod":"4.0.0"}}'

const VALID = {
  'package.json': '{"devDependencies":{"vite":"8.0.0"}}',
  'package-lock.json': lockfileWith({}),
  'packages/rules/README.md': '# rules',
  'packages/rules/package.json': RULES,
  'packages/rules/src/a.test.ts': "test('a', () => {})",
}

const VIOLATIONS = {
  'package-lock.json does not match package.json': {
    'package.json': '{"devDependencies":{"vite":"8.0.1"}}',
  },
  'contains a download URL': {
    'package-lock.json': '{"packages":{"a":{"resolved": "https://host.example/a.tgz"}}}',
  },
  'tests/interop/package-lock.json contains a download URL': {
    'tests/interop/package-lock.json':
      '{"packages":{"a":{"resolved": "https://host.example/a.tgz"}}}',
  },
  'tests/interop/package-lock.json has no sha512 of node_modules/a': {
    'tests/interop/package-lock.json': '{"packages":{"node_modules/a":{"version":"1.0.0"}}}',
  },
  'package-lock.json lacks tool-darwin-x64, which node_modules/tool may need': {
    'package-lock.json': lockfileWith({ 'node_modules/tool-darwin-x64': undefined }),
  },
  'package-lock.json has no node_modules/tool for darwin x64': {
    'package-lock.json': lockfileWith({ 'node_modules/tool-darwin-x64': { os: ['openbsd'] } }),
  },
  'package-lock.json has no node_modules/tool for linux arm64 musl': {
    'package-lock.json': lockfileWith({
      'node_modules/tool-linux-arm64': { os: ['linux'], cpu: ['arm64'], libc: ['glibc'] },
    }),
  },
  'contains an absolute path of one machine': {
    'docs/a.md': ['/home', 'user', 'portico'].join('/'),
  },
  'has a focused test, so the others do not run': {
    'tests/a.test.ts': ['test', "only('a', () => {})"].join('.'),
  },
  'apps/auth/src/a.tsx formats a date or number': {
    'apps/auth/src/a.tsx': 'export const text = new Date(0).toLocaleDateString()',
  },
  'packages/ui/src/b.ts formats a date or number': {
    'packages/ui/src/b.ts': 'export const format = Intl.NumberFormat()',
  },
  'has no README.md': { 'packages/flow/package.json': '{}' },
  'is not in the table of packages': { 'packages/misc/package.json': '{}' },
  'may not depend on @portico/client': {
    'packages/rules/package.json': '{"dependencies":{"@portico/client":"*"}}',
  },
  'which is not an exact version': {
    'apps/auth/package.json': '{"dependencies":{"zod":"^4.0.0"}}',
  },
}

test('a valid repository has no errors', () => {
  expect(errorsIn(VALID)).toEqual([])
})

test.each(Object.entries(VIOLATIONS))('an error is found: %s', (message, change) => {
  expect(errorsIn({ ...VALID, ...change })).toContainEqual(expect.stringContaining(message))
})

function errorsIn(files: Readonly<Record<string, string>>): string[] {
  const texts = new Map(Object.entries(files))
  return REPOSITORY_RULES.flatMap((rule) => rule(texts))
}

/** A valid lockfile with a tool's binaries for every platform, except for `changed`. */
function lockfileWith(changed: Readonly<Record<string, object | undefined>>): string {
  const binaries = ['linux', 'darwin', 'win32'].flatMap((os) =>
    ['x64', 'arm64'].map((cpu) => ({ name: `tool-${os}-${cpu}`, os: [os], cpu })),
  )
  return JSON.stringify({
    packages: {
      '': { devDependencies: { vite: '8.0.0' } },
      'packages/rules': JSON.parse(RULES),
      'node_modules/tool': {
        integrity: 'sha512-a',
        optionalDependencies: Object.fromEntries(binaries.map(({ name }) => [name, '1.0.0'])),
      },
      ...Object.fromEntries(
        binaries.map(({ name, ...rest }) => [
          `node_modules/${name}`,
          { integrity: 'sha512-a', ...rest },
        ]),
      ),
      ...changed,
    },
  })
}
