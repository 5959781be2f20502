import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unsignedJwt } from './make-jwt.ts'
import { isTransactionToSign } from './transaction-bytes.ts'

const text = (plain: string) => new TextEncoder().encode(plain)

/** A varint, padded with this many empty groups: not canonical, but still parsed. */
function varint(value: number, padding = 0): number[] {
  const groups: number[] = []
  for (let rest = value; rest > 0 || groups.length === 0; rest = Math.floor(rest / 128)) {
    groups.push(rest % 128)
  }
  while (padding-- > 0) groups.push(0)
  return groups.map((group, index) => (index < groups.length - 1 ? group | 0x80 : group))
}

const padding = fc.nat({ max: 3 })
const content = fc.uint8Array({ maxLength: 24 })

/** A length-delimited field, possibly with a non-canonical length. */
const delimited = (number: fc.Arbitrary<number>) =>
  fc
    .tuple(number, content, padding, padding)
    .map(([field, bytes, one, other]) => [
      ...varint(field * 8 + 2, one),
      ...varint(bytes.length, other),
      ...bytes,
    ])

/** Other fields that parsers skip: varints, fixed-size fields and groups. */
const other = fc.oneof(
  delimited(fc.integer({ min: 1, max: 2000 })),
  fc
    .tuple(fc.integer({ min: 3, max: 90 }), fc.nat())
    .map(([n, v]) => [...varint(n * 8), ...varint(v)]),
  fc.integer({ min: 3, max: 90 }).map((n) => [...varint(n * 8 + 1), 1, 2, 3, 4, 5, 6, 7, 8]),
  fc.integer({ min: 3, max: 90 }).map((n) => [...varint(n * 8 + 5), 1, 2, 3, 4]),
  fc.integer({ min: 3, max: 90 }).map((n) => [...varint(n * 8 + 3), 8, 1, ...varint(n * 8 + 4)]),
)

test('protocol 9.1: a SignDoc in any order, with repeated, empty, unknown or non-canonical fields, is not a message', () => {
  fc.assert(
    fc.property(
      delimited(fc.constant(1)),
      delimited(fc.constant(2)),
      fc.array(other, { maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
      (body, authInfo, others, order) => {
        const fields = [body, authInfo, ...others]
          .map((bytes) => ({ bytes, at: order.next().value }))
          .toSorted((a, b) => a.at - b.at)
          .flatMap(({ bytes }) => bytes)
        expect(isTransactionToSign(Uint8Array.from(fields))).toBe(true)
      },
    ),
  )
})

test('protocol 9.1: the documents of direct signing and of auxiliary signers, and an oversized tag, are recognized', () => {
  for (const bytes of [
    [0x0a, 2, 8, 1, 0x12, 2, 8, 1],
    [0x0a, 2, 8, 1, 0x12, 2, 8, 1, 0x1a, 3, 0x70, 0x69, 0x6f, 0x20, 5],
    [0x0a, 2, 8, 1, 0x12, 2, 8, 1, 0x1a, 3, 0x70, 0x69, 0x6f, 0x20, 5, 0x28, 1, 0x32, 0],
    [0x0a, 0, 0x12, 0],
    // 2^32 + 1, which chains truncate to 32 bits.
    [0x8a, 0x80, 0x80, 0x80, 0x80, 0x01, 0, 0x12, 0],
  ]) {
    expect(isTransactionToSign(Uint8Array.from(bytes)), String(bytes)).toBe(true)
  }
})

const json = (value: unknown, space: string) =>
  text(`${space}${JSON.stringify(value, null, space)}${space}`)

test('protocol 9.1: amino JSON in any order of its keys and with any white space is not a message', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(
        ['account_number', 'chain_id', 'fee', 'memo', 'msgs', 'sequence', 'timeout_height', 'tip'],
        { minLength: 8 },
      ),
      fc.constantFrom('', ' ', '\n', '\t', '\r\n  '),
      fc.jsonValue(),
      fc.boolean(),
      (names, space, value, isUpper) => {
        const document = Object.fromEntries(
          names.map((name) => [isUpper ? name.toUpperCase() : name, value]),
        )
        expect(isTransactionToSign(json(document, space))).toBe(true)
      },
    ),
  )
  const document = '{"msgs":[],"chain_id":"","fee":{}}'
  expect(isTransactionToSign(text(`\ufeff${document}`))).toBe(true)
  expect(isTransactionToSign(text(`\u0019Ethereum Signed Message:\n34${document}`))).toBe(true)
  expect(isTransactionToSign(text(document.replace('"fee"', '"fee":1,"f\\u0065e"')))).toBe(true)
})

/** A CBOR head in canonical or longer form. */
function head(major: number, value: number, form: number): number[] {
  const least = value < 24 ? 0 : value < 256 ? 1 : 2
  switch (Math.max(form, least)) {
    case 0:
      return [(major << 5) | value]
    case 1:
      return [(major << 5) | 24, value]
    case 2:
      return [(major << 5) | 25, value >> 8, value & 0xff]
    default:
      return [(major << 5) | 26, 0, 0, value >> 8, value & 0xff]
  }
}

const form = fc.nat({ max: 3 })
const cborText = fc
  .tuple(fc.string({ maxLength: 40 }), form)
  .map(([plain, size]) => [...head(3, text(plain).length, size), ...text(plain)])
/** A screen: title (1), content (2), indent (3), expert (4); all except the content are optional. */
const screen = fc
  .tuple(cborText, cborText, fc.boolean(), form)
  .map(([title, body, isExpert, size]) => [
    ...head(5, isExpert ? 3 : 2, size),
    1,
    ...title,
    2,
    ...body,
    ...(isExpert ? [4, 0xf5] : []),
  ])

test('protocol 9.1: the CBOR of SIGN_MODE_TEXTUAL, canonical or not, of definite length or not, is not a message', () => {
  fc.assert(
    fc.property(
      fc.array(screen, { maxLength: 5 }),
      fc.tuple(form, form, form),
      fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
      (screens, [map, key, list], [isOpenMap, isOpenList, isTagged]) => {
        const items = screens.flat()
        const content = isOpenList
          ? [0x9f, ...items, 0xff]
          : [...head(4, screens.length, list), ...items]
        const entry = [...head(0, 1, key), ...content]
        const document = isOpenMap ? [0xbf, ...entry, 0xff] : [...head(5, 1, map), ...entry]
        const bytes = Uint8Array.from(isTagged ? [0xd9, 0xd9, 0xf7, ...document] : document)
        expect(isTransactionToSign(bytes)).toBe(true)
        expect(isTransactionToSign(bytes.subarray(0, -1))).toBe(false)
      },
    ),
  )
})

test('protocol 9.1: texts, nonces, tokens and plain JSON are messages', () => {
  const token = unsignedJwt({ sub: 'a', iss: 'lender.example', iat: 1, exp: 2, addr: 'tp1' })
  for (const plain of [
    '',
    'Sign in',
    '\nnew line',
    '{"msgs":[]}',
    '{"fee":"1","chain_id":"pio-testnet-1"}',
    '["chain_id","fee","msgs"]',
    token,
  ]) {
    expect(isTransactionToSign(text(plain)), plain).toBe(false)
  }
  fc.assert(
    fc.property(fc.string(), (plain) => {
      expect(isTransactionToSign(text(plain))).toBe(false)
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (nonce) => {
      expect(isTransactionToSign(nonce)).toBe(false)
    }),
  )
})

test('any bytes are classified without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(typeof isTransactionToSign(bytes)).toBe('boolean')
    }),
  )
})
