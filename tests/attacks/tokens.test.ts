import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { readIdentity, register, setPassword } from '@portico/contracts/identity'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { vault } from '../../apps/server/src/secrets/vault.ts'
import { rawRequest } from '../support/raw-request.ts'
import { aWorld, newPerson, OTHER_PASSWORD, refusal } from '../support/world.ts'
import { plainClient } from './support/plain-client.ts'

const COOKIE = 'portico-session'
const IDENTITY = '/identity/secure/api/v1/identity'
/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
const scalar = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const generated = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey

function signature(text: string, key: KeyObject): Buffer {
  const signatureBytes = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  const s = BigInt(`0x${signatureBytes.subarray(32).toString('hex')}`)
  return s > ORDER / 2n
    ? Buffer.concat([signatureBytes.subarray(0, 32), scalar(ORDER - s)])
    : signatureBytes
}

const signed = (header: unknown, payload: unknown, key: KeyObject): string => {
  const text = `${encoded(header)}.${encoded(payload)}`
  return `${text}.${signature(text, key).toString('base64url')}`
}

/** A world with a signed-in person, the parts of their token, and the installation's signing key. */
async function signedInWorld() {
  const owner = newPerson('owner')
  const MASTER_KEY = randomBytes(32).toString('base64')
  const world = await aWorld().withCustomer(owner).withSettings({ MASTER_KEY })
  const browser = world.browser()
  await browser.signIn(owner)
  const token = (browser.jwt.read() ?? '').replace('Bearer ', '')
  const [header = '', payload = '', signature = ''] = token.split('.')
  const [stored] = await world.server.stores.signingKeys.list()
  const key = createPrivateKey(vault([MASTER_KEY]).unwrap('signing key', stored?.wrapped ?? ''))
  const cookie = `${COOKIE}=${browser.cookies.get(COOKIE)}`
  return {
    world,
    browser,
    owner,
    token,
    parts: { header, payload, signature },
    header: decoded(header),
    claims: decoded(payload),
    key,
    /** The status of a call with a token and, by default, the right cookie. */
    async status(jwt: string, headers: Readonly<Record<string, string>> = { cookie }) {
      using client = plainClient(world.url)
      const answer = await client.send('GET', IDENTITY, undefined, {
        authorization: `Bearer ${jwt}`,
        ...headers,
      })
      return answer.status
    },
  }
}

test('tokens: one signed with the right key opens the session', async () => {
  const { world, header, claims, key, status, token } = await signedInWorld()
  await using _ = world
  expect(await status(token)).toBe(200)
  expect(await status(signed(header, claims, key))).toBe(200)
  expect(await status(signed(header, { ...claims, jti: 'another' }, key))).toBe(200)
})

test('tokens: another alg is refused, even with a correct signature', async () => {
  const { world, header, claims, parts, key, status } = await signedInWorld()
  await using _ = world
  const { keys } = (await (await fetch(`${world.url}/.well-known/jwks.json`)).json()) as {
    keys: object[]
  }
  const publicPem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  for (const alg of [
    'none',
    'None',
    'NONE',
    'nOnE',
    '',
    null,
    undefined,
    [],
    ['ES256K'],
    'es256k',
  ]) {
    const name = JSON.stringify(alg)
    const text = `${encoded({ ...header, alg })}.${parts.payload}`
    expect(await status(`${text}.`), `${name} unsigned`).toBe(401)
    expect(await status(text), `${name} in two parts`).toBe(401)
    expect(await status(signed({ ...header, alg }, claims, key)), `${name} signed`).toBe(401)
  }
  for (const alg of ['HS256', 'HS384', 'HS512']) {
    const text = `${encoded({ ...header, alg })}.${parts.payload}`
    for (const secret of [JSON.stringify(keys[0]), JSON.stringify({ keys }), publicPem, '']) {
      const mac = createHmac(alg.replace('HS', 'sha'), secret).update(text).digest('base64url')
      expect(await status(`${text}.${mac}`), alg).toBe(401)
      const underOurName = createHmac('sha256', secret).update(`${parts.header}.${parts.payload}`)
      expect(
        await status(`${parts.header}.${parts.payload}.${underOurName.digest('base64url')}`),
      ).toBe(401)
    }
  }
  for (const alg of ['ES256', 'ES384', 'ES512', 'PS256', 'RS256', 'EdDSA']) {
    expect(await status(signed({ ...header, alg }, claims, key)), alg).toBe(401)
  }
  expect(await status(signed({ ...header, alg: 'ES256' }, claims, generated('prime256v1')))).toBe(
    401,
  )
  expect(await status(signed(header, claims, generated('prime256v1')))).toBe(401)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const text = `${encoded({ ...header, alg: 'PS256' })}.${parts.payload}`
  const pss = sign('sha256', Buffer.from(text), {
    key: rsa,
    padding: constants.RSA_PKCS1_PSS_PADDING,
  })
  expect(await status(`${text}.${pss.toString('base64url')}`)).toBe(401)
})

