import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../setup/processes.mjs'

type Violation = { readonly rule: string; readonly file: string; readonly source: string }

// One violation per file. If the linter does not report its rule, the rule is not active.
const VIOLATIONS: readonly Violation[] = [
  {
    rule: 'no-process-env',
    file: 'apps/server/src/login.ts',
    source: 'export const home = process.env.HOME',
  },
  {
    rule: 'no-restricted-globals',
    file: 'apps/auth/src/login.flow.ts',
    source: "export const call = () => fetch('/')",
  },
  {
    rule: 'no-restricted-properties',
    file: 'apps/auth/src/chance.flow.ts',
    source: 'export const chance = Math.random()',
  },
  {
    rule: 'no-restricted-properties',
    file: 'packages/rules/src/time.ts',
    source: 'export const time = Date.now()',
  },
  {
    rule: 'no-floating-promises',
    file: 'packages/client/src/promise.ts',
    source: 'export function call() {\n  Promise.resolve(1)\n}',
  },
  {
    rule: 'no-misused-promises',
    file: 'packages/client/src/condition.ts',
    source: 'export const sure = (promise: Promise<boolean>) => (promise ? 1 : 2)',
  },
  {
    rule: 'switch-exhaustiveness-check',
    file: 'packages/rules/src/switch.ts',
    source: "export function f(step: 'a' | 'b') {\n  switch (step) {\n    case 'a':\n  }\n}",
  },
  {
    rule: 'filename-case',
    file: 'packages/rules/src/notKebab.ts',
    source: 'export const a = 1',
  },
]

const ALLOWED = ['apps/server/src/config.ts', 'apps/server/src/main.ts']

const root = mkdtempSync(path.join(tmpdir(), 'portico-lint-'))
let output = ''

beforeAll(() => {
  for (const { file, source } of VIOLATIONS) write(file, source)
  for (const file of ALLOWED) write(file, 'export const home = process.env.HOME')
  write('tsconfig.json', '{"compilerOptions":{"strict":true,"types":[],"target":"es2024"}}')
  copyFileSync(path.join(ROOT, '.oxlintrc.json'), path.join(root, '.oxlintrc.json'))
  const oxlint = path.join(ROOT, 'node_modules/oxlint/bin/oxlint')
  // The linter looks for its type checker there.
  const PATH = [path.join(ROOT, 'node_modules/.bin'), process.env.PATH].join(path.delimiter)
  const lint = spawnSync(process.execPath, [oxlint, '--format=unix'], {
    cwd: root,
    env: { ...process.env, PATH },
  })
  output = lint.stdout.toString()
  if (output === '')
    throw new Error(`The linter reported nothing: ${lint.error?.message ?? lint.stderr.toString()}`)
})

afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

test.each(VIOLATIONS)('$rule is reported in $file', ({ rule, file }) => {
  const found = output.split('\n').filter((line) => line.includes(file))
  expect(found.join('\n')).toContain(`(${rule})`)
})

test.each(ALLOWED)('%s may read the environment', (file) => {
  expect(output).not.toContain(file)
})

function write(file: string, source: string): void {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(root, file), source)
}
