import { expect, test } from 'vitest'
import { REPOSITORY_RULES } from './repository.ts'

const RULES = '{"dependencies":{"@portico/contracts":"*","zod":"4.0.0"}}'

const KEPT = {
  'package.json': '{"devDependencies":{"vite":"8.0.0"}}',
  'package-lock.json': `{"packages":{"":{"devDependencies":{"vite":"8.0.0"}},"packages/rules":${RULES}}}`,
  'packages/rules/README.md': '# rules',
  'packages/rules/package.json': RULES,
  'packages/rules/src/a.test.ts': "test('a', () => {})",
}

const OFFENCES = {
  'package-lock.json does not agree with package.json': {
    'package.json': '{"devDependencies":{"vite":"8.0.1"}}',
  },
  'holds a download address': {
    'package-lock.json': '{"packages":{"a":{"resolved": "https://host.example/a.tgz"}}}',
  },
  'tests/interop/package-lock.json holds a download address': {
    'tests/interop/package-lock.json':
      '{"packages":{"a":{"resolved": "https://host.example/a.tgz"}}}',
  },
  'names a folder of one machine': { 'docs/a.md': ['/home', 'somebody', 'portico'].join('/') },
  'keeps every other test from running': {
    'tests/a.test.ts': ['test', "only('a', () => {})"].join('.'),
  },
  'has no README.md': { 'packages/flow/package.json': '{}' },
  'is not in the table of packages': { 'packages/misc/package.json': '{}' },
  'may not lean on @portico/client': {
    'packages/rules/package.json': '{"dependencies":{"@portico/client":"*"}}',
  },
  'which is no exact version': { 'apps/auth/package.json': '{"dependencies":{"zod":"^4.0.0"}}' },
}

test('a repository that keeps the rules is left in peace', () => {
  expect(faultsIn(KEPT)).toEqual([])
})

test.each(Object.entries(OFFENCES))('a fault is found: %s', (words, offence) => {
  expect(faultsIn({ ...KEPT, ...offence })).toContainEqual(expect.stringContaining(words))
})

function faultsIn(files: Readonly<Record<string, string>>): string[] {
  const texts = new Map(Object.entries(files))
  return REPOSITORY_RULES.flatMap((rule) => rule(texts))
}