test('tokens: another key is refused, whatever kid, jwk, jku or x5c say', async () => {
  const { world, header, claims, key, status } = await signedInWorld()
  await using _ = world
  const other = generated('secp256k1')
  const jwk = other.export({ format: 'jwk' })
  const tricks = {
    'our kid': header,
    'no kid': { ...header, kid: undefined },
    'an empty kid': { ...header, kid: '' },
    'a path': { ...header, kid: '../../../../dev/null' },
    'a query': { ...header, kid: "x' union select 'key" },
    'a list': { ...header, kid: [header['kid']] },
    'a property of every object': { ...header, kid: '__proto__' },
    'its own key': { ...header, jwk },
    'its own key under our kid': { ...header, jwk: { ...jwk, kid: header['kid'] } },
    'a key set URL': { ...header, jku: `${world.url}/.well-known/jwks.json` },
    'a certificate': { ...header, x5c: ['MIIB'], x5u: 'http://127.0.0.1:1/key' },
    critical: { ...header, crit: ['b64'], b64: false },
  }
  for (const [what, each] of Object.entries(tricks)) {
    expect(await status(signed(each, claims, other)), what).toBe(401)
    if (what !== 'our kid')
      expect(await status(signed(each, claims, key)), `${what} signed`).toBe(401)
  }
  const { alg, typ, kid } = header
  expect(await status(signed({ kid, typ, alg }, claims, key)), 'another order').toBe(401)
})

test('tokens: another audience or kind, or incomplete claims, are refused despite the right key', async () => {
  const { world, browser, owner, header, claims, key, status } = await signedInWorld()
  await using _ = world
  const changes: Record<string, Record<string, unknown>> = {
    'no issuer': { iss: undefined },
    'issuers in a list': { iss: [claims['iss']] },
    audience: { aud: 'portico:registration' },
    'audiences in a list': { aud: ['portico:session'] },
    'no audience': { aud: undefined },
    expired: { exp: Math.floor(world.clock.now() / 1000) - 1 },
    'an expiry that is not a number': { exp: '9999999999' },
    'no expiry': { exp: undefined },
    'a null expiry': { exp: null },
    'another person': { sub: '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10' },
    'no person': { sub: undefined },
  }
  for (const [what, change] of Object.entries(changes)) {
    expect(await status(signed(header, { ...claims, ...change }, key)), what).toBe(401)
  }
  for (const change of [
    { sid: undefined },
    { sid: '' },
    { sid: '6d1f2c0e' },
    { sid: 'undefined' },
  ]) {
    expect([401, 403], JSON.stringify(change)).toContain(
      await status(signed(header, { ...claims, ...change }, key)),
    )
  }
  for (const typ of ['registration+jwt', 'JWT', 'session', '', undefined]) {
    expect(await status(signed({ ...header, typ }, claims, key)), `${typ}`).toBe(401)
  }
  const { jwt } = await browser.call(register, { body: { email: owner.email } })
  expect(await status(jwt), 'the token of a registration').toBe(401)
})

