import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const { exports }: { exports: Record<string, string> } = JSON.parse(
  readFileSync(resolve(root, 'package.json'), 'utf8'),
)

const DOORS: Readonly<Record<string, readonly string[]>> = {
  './address': ['addressOf', 'decodeAddress', 'isAddress'],
  './bytes': [
    'base64Of',
    'base64urlOf',
    'bytesOfBase64',
    'bytesOfBase64url',
    'bytesOfHex',
    'hexOf',
  ],
  './derivation': ['privateKeyAt'],
  './jwt': ['completeJwt', 'readJwt', 'signJwt', 'unsignedJwt', 'verifyJwt'],
  './key-error': ['KeyError'],
  './networks': ['NETWORKS'],
  './signature': ['publicKeyOf', 'sign', 'verify'],
  './words': ['newWords', 'seedOfWords'],
}

test('2.7 the package has these doors and no other', () => {
  expect(Object.keys(exports)).toEqual(Object.keys(DOORS))
})

test.each(Object.entries(DOORS))('2.7 %s names exactly this', async (door, names) => {
  const module: object = await import(resolve(root, exports[door] ?? ''))
  expect(Object.keys(module).toSorted()).toEqual(names)
})

test.each(Object.keys(DOORS))('2.7 a page that imports %s gets nothing of Node', async (door) => {
  const entry = resolve(root, exports[door] ?? '')
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, formats: ['es'] } },
  })
  const chunks = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  const modules = chunks.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))
  expect(modules).toContain(entry)
  expect(modules.filter((id) => /verify-native|node:|browser-external/.test(id))).toEqual([])
  const code = chunks.map((each) => (each.type === 'chunk' ? each.code : '')).join('')
  expect(code).not.toMatch(/['"]node:|\brequire\(|\bBuffer\.|\bprocess\./)
})

test('2.7 Node verifies with its own library', async () => {
  const [door, native] = await Promise.all([import('./signature.ts'), import('./verify-native.ts')])
  expect(door.verify).toBe(native.verify)
})
