import { generateKeyPairSync } from 'node:crypto'
import { SIGNING_KEY_LIFETIME_MS, SIGNING_KEY_PUBLISHED_MS } from '@portico/contracts/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { vault as openVault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'
import { signEs256k } from './es256k.ts'
import { openTokens } from './session-tokens.ts'
import type { SigningKeyRow } from './signing-keys.store.ts'

const MASTER_KEY = Buffer.alloc(32, 1).toString('base64')

/** Signing key stores in memory, shared by the nodes of a test. */
function keyStores(): TransactionalStores<'openidKeys' | 'signingKeys' | 'singleUse'> {
  let keys: SigningKeyRow[] = []
  const used = new Set<string>()
  const signingKeys = {
    list: async () => keys,
    insert: async (key: SigningKeyRow) => {
      keys = [...keys, key]
      return []
    },
    delete: async (id: string) => {
      keys = keys.filter((key) => key.id !== id)
      return []
    },
  }
  const stores = {
    signingKeys,
    openidKeys: signingKeys,
    singleUse: {
      consume: async (key: string) => !used.has(key) && used.add(key).size > 0,
    },
  }
  return { ...stores, atomically: (work) => work(stores) }
}

/** A node that issues tokens. Nodes with the same `time` share a clock. */
async function anIssuer({
  stores = keyStores(),
  issuer = 'https://login.lender.example',
  time = { now: 1_800_000_000_000 },
} = {}) {
  let id = 0
  const tokens = await openTokens({
    stores,
    vault: openVault([MASTER_KEY]),
    clock: () => time.now,
    issuer,
    randomId: () => `id-${id++}`,
  })
  return { tokens, pass: (ms: number) => (time.now += ms) }
}

const CLAIMS = { sub: 'identity', sid: 'session', org: 'FIGURE' }

test('3 a token carries its claims until it expires', async () => {
  const { tokens, pass } = await anIssuer()
  const token = tokens.issue('session', CLAIMS, 1440)
  expect(tokens.read('session', token)).toEqual({
    iss: 'https://login.lender.example',
    aud: 'portico:session',
    ...CLAIMS,
    iat: 1_800_000_000,
    exp: 1_800_001_440,
    jti: 'id-0',
  })
  pass(1_439_999)
  expect(tokens.read('session', token)).toBeDefined()
  pass(1)
  expect(tokens.read('session', token)).toBeUndefined()
})

test('5 a token of one kind is not valid as the other, whichever is read first', async () => {
  const { tokens } = await anIssuer()
  const session = tokens.issue('session', CLAIMS, 1440)
  const registration = tokens.issue('registration', { sub: 'x', org: 'FIGURE' }, 1440)
  expect(tokens.read('session', session)).toBeDefined()
  expect(tokens.read('registration', registration)).toBeDefined()
  expect(tokens.read('registration', session)).toBeUndefined()
  expect(tokens.read('session', registration)).toBeUndefined()
})

test('5 a token signed by another key is invalid; ours stay valid when the installation’s address changes', async () => {
  const stores = keyStores()
  const { tokens } = await anIssuer({ stores })
  const { tokens: moved } = await anIssuer({ stores, issuer: 'https://elsewhere.example' })
  const { tokens: stranger } = await anIssuer()
  expect(moved.jwks).toEqual(tokens.jwks)
  expect(moved.read('session', tokens.issue('session', CLAIMS, 60))).toMatchObject(CLAIMS)
  expect(tokens.read('session', stranger.issue('session', CLAIMS, 60))).toBeUndefined()
})

test('11 nodes that share their stores share the key', async () => {
  const stores = keyStores()
  const [one, two] = await Promise.all([anIssuer({ stores }), anIssuer({ stores })])
  const token = one.tokens.issue('session', CLAIMS, 60)
  expect(two.tokens.read('session', token)).toMatchObject(CLAIMS)
})

test('5 a token with our header signed by another key is invalid', async () => {
  const { tokens } = await anIssuer()
  const [header = '', payload = ''] = tokens.issue('session', CLAIMS, 60).split('.')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const signature = signEs256k(`${header}.${payload}`, privateKey).toString('base64url')
  expect(tokens.read('session', `${header}.${payload}.${signature}`)).toBeUndefined()
})

test('5 any modified token is invalid, without throwing', async () => {
  const { tokens } = await anIssuer()
  const token = tokens.issue('session', CLAIMS, 60)
  fc.assert(
    fc.property(fc.nat({ max: token.length - 1 }), fc.string({ maxLength: 3 }), (at, put) => {
      const changed = token.slice(0, at) + put + token.slice(at + 1)
      expect(tokens.read('session', changed) !== undefined).toBe(changed === token)
    }),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(tokens.read('session', text)).toBeUndefined()
    }),
  )
})

test('3 the public keys state their curve and use and contain nothing private', async () => {
  const { tokens } = await anIssuer()
  expect(tokens.jwks.keys).toHaveLength(1)
  expect(Object.keys(tokens.jwks.keys[0] ?? {}).sort()).toEqual(
    ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'].sort(),
  )
})

const kidOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string })
    .kid
const kids = ({ keys }: { readonly keys: readonly object[] }) =>
  keys.map((key) => (key as { kid: string }).kid)

test('3 a signing key is published before it signs, and its predecessor verifies until its tokens expire', async () => {
  const [stores, time] = [keyStores(), { now: 1_800_000_000_000 }]
  const [one, two] = [await anIssuer({ stores, time }), await anIssuer({ stores, time })]
  const first = kidOf(one.tokens.issue('session', CLAIMS, 60))
  one.pass(SIGNING_KEY_LIFETIME_MS)
  // Both nodes find the next key due and agree on one.
  await Promise.all([one.tokens.refreshKeys(), two.tokens.refreshKeys()])
  await two.tokens.refreshKeys()
  const [, next] = kids(one.tokens.jwks)
  expect(kids(one.tokens.jwks)).toEqual([first, next])
  expect(kids(two.tokens.jwks)).toEqual([first, next])
  expect(kidOf(one.tokens.issue('session', CLAIMS, 60))).toBe(first)

  one.pass(SIGNING_KEY_PUBLISHED_MS - 1)
  const last = one.tokens.issue('registration', CLAIMS, 3600)
  one.pass(1)
  const early = two.tokens.issue('session', CLAIMS, 1440)
  expect([kidOf(last), kidOf(early)]).toEqual([first, next])
  expect(one.tokens.read('session', early)).toMatchObject(CLAIMS)

  one.pass(3_598_000)
  await one.tokens.refreshKeys()
  expect(one.tokens.read('registration', last)).toMatchObject(CLAIMS)
  one.pass(SIGNING_KEY_PUBLISHED_MS + 2000)
  await Promise.all([one.tokens.refreshKeys(), two.tokens.refreshKeys()])
  expect(kids(one.tokens.jwks)).toEqual([next])
  expect(one.tokens.read('registration', last)).toBeUndefined()
})

test('3 an installation with a years-old key gets a new one at start, and no user is logged out', async () => {
  const [stores, time] = [keyStores(), { now: 1_800_000_000_000 }]
  const before = await anIssuer({ stores, time })
  before.pass(40 * SIGNING_KEY_LIFETIME_MS)
  const token = before.tokens.issue('session', CLAIMS, 1440)
  const after = await anIssuer({ stores, time })
  expect(after.tokens.jwks.keys).toHaveLength(2)
  expect(after.tokens.read('session', token)).toMatchObject(CLAIMS)
})
