import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../setup/processes.mjs'

type Offence = { readonly rule: string; readonly file: string; readonly source: string }

// One offense per file; if the linter does not report its rule, the rule is not active.
const OFFENCES: readonly Offence[] = [
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
let objections = ''

beforeAll(() => {
  for (const { file, source } of OFFENCES) plant(file, source)
  for (const file of ALLOWED) plant(file, 'export const home = process.env.HOME')
  plant('tsconfig.json', '{"compilerOptions":{"strict":true,"types":[],"target":"es2024"}}')
  copyFileSync(path.join(ROOT, '.oxlintrc.json'), path.join(root, '.oxlintrc.json'))
  const oxlint = path.join(ROOT, 'node_modules/oxlint/bin/oxlint')
  const lint = spawnSync(process.execPath, [oxlint, '--format=unix'], { cwd: root })
  objections = lint.stdout.toString()
})

afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

test.each(OFFENCES)('$rule is reported in $file', ({ rule, file }) => {
  const found = objections.split('\n').filter((line) => line.includes(file))
  expect(found.join('\n')).toContain(`(${rule})`)
})

test.each(ALLOWED)('§3 %s may read the environment', (file) => {
  expect(objections).not.toContain(file)
})

function plant(file: string, source: string): void {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(root, file), source)
}
