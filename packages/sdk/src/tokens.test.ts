import { createHmac } from 'node:crypto'
import { generateKeyPair } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { CLIENT, fakeProvider } from './fake-provider.ts'
import { openTokens, type Tokens } from './tokens.ts'

let provider: Awaited<ReturnType<typeof fakeProvider>>
let tokens: Tokens
beforeAll(async () => {
  provider = await fakeProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())
afterEach(() => void vi.useRealTimers())
beforeEach(() => {
  tokens = openTokens({ issuer: provider.issuer, ...CLIENT })
})

const now = () => Math.floor(Date.now() / 1000)
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const INVALID = expect.objectContaining({ code: 'invalid-token' })
const INVALID_LOGOUT = expect.objectContaining({ code: 'invalid-logout-token' })

test('an ID token of this application is accepted, and metadata and keys are requested once', async () => {
  const before = provider.requests.length
  const claims = await tokens.verifyIdToken(await provider.idToken())
  expect(claims).toMatchObject({ sub: 'user-1', sid: 'session-1', acr: 'one-factor' })
  await Promise.all([1, 2, 3].map(async () => tokens.verifyIdToken(await provider.idToken())))
  expect(provider.requests.length - before).toBe(2)
})

test.each([
  ['of another application', { claims: { aud: 'other-app' } }],
  ['also of another application', { claims: { aud: [CLIENT.clientId, 'other-app'] } }],
  ['of another issuer', { claims: { iss: 'https://evil.example/oidc' } }],
  ['that has expired', { claims: { exp: now() - 60 } }],
  ['without an expiry', { claims: { exp: undefined } }],
  ['without a user', { claims: { sub: undefined } }],
  ['that is a logout token', { claims: { events: {} } }],
])('an ID token %s is refused', async (_what, issued) => {
  await expect(tokens.verifyIdToken(await provider.idToken(issued))).rejects.toEqual(INVALID)
})

test('forged ID tokens are refused: no algorithm, HS256 with the public key, another key, a changed payload', async () => {
  const valid = await provider.idToken()
  const [header = '', payload = '', signature = ''] = valid.split('.')
  const hmac = (text: string, key: string) =>
    createHmac('sha256', key).update(text).digest('base64url')
  const symmetric = `${encoded({ alg: 'HS256', kid: 'first' })}.${payload}`
  const { privateKey } = await generateKeyPair('ES256')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  for (const forged of [
    `${encoded({ alg: 'none' })}.${payload}.`,
    `${encoded({ alg: 'none', kid: 'first' })}.${payload}.${signature}`,
    `${symmetric}.${hmac(symmetric, JSON.stringify(provider.publicJwk))}`,
    await provider.idToken({ key: privateKey }),
    `${header}.${encoded({ ...claims, sub: 'user-2' })}.${signature}`,
    `${valid}x`,
    'x'.repeat(100_000),
    '..',
    '',
  ]) {
    await expect(tokens.verifyIdToken(forged)).rejects.toEqual(INVALID)
  }
})

test('a login that does not meet the requirement needs a step up', async () => {
  const stepUp = expect.objectContaining({ code: 'step-up-required' })
  const recent = await provider.idToken({ claims: { acr: 'two-factor' } })
  const old = await provider.idToken({ claims: { acr: 'two-factor', auth_time: now() - 600 } })
  const required = { acr: 'two-factor', maxAgeS: 300 } as const
  expect(await tokens.verifyIdToken(recent, required)).toMatchObject({ acr: 'two-factor' })
  await expect(tokens.verifyIdToken(old, required)).rejects.toEqual(stepUp)
  await expect(tokens.verifyIdToken(await provider.idToken(), required)).rejects.toEqual(stepUp)
})

test('unknown keys are looked up at most every 30 seconds, and a new key is found', async () => {
  await tokens.verifyIdToken(await provider.idToken())
  const requests = () => provider.requestsOf('jwks').length
  const before = requests()
  const forged = await provider.idToken({ header: { kid: 'unknown' } })
  for (let count = 0; count < 5; count += 1) {
    await expect(tokens.verifyIdToken(forged)).rejects.toEqual(INVALID)
  }
  expect(requests() - before).toBe(0)
  provider.keys.push({ ...provider.publicJwk, kid: 'second' })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  const rotated = await provider.idToken({ header: { kid: 'second' } })
  expect(await tokens.verifyIdToken(rotated)).toMatchObject({ sub: 'user-1' })
  expect(requests() - before).toBe(1)
})

test('an access token is introspected at Portico, and only this client’s are accepted', async () => {
  const answer = {
    active: true,
    client_id: CLIENT.clientId,
    token_type: 'Bearer',
    sub: 'user-1',
    scope: 'openid email',
    exp: now() + 600,
  }
  const introspect = (changes: object) =>
    provider.answers.set('/oidc/introspect', () => ({ ...answer, ...changes }))
  introspect({})
  expect(await tokens.verifyAccessToken('opaque')).toMatchObject({ sub: 'user-1' })
  const before = provider.requests.length
  // A JWT is refused without a request.
  await expect(tokens.verifyAccessToken(await provider.idToken())).rejects.toEqual(INVALID)
  expect(provider.requests.length).toBe(before)
  for (const changes of [{ active: false }, { client_id: 'other' }, { token_type: undefined }]) {
    introspect(changes)
    await expect(tokens.verifyAccessToken('opaque')).rejects.toEqual(INVALID)
  }
})

test('a logout token is accepted once', async () => {
  const token = await provider.logoutToken()
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => tokens.verifyLogoutToken(token)))
  const accepted = outcomes.filter(({ status }) => status === 'fulfilled')
  expect(accepted).toEqual([{ status: 'fulfilled', value: { sid: 'session-1' } }])
  await expect(tokens.verifyLogoutToken(token)).rejects.toEqual(INVALID_LOGOUT)
})

test.each([
  ['with a nonce', { claims: { nonce: 'nonce' } }],
  ['without the event', { claims: { events: { other: {} } } }],
  ['with an event that is a text', { claims: { events: 'backchannel-logout' } }],
  ['without a session', { claims: { sid: undefined } }],
  ['without an ID', { claims: { jti: undefined } }],
  ['of an hour ago', { claims: { iat: now() - 3600 } }],
  ['of another application', { claims: { aud: 'other-app' } }],
  ['of another type', { header: { typ: 'JWT' } }],
])('a logout token %s is refused', async (_what, issued) => {
  const token = await provider.logoutToken(issued)
  await expect(tokens.verifyLogoutToken(token)).rejects.toEqual(INVALID_LOGOUT)
})

test('an unresponsive Portico does not make a token invalid, and is asked again', async () => {
  const description = provider.answers.get('/oidc/.well-known/openid-configuration')
  provider.answers.delete('/oidc/.well-known/openid-configuration')
  const token = await provider.idToken()
  await expect(tokens.verifyIdToken(token)).rejects.toMatchObject({ code: 'unavailable' })
  provider.answers.set('/oidc/.well-known/openid-configuration', description ?? (() => ({})))
  expect(await tokens.verifyIdToken(token)).toMatchObject({ sub: 'user-1' })
})

test('an issuer without TLS is refused, except on this machine', () => {
  for (const issuer of ['http://login.lender.example/oidc', 'http://localhost.evil.example', 'x']) {
    expect(() => openTokens({ ...CLIENT, issuer })).toThrow(/issuer .* must begin with https/)
  }
})
