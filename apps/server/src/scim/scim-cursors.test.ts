import { expect, test } from 'vitest'
import { vault } from '../secrets/vault.ts'
import { CURSOR_TIMEOUT_S, type CursorScope, scimCursors } from './scim-cursors.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')
const OLD_KEY = Buffer.alloc(32, 2).toString('base64')
const SCOPE: CursorScope = {
  providerId: 'provider',
  type: 'User',
  comparisons: [{ attribute: 'active', value: true }],
}
const POSITION = { createdAt: 1_700_000_000_000, id: 'f6c4' }
const AT = 1_800_000_000_000

const cursors = scimCursors(vault([KEY]))
const cursor = cursors.create(POSITION, SCOPE, AT)

const invalid = expect.objectContaining({ status: 400, scimType: 'invalidCursor' })

test('RFC 9865 2: a cursor has unreserved characters only and leads to its page, also after a rotation of the key', () => {
  expect(cursor).toMatch(/^[\w.~-]+$/)
  expect(cursors.read(cursor, SCOPE, AT)).toEqual(POSITION)
  expect(scimCursors(vault([OLD_KEY, KEY])).read(cursor, SCOPE, AT)).toEqual(POSITION)
})

test.each([
  { ...SCOPE, providerId: 'another' },
  { ...SCOPE, type: 'Group' as const },
  { ...SCOPE, comparisons: [] },
  { ...SCOPE, comparisons: [{ attribute: 'active', value: false }] },
])('a cursor is valid for its provider, kind of resource and filter only: %#', (scope) => {
  expect(() => cursors.read(cursor, scope, AT)).toThrow(invalid)
})

test('a cursor with any other character, cut off, of another key or made by hand is refused', () => {
  for (let index = 0; index < cursor.length; index += 1) {
    const other = cursor[index] === 'A' ? 'B' : 'A'
    const changed = `${cursor.slice(0, index)}${other}${cursor.slice(index + 1)}`
    expect(() => cursors.read(changed, SCOPE, AT)).toThrow(invalid)
    expect(() => cursors.read(cursor.slice(0, index), SCOPE, AT)).toThrow(invalid)
  }
  const content = Buffer.from(JSON.stringify({ ...POSITION, expiresAt: AT * 2 }))
  for (const made of [
    content.toString('base64url'),
    `${content.toString('base64url')}.`,
    scimCursors(vault([OLD_KEY])).create(POSITION, SCOPE, AT),
    `${cursor}${'A'.repeat(1_000_000)}`,
    '.',
    '\0',
  ]) {
    expect(() => cursors.read(made, SCOPE, AT)).toThrow(invalid)
  }
})

test('RFC 9865 2.1: a cursor that is too old is expired', () => {
  const end = AT + CURSOR_TIMEOUT_S * 1000
  expect(cursors.read(cursor, SCOPE, end - 1)).toEqual(POSITION)
  expect(() => cursors.read(cursor, SCOPE, end)).toThrow(
    expect.objectContaining({ status: 400, scimType: 'expiredCursor' }),
  )
})
