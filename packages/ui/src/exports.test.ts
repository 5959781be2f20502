import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const packageExports: Record<string, string> = JSON.parse(
  readFileSync(resolve(root, 'package.json'), 'utf8'),
).exports
const read = (file: string) => readFileSync(file, 'utf8')

/** A file's static imports, followed transitively within the package. */
function importsOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, name] of read(file).matchAll(/^(?:import|\} from)(?! type)[^'\n]*'([^']+)'/gm)) {
    if (name?.startsWith('.')) importsOf(resolve(dirname(file), name), seen)
    else if (name) seen.add(name)
  }
  return seen
}

const WITH_BASE_UI = ['./dialog']

test('2.8 every package export is a file', () => {
  for (const target of Object.values(packageExports))
    expect(existsSync(resolve(root, target)), target).toBe(true)
})

test.each(Object.entries(packageExports).filter(([, target]) => target.endsWith('.tsx')))(
  '2.8 %s imports the headless library only if it is a dialog',
  (name, target) => {
    const imports = [...importsOf(resolve(root, target))].filter((imported) =>
      imported.startsWith('@base-ui'),
    )
    expect(imports.length > 0).toBe(WITH_BASE_UI.includes(name))
  },
)

test('9 components take colors from roles only', () => {
  const sheets = globSync('src/**/*.module.css', { cwd: root })
  expect(sheets.length).toBeGreaterThan(15)
  for (const sheet of sheets) {
    expect(read(resolve(root, sheet)), sheet).not.toMatch(
      /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|oklab|color)\(/i,
    )
  }
})

test('2.8 components set no inline style, which a strict Content-Security-Policy would block', () => {
  for (const part of globSync('src/**/*.tsx', { cwd: root })) {
    expect(read(resolve(root, part)), part).not.toMatch(/\bstyle=/)
  }
})
