import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import jwts from '../vectors/jwt.json' with { type: 'json' }
import protocol from '../vectors/protocol.json' with { type: 'json' }
import { addressOf } from './bech32-address.ts'
import { base64Of, base64urlOf, bytesOfBase64, bytesOfHex, hexOf } from './bytes.ts'
import { completeJwt, readJwt, signJwt, unsignedJwt, verifyJwt } from './jwt.ts'
import { publicKeyOf, sign } from './signature.ts'

const NOW = 1_700_000_000
const ISSUER = 'portico.example'
const REQUIREMENTS = { now: NOW, issuer: ISSUER, prefix: 'tp' }
const GROUP = 'tp1qqqsyqcyq5rqwzqf5x328f9956n632ds27t4tf'

const utf8 = (text: string) => new TextEncoder().encode(text)
const keyOf = (byte: number) => new Uint8Array(32).fill(byte)
const PRIVATE_KEY = keyOf(1)
const PUBLIC_KEY = publicKeyOf(PRIVATE_KEY)
const CLAIMS = {
  sub: base64Of(PUBLIC_KEY),
  iss: ISSUER,
  iat: NOW,
  exp: NOW + 1440,
  addr: addressOf(PUBLIC_KEY, 'tp'),
}

/** A token with any content, signed with our key by default. */
function token(
  payload: object | string,
  header: object | string = { alg: 'ES256K', typ: 'JWT' },
  key = PRIVATE_KEY,
) {
  const [head, body] = [header, payload].map((part) =>
    base64urlOf(utf8(typeof part === 'string' ? part : JSON.stringify(part))),
  )
  const unsigned = `${head}.${body}`
  return completeJwt(unsigned, sign(key, utf8(unsigned)))
}

const refusal = (text: string, options: Parameters<typeof verifyJwt>[1] = REQUIREMENTS) => {
  const verdict = verifyJwt(text, options)
  return verdict.ok ? undefined : verdict.reason
}

test('3 the published token is reproduced exactly', () => {
  const { privateKeyB64, jwt, iss, iat, exp, addr } = protocol.jwts.exact
  const privateKey = bytesOfBase64(privateKeyB64) ?? new Uint8Array()
  expect(signJwt(privateKey, { iss, iat, exp, addr })).toBe(jwt)
  expect(verifyJwt(jwt, { now: iat, issuer: iss, prefix: 'tp' })).toMatchObject({
    ok: true,
    claims: { iss, iat, exp, addr },
  })
})

test('3 a published token with an address of another key is refused', () => {
  const { jwt, iat } = protocol.jwts.foreignAddress
  expect(refusal(jwt, { now: iat })).toBe('address')
})

test.each(jwts.vectors.filter(({ addrMatchesKey }) => addrMatchesKey))(
  '3 a published token is accepted during its lifetime: $name',
  ({ jwt, publicKeyHex }) => {
    const { iat = 0, exp = 0, addr } = readJwt(jwt)?.claims ?? {}
    const verdict = verifyJwt(jwt, { now: iat, issuer: 'provenance.io', prefix: 'tp' })
    expect(verdict).toMatchObject({ ok: true, claims: { addr } })
    expect(verdict.ok && hexOf(verdict.publicKey)).toBe(publicKeyHex)
    expect(refusal(jwt, { now: exp })).toBe('expired')
  },
)

test.each(jwts.vectors.filter(({ addrMatchesKey }) => !addrMatchesKey))(
  '3 a published token of another kind is decoded but refused: $name',
  ({ jwt }) => {
    expect(readJwt(jwt)?.signature).toHaveLength(64)
    expect(refusal(jwt, { now: NOW })).toBe('key')
  },
)

test('3 a published token is reproduced from its key', () => {
  const vector = jwts.vectors.find(({ privateKeyB64 }) => privateKeyB64 !== undefined)
  const privateKey = bytesOfBase64(vector?.privateKeyB64 ?? '') ?? new Uint8Array()
  const { iss = '', iat = 0, exp = 0, addr = '' } = readJwt(vector?.jwt ?? '')?.claims ?? {}
  expect(signJwt(privateKey, { iss, iat, exp, addr })).toBe(vector?.jwt)
})