test('tokens: one without its cookie, or with another session’s cookie, is worthless', async () => {
  const { world, browser, owner, token, status } = await signedInWorld()
  await using _ = world
  const own = browser.cookies.get(COOKIE) ?? ''
  const [id = '', secret = ''] = own.split('.')
  expect(await status(token, {}), 'no cookie').toBe(403)

  // The same person in another browser, and another person.
  const [elsewhere, stranger] = [world.browser(), world.browser()]
  await elsewhere.signIn(owner)
  await stranger.register(newPerson('stranger'))
  const [otherId = '', otherSecret = ''] = (elsewhere.cookies.get(COOKIE) ?? '').split('.')
  const cookies = [
    elsewhere.cookies.get(COOKIE) ?? '',
    stranger.cookies.get(COOKIE) ?? '',
    `${id}.${otherSecret}`,
    `${otherId}.${secret}`,
    `${id}.`,
    `${id}.undefined`,
    `${id}.${secret.slice(0, -1)}`,
    `${id}.${secret}A`,
    `.${secret}`,
    secret,
    id,
    `%${own}`,
    `"${own}"`,
    own.toUpperCase(),
  ]
  for (const cookie of cookies) {
    expect([401, 403], cookie).toContain(await status(token, { cookie: `${COOKIE}=${cookie}` }))
  }
  for (const name of ['portico-Session', '__Host-portico-session', 'session', `x${COOKIE}`]) {
    expect(await status(token, { cookie: `${name}=${own}` }), name).toBe(403)
  }
  expect(await status(token), 'its own').toBe(200)
})

test('tokens: a revoked session is refused at once, however it was revoked', async () => {
  for (const how of ['logged out', 'password changed elsewhere', 'locked'] as const) {
    const { world, browser, owner, token, status } = await signedInWorld()
    await using _ = world
    expect(await status(token), how).toBe(200)
    if (how === 'logged out') await browser.logOut()
    if (how === 'locked') await world.lock(owner.email)
    if (how === 'password changed elsewhere') {
      const elsewhere = world.browser()
      await elsewhere.signIn(owner)
      await elsewhere.confirm(owner)
      await elsewhere.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
    }
    expect(await status(token), how).toBe(401)
  }
})

