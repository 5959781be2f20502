import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { build } from 'vite'
import { expect, test } from 'vitest'
import protocol from '../vectors/protocol.json' with { type: 'json' }

const root = resolve(import.meta.dirname, '..')
const { exports }: { exports: Record<string, string> } = JSON.parse(
  readFileSync(resolve(root, 'package.json'), 'utf8'),
)

const ENTRY_POINTS: Readonly<Record<string, readonly string[]>> = {
  './address': ['addressOf', 'decodeAddress', 'encodeAddress', 'isAddress'],
  './bytes': [
    'base64Of',
    'base64urlOf',
    'bytesOfBase64',
    'bytesOfBase64url',
    'bytesOfHex',
    'hexOf',
    'utf8TextOf',
  ],
  './derivation': ['privateKeyAt'],
  './jwt': ['completeJwt', 'readJwt', 'signJwt', 'unsignedJwt', 'verifyJwt'],
  './key-error': ['KeyError'],
  './mnemonic': ['RECOVERY_WORDS', 'newWords', 'seedOfWords', 'wordsOf', 'wordsProblem'],
  './networks': ['NETWORKS', 'accountPath'],
  './protobuf': ['protobufFields'],
  './read-jwt': ['readJwt', 'readPayload'],
  './seed': ['seedOfValidWords'],
  './signature': ['publicKeyOf', 'sign', 'verify'],
  './transaction-bytes': ['isTransactionToSign'],
}

test('3 the package has exactly these entry points', () => {
  expect(Object.keys(exports)).toEqual(Object.keys(ENTRY_POINTS))
})

test.each(Object.entries(ENTRY_POINTS))(
  '3 %s has exactly these exports',
  async (entryPoint, names) => {
    const module: object = await import(resolve(root, exports[entryPoint] ?? ''))
    expect(Object.keys(module).toSorted()).toEqual(names)
  },
)

test.each(Object.keys(ENTRY_POINTS))(
  '3 a page that imports %s loads no Node module',
  async (entryPoint) => {
    const { code, modules } = await forPages(entryPoint)
    expect(modules).toContain(resolve(root, exports[entryPoint] ?? ''))
    expect(modules.filter((id) => /verify-native|node:|browser-external/.test(id))).toEqual([])
    expect(code).not.toMatch(/['"]node:|\brequire\(|\bBuffer\.|\bprocess\./)
  },
)

test('3 tokens are created and verified with the APIs of an extension worker: text coders, base64 and WebCrypto', async () => {
  const worker = createContext({ TextEncoder, TextDecoder, atob, btoa, crypto })
  runInContext((await forPages('./bytes')).code, worker)
  runInContext('const { bytesOfBase64 } = keys', worker)
  runInContext((await forPages('./jwt')).code, worker)
  const { privateKeyB64, jwt, iss, iat, exp, addr } = protocol.jwts.exact
  const claims = JSON.stringify({ iss, iat, exp, addr })
  const token = runInContext(`keys.signJwt(bytesOfBase64('${privateKeyB64}'), ${claims})`, worker)
  expect(token).toBe(jwt)
  expect(runInContext(`keys.verifyJwt('${jwt}', { now: ${iat} }).ok`, worker)).toBe(true)
  const { jwt: foreign, iat: then } = protocol.jwts.foreignAddress
  expect(runInContext(`keys.verifyJwt('${foreign}', { now: ${then} }).reason`, worker)).toBe(
    'address',
  )
})

test('3 Node verifies with its own library', async () => {
  const [signature, native] = await Promise.all([
    import('./signature.ts'),
    import('./verify-native.ts'),
  ])
  expect(signature.verify).toBe(native.verify)
})

/** An entry point bundled for pages: a script that assigns its exports to `keys`. */
async function forPages(entryPoint: string): Promise<{ code: string; modules: string[] }> {
  const entry = resolve(root, exports[entryPoint] ?? '')
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'keys' } },
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  const chunks = outputs.filter((each) => each.type === 'chunk')
  return {
    code: chunks.map(({ code }) => code).join(''),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  }
}