test('3 a wallet that only signs bytes gives the same token', () => {
  const unsigned = unsignedJwt(CLAIMS)
  const signed = completeJwt(unsigned, sign(PRIVATE_KEY, utf8(unsigned)))
  expect(signed).toBe(signJwt(PRIVATE_KEY, CLAIMS))
})

test('3 claims are in the order sub iss iat exp addr grp, and grp is absent without a group', () => {
  const shuffled = { grp: GROUP, addr: CLAIMS.addr, exp: 2, iat: 1, iss: ISSUER, sub: CLAIMS.sub }
  const payload = (text: string) => atob(text.split('.')[1] ?? '')
  expect(payload(unsignedJwt(shuffled))).toBe(
    `{"sub":"${CLAIMS.sub}","iss":"${ISSUER}","iat":1,"exp":2,"addr":"${CLAIMS.addr}","grp":"${GROUP}"}`,
  )
  expect(payload(unsignedJwt(CLAIMS))).not.toContain('grp')
})

test('3 a token signed by any key verifies, with that key and its claims', () => {
  const aKey = fc.integer({ min: 1, max: 254 }).map(keyOf)
  fc.assert(
    fc.property(
      aKey,
      fc.constantFrom('pb', 'tp', 'cosmos'),
      fc.boolean(),
      (key, prefix, hasGroup) => {
        const addr = addressOf(publicKeyOf(key), prefix)
        const grp = addressOf(publicKeyOf(keyOf(9)), prefix)
        const claims = { iss: ISSUER, iat: NOW, exp: NOW + 1, addr, ...(hasGroup && { grp }) }
        const sub = base64Of(publicKeyOf(key))
        expect(verifyJwt(signJwt(key, claims), { now: NOW, prefix })).toEqual({
          ok: true,
          claims: { sub, ...claims },
          publicKey: publicKeyOf(key),
        })
      },
    ),
    { numRuns: 30 },
  )
})

test('3 the subject may be base64 or base64url', () => {
  // A key with base64 letters that differ between the alphabets; 33 bytes never need padding.
  const key = Array.from({ length: 200 }, (_, index) => keyOf(index + 1)).find((key) =>
    /[+/]/.test(base64Of(publicKeyOf(key))),
  )
  const publicKey = publicKeyOf(key ?? PRIVATE_KEY)
  const claims = { ...CLAIMS, addr: addressOf(publicKey, 'tp') }
  const variants = [base64Of(publicKey), base64urlOf(publicKey)]
  expect(new Set(variants).size).toBe(2)
  for (const sub of variants)
    expect(refusal(signJwt(key ?? PRIVATE_KEY, { ...claims, sub }))).toBe(undefined)
})

test.each<[string, object | string, string]>([
  ['none', { alg: 'none' }, 'algorithm'],
  ['a shared secret', { alg: 'HS256', typ: 'JWT' }, 'algorithm'],
  ['another curve', { alg: 'ES256', typ: 'JWT' }, 'algorithm'],
  ['the right name in another case', { alg: 'es256k', typ: 'JWT' }, 'algorithm'],
  ['nothing', { typ: 'JWT' }, 'malformed'],
  ['a number', { alg: 256 }, 'malformed'],
  ['two algorithms', '{"alg":"none","alg":"ES256K"}', 'malformed'],
  ['an extension that is critical', { alg: 'ES256K', crit: ['b64'], b64: false }, 'malformed'],
  ['another kind of token', { alg: 'ES256K', typ: 'at+jwt' }, 'type'],
  ['a list', [], 'malformed'],
])('3 a header with %s is refused', (_, header, reason) => {
  expect(refusal(token(CLAIMS, header))).toBe(reason)
})

test('3 a header may omit its type', () => {
  expect(refusal(token(CLAIMS, { alg: 'ES256K' }))).toBe(undefined)
})

const { addr: _addr, ...withoutAddr } = CLAIMS
const { iss: _iss, ...withoutIss } = CLAIMS
const { exp: _exp, ...withoutExp } = CLAIMS
const { iat: _iat, ...withoutIat } = CLAIMS
const { sub: _sub, ...withoutSub } = CLAIMS