test('tokens: one in a query, a body, a cookie or another header is ignored', async () => {
  const { world, browser, token } = await signedInWorld()
  await using _ = world
  using client = plainClient(world.url)
  const cookie = `${COOKIE}=${browser.cookies.get(COOKIE)}`
  for (const name of ['token', 'jwt', 'access_token', 'authorization', 'Authorization']) {
    const path = `${IDENTITY}?${name}=${token}`
    const response = await client.send('GET', path, undefined, { cookie })
    expect([400, 401], name).toContain(response.status)
    const bearer = await client.send('GET', `${IDENTITY}?${name}=Bearer%20${token}`, undefined, {
      cookie,
    })
    expect([400, 401], name).toContain(bearer.status)
  }
  for (const headers of [
    { 'x-access-token': token },
    { 'x-authorization': `Bearer ${token}` },
    { authorization: token },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer  ${token}` },
    { authorization: `Bearer ${token} x` },
    { authorization: `Bearer ${token}, Bearer ${token}` },
    { 'proxy-authorization': `Bearer ${token}` },
  ]) {
    const response = await client.send('GET', IDENTITY, undefined, { cookie, ...headers })
    expect(response.status, JSON.stringify(headers)).toBe(401)
  }
  const inCookie = await client.send('GET', IDENTITY, undefined, {
    cookie: `${cookie}; jwt=${token}; authorization=Bearer ${token}`,
  })
  expect(inCookie.status).toBe(401)
  const inBody = await client.send('PUT', '/identity/secure/api/v1/pw', {
    newPassword: OTHER_PASSWORD,
    token,
    jwt: token,
  })
  expect(inBody.status).toBe(401)
})

test('tokens: high-S, short, long and malformed signatures are refused without an internal error', async () => {
  const { world, parts, status, key } = await signedInWorld()
  await using _ = world
  const bytes = Buffer.from(parts.signature, 'base64url')
  const [r, s] = [bytes.subarray(0, 32), bytes.subarray(32)]
  const highS = scalar(ORDER - BigInt(`0x${s.toString('hex')}`))
  const text = `${parts.header}.${parts.payload}`
  const der = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'der' })
  const zero = Buffer.alloc(32)
  const full = Buffer.alloc(32, 0xff)
  const signatures: Record<string, Buffer> = {
    'high S': Buffer.concat([r, highS]),
    DER: der,
    empty: Buffer.alloc(0),
    'a byte short': bytes.subarray(1),
    'a byte less': bytes.subarray(0, 63),
    'a byte more': Buffer.concat([bytes, Buffer.alloc(1)]),
    'a byte before': Buffer.concat([Buffer.alloc(1), bytes]),
    'half of it': r,
    'twice it': Buffer.concat([bytes, bytes]),
    'only zeros': Buffer.alloc(64),
    'r is zero': Buffer.concat([zero, s]),
    's is zero': Buffer.concat([r, zero]),
    'r is the order': Buffer.concat([scalar(ORDER), s]),
    's is the order': Buffer.concat([r, scalar(ORDER)]),
    'r is beyond the order': Buffer.concat([full, s]),
    'all ones': Buffer.concat([full, full]),
    'r and s swapped': Buffer.concat([s, r]),
    'a kilobyte': randomBytes(1000),
  }
  for (const [what, each] of Object.entries(signatures)) {
    expect(await status(`${text}.${each.toString('base64url')}`), what).toBe(401)
  }
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 60, maxLength: 66 }), async (noise) => {
      expect(await status(`${text}.${Buffer.from(noise).toString('base64url')}`)).toBe(401)
    }),
    { numRuns: 50 },
  )
})

test('tokens: only the canonical base64 spelling is accepted', async () => {
  const { world, token, parts, status } = await signedInWorld()
  await using _ = world
  const { header, payload, signature } = parts
  const bytes = Buffer.from(signature, 'base64url')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // The last base64 character of 64 bytes has four unused bits, so several spellings decode to the same bytes.
  const twins = alphabet
    .split('')
    .filter(
      (last) =>
        last !== signature.at(-1) &&
        Buffer.from(signature.slice(0, -1) + last, 'base64url').equals(bytes),
    )
  expect(twins.length).toBeGreaterThan(0)
  const spellings = [
    ...twins.map((last) => `${header}.${payload}.${signature.slice(0, -1)}${last}`),
    `${token}=`,
    `${token}==`,
    `${header}=.${payload}.${signature}`,
    `${header}.${payload}=.${signature}`,
    `${header}.${payload}.${bytes.toString('base64')}`,
    `${header}.${payload}.${bytes.toString('hex')}`,
    `${header}..${payload}.${signature}`,
    `.${token}`,
    `${token}.`,
    `${header}.${payload}.${signature}.${signature}`,
    `${header}.${payload}`,
    `${header} .${payload}.${signature}`,
    `${header}.${payload}.${signature.slice(0, 40)}-${signature.slice(40)}`,
    `${encoded({ ...decoded(header), extra: 1 })}.${payload}.${signature}`,
    token.replaceAll('.', '%2e'),
  ]
  for (const each of spellings) expect(await status(each), each).toBe(401)
  expect(await status(token)).toBe(200)
})

test('tokens: huge and endless ones are refused like any other', async () => {
  const { world, browser, header, claims, key, parts, status } = await signedInWorld()
  await using _ = world
  const huge = {
    'a correctly signed payload of ten kilobytes': signed(
      header,
      { ...claims, x: 'x'.repeat(7000) },
      key,
    ),
    'five thousand dots': '.'.repeat(5000),
    'ten thousand letters': 'a'.repeat(10_000),
    'a long signature': `${parts.header}.${parts.payload}.${'A'.repeat(10_000)}`,
  }
  for (const [what, each] of Object.entries(huge)) expect(await status(each), what).toBe(401)
  const beyond = await rawStatus(world.url, `authorization: Bearer ${'a'.repeat(20_000)}`)
  expect(beyond).toBe(413)
  expect((await browser.call(readIdentity, {})).passwordExpired).toBe(false)
  expect((await refusal(world.browser().call(readIdentity, {}))).status).toBe(401)
})

/** The status of a request with an oversized header. */
async function rawStatus(url: string, header: string): Promise<number> {
  const answer = await rawRequest(
    url,
    `GET ${IDENTITY} HTTP/1.1\r\nHost: x\r\n${header}\r\nConnection: close\r\n\r\n`,
  )
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
}