test.each<[string, object | string, string]>([
  ['another issuer', { ...CLAIMS, iss: 'provenance.io' }, 'issuer'],
  ['no issuer', withoutIss, 'issuer'],
  ['an expiry of now', { ...CLAIMS, iat: NOW - 9, exp: NOW }, 'expired'],
  ['an expiry long past', { ...CLAIMS, iat: 1, exp: 2 }, 'expired'],
  ['no expiry', withoutExp, 'malformed'],
  ['an expiry as text', { ...CLAIMS, exp: 'never' }, 'malformed'],
  ['an infinite expiry', `{"sub":"${CLAIMS.sub}","exp":1e999}`, 'malformed'],
  ['no issue time', withoutIat, 'malformed'],
  ['an issue time beyond the leeway', { ...CLAIMS, iat: NOW + 61 }, 'not-yet'],
  ['not before some later time', { ...CLAIMS, nbf: NOW + 61 }, 'not-yet'],
  ['no address', withoutAddr, 'missing-addr'],
  ['an empty address', { ...CLAIMS, addr: '' }, 'missing-addr'],
  ['an address of null', { ...CLAIMS, addr: null }, 'missing-addr'],
  ['an address that is a number', { ...CLAIMS, addr: 1 }, 'malformed'],
  ['an invalid address', { ...CLAIMS, addr: 'tp1x' }, 'address'],
  ["another key's address", { ...CLAIMS, addr: addressOf(publicKeyOf(keyOf(2)), 'tp') }, 'address'],
  ['the address of a group policy', { ...CLAIMS, addr: GROUP }, 'address'],
  ['an address of the other network', { ...CLAIMS, addr: addressOf(PUBLIC_KEY, 'pb') }, 'prefix'],
  ['two addresses', JSON.stringify(CLAIMS).replace('{', `{"addr":"${GROUP}",`), 'malformed'],
  ['no key', withoutSub, 'key'],
  ['an invalid key', { ...CLAIMS, sub: 'AAAA' }, 'key'],
  ['a key off the curve', { ...CLAIMS, sub: base64Of(Uint8Array.of(2, ...keyOf(0))) }, 'signature'],
  ["another's key", { ...CLAIMS, sub: base64Of(publicKeyOf(keyOf(2))) }, 'signature'],
  ['a group that is not an address', { ...CLAIMS, grp: 'everyone' }, 'group'],
  ['a group of the other network', { ...CLAIMS, grp: addressOf(PUBLIC_KEY, 'pb') }, 'group'],
  ['a list', [CLAIMS], 'malformed'],
  ['nothing', '', 'malformed'],
])('3 a token with %s is refused', (_, payload, reason) => {
  expect(refusal(token(payload))).toBe(reason)
})

test('3 the address may be upper case and is returned in lower case', () => {
  const verdict = verifyJwt(token({ ...CLAIMS, addr: CLAIMS.addr.toUpperCase() }), REQUIREMENTS)
  expect(verdict).toMatchObject({ ok: true, claims: { addr: CLAIMS.addr } })
})

test('3 a wallet that acts for no group may write null', () => {
  const verdict = verifyJwt(token({ ...CLAIMS, grp: null }), REQUIREMENTS)
  expect(verdict.ok && 'grp' in verdict.claims).toBe(false)
  expect(verdict.ok).toBe(true)
})

test("3 a wallet's clock may be a minute ahead, which does not extend the lifetime", () => {
  const early = signJwt(PRIVATE_KEY, { ...CLAIMS, iat: NOW + 60 })
  expect(refusal(early)).toBe(undefined)
  expect(refusal(early, { ...REQUIREMENTS, leewayS: 0 })).toBe('not-yet')
  expect(refusal(early, { ...REQUIREMENTS, now: CLAIMS.exp - 1 })).toBe(undefined)
  expect(refusal(early, { ...REQUIREMENTS, now: CLAIMS.exp })).toBe('expired')
})

test('3 a clock of NaN refuses every token', () => {
  expect(refusal(signJwt(PRIVATE_KEY, CLAIMS), { ...REQUIREMENTS, now: Number.NaN })).toBe(
    'not-yet',
  )
})

test('3 one of several issuers is accepted, and any issuer by default', () => {
  const signed = signJwt(PRIVATE_KEY, CLAIMS)
  expect(refusal(signed, { now: NOW, issuer: ['provenance.io', ISSUER] })).toBe(undefined)
  expect(refusal(signed, { now: NOW, issuer: [] })).toBe('issuer')
  expect(refusal(signed, { now: NOW })).toBe(undefined)
})

test('3 a forged token is refused for its signature, and nothing about its claims is revealed', () => {
  const forged = token({ ...CLAIMS, exp: 1, iss: 'x' }, undefined, keyOf(2))
  expect(refusal(forged)).toBe('signature')
})

test('3 the signature has exactly 64 bytes and low S', () => {
  const unsigned = unsignedJwt(CLAIMS)
  const signature = sign(PRIVATE_KEY, utf8(unsigned))
  const order = BigInt('0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141')
  const highS = (order - BigInt(`0x${hexOf(signature.subarray(32))}`))
    .toString(16)
    .padStart(64, '0')
  const wrong = [
    new Uint8Array(),
    signature.subarray(0, 63),
    Uint8Array.of(...signature, 0),
    new Uint8Array(64),
    Uint8Array.of(...signature.subarray(0, 32), ...(bytesOfHex(highS) ?? [])),
  ]
  for (const each of wrong) expect(refusal(completeJwt(unsigned, each))).toBe('signature')
})

test('3 parts that are missing, too many, padded or of the other alphabet are malformed', () => {
  const signed = signJwt(PRIVATE_KEY, CLAIMS)
  const [header = '', payload = '', signature = ''] = signed.split('.')
  const wrong = [
    '',
    '..',
    header,
    `${header}.${payload}`,
    `.${payload}.${signature}`,
    `${header}..${signature}`,
    `${signed}.`,
    `${signed}.${signature}`,
    `${header}.${signed}`,
    ` ${signed}`,
    `${signed}\n`,
    `Bearer ${signed}`,
    `${signed}==`,
    `${header}.${payload}=.${signature}`,
    `${header}.${base64urlOf(Uint8Array.of(0x7b, 0xff, 0x7d))}.${signature}`,
    `${header}.${base64urlOf(utf8('\uFEFF{}'))}.${signature}`,
    'a'.repeat(20_000),
  ]
  for (const each of wrong) expect(refusal(each), each).toBe('malformed')
})

test('3 every changed letter of a token is detected', () => {
  const signed = signJwt(PRIVATE_KEY, CLAIMS)
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/'.split('')
  fc.assert(
    fc.property(fc.nat(signed.length - 1), fc.constantFrom(...letters), (at, letter) => {
      fc.pre(signed[at] !== letter)
      expect(verifyJwt(signed.slice(0, at) + letter + signed.slice(at + 1), REQUIREMENTS).ok).toBe(
        false,
      )
    }),
  )
})

test('3 decoding and verifying never throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string()), (anything) => {
      expect(readJwt(anything as string)).toBeUndefined()
      expect(refusal(anything as string)).toBe('malformed')
    }),
  )
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.uint8Array(), (header, payload, signature) => {
      const [head, body] = [header, payload].map((part) => base64urlOf(utf8(JSON.stringify(part))))
      expect(verifyJwt(`${head}.${body}.${base64urlOf(signature)}`, REQUIREMENTS).ok).toBe(false)
    }),
  )
  const claim = fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(CLAIMS)))
  const payload = fc.record(
    { sub: claim, iss: claim, iat: claim, exp: claim, addr: claim, grp: claim, nbf: claim },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(payload, (claims) => {
      const verdict = verifyJwt(token(claims), REQUIREMENTS)
      if (verdict.ok) expect(verdict.claims.addr).toBe(CLAIMS.addr)
    }),
  )
})

test('3 a property of the prototype is not a claim', () => {
  const inherited = `{"__proto__":${JSON.stringify(CLAIMS)}}`
  expect(readJwt(token(inherited))?.claims).toEqual({})
})
