import { expect, test } from 'vitest'
import {
  type DirectoryUser,
  groupChanges,
  InvalidPatch,
  patchUser,
  readGroup,
  readPatch,
  readUser,
} from './scim-patch.ts'

const ADA: DirectoryUser = {
  userName: 'ada@lender.example',
  active: true,
  email: 'ada@lender.example',
  displayName: 'Ada Birch',
}

const patched = (...operations: readonly object[]) =>
  patchUser(ADA, readPatch({ Operations: operations }))

test.each([
  ['Entra ID by default', { op: 'Replace', path: 'active', value: 'False' }],
  ['Entra ID with the standard flag', { op: 'replace', path: 'active', value: false }],
  ['Okta', { op: 'replace', value: { active: false } }],
  ['text in lower case', { op: 'replace', path: 'active', value: 'false' }],
  ['add instead of replace', { op: 'Add', path: 'active', value: 'FALSE' }],
])('a person who left is inactive: %s', (_, operation) => {
  expect(patched(operation)).toEqual({ ...ADA, active: false })
})

test.each(['no', '', 'falsey', 0, 1, null, {}, ['False']])(
  'active: %j is refused instead of counting as true',
  (value) => {
    expect(() => patched({ op: 'Replace', path: 'active', value })).toThrow(InvalidPatch)
  },
)

test('Entra ID: dotted names without a path, addresses by type, attributes of other schemas', () => {
  expect(
    patched(
      { op: 'Add', value: { 'name.givenName': 'Ada', 'name.familyName': 'Oak' } },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada.oak@lender.example' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'Sales',
      },
      { op: 'Remove', path: 'displayName' },
    ),
  ).toEqual({
    ...ADA,
    givenName: 'Ada',
    familyName: 'Oak',
    email: 'ada.oak@lender.example',
    displayName: undefined,
  })
})

test('Okta: a whole object, of which the primary address counts', () => {
  const emails = [
    { value: 'home@people.example', type: 'home' },
    { value: 'ada.oak@lender.example', type: 'work', primary: true },
  ]
  const name = { givenName: 'Ada', familyName: 'Oak' }
  expect(patched({ op: 'replace', value: { id: 'x', name, emails } })).toEqual({
    ...ADA,
    givenName: 'Ada',
    familyName: 'Oak',
    email: 'ada.oak@lender.example',
  })
})

test.each([
  [{ op: 'move', path: 'active', value: false }, 'invalidSyntax'],
  [{ op: 'remove' }, 'noTarget'],
  [{ op: 'remove', path: 'userName' }, 'invalidValue'],
  [{ op: 'remove', path: 'active' }, 'invalidValue'],
  [{ op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
  [{ op: 'replace', path: 'userName', value: 'a'.repeat(321) }, 'invalidValue'],
  [{ op: 'replace', path: 'emails[type eq', value: 'a' }, 'invalidPath'],
  [{ op: 'replace', path: 'emails[type co "work"].value', value: 'a' }, 'invalidPath'],
  [{ op: 'replace', value: 'False' }, 'invalidValue'],
  [{ op: 'replace', path: 'displayName', value: { a: 1 } }, 'invalidValue'],
])('a patch that cannot be applied is refused: %j', (operation, scimType) => {
  expect(() => patched(operation)).toThrow(expect.objectContaining({ scimType }))
})

test('names that every object has are not attributes', () => {
  expect(patched({ op: 'replace', path: 'constructor', value: 'x' })).toEqual(ADA)
  expect(patched({ op: 'replace', value: { toString: 'x' } })).toEqual(ADA)
})

test('a body without operations is refused', () => {
  for (const body of [null, {}, { Operations: [] }, { Operations: [{ path: 'active' }] }]) {
    expect(() => readPatch(body)).toThrow(expect.objectContaining({ scimType: 'invalidSyntax' }))
  }
})

test('the home address does not replace the work address', () => {
  const value = 'home@people.example'
  expect(patched({ op: 'Replace', path: 'emails[type eq "home"].value', value })).toEqual(ADA)
  const primary = { op: 'Replace', path: 'emails[primary eq true].value', value }
  expect(patched(primary).email).toBe(value)
})

test('a name as an object', () => {
  const value = { givenName: 'Ada', familyName: 'Oak' }
  expect(patched({ op: 'replace', path: 'name', value })).toEqual({ ...ADA, ...value })
})

test('POST and PUT: a user needs a userName; active may be a string or omitted', () => {
  expect(readUser({ userName: 'ada', active: 'False', roles: [], 'urn:x:y:User': {} })).toEqual({
    userName: 'ada',
    active: false,
  })
  expect(readUser({ userName: 'ada' })).toEqual({ userName: 'ada' })
  for (const body of [null, [], 'ada', {}, { userName: '' }, { userName: 1 }]) {
    expect(() => readUser(body)).toThrow(InvalidPatch)
  }
})

const TOO_MANY = Array.from({ length: 10_001 }, (_, index) => ({ value: `${index}` }))

test.each<[string, object, readonly object[]]>([
  [
    'Entra ID adds',
    { op: 'Add', path: 'members', value: [{ $ref: null, value: '3' }] },
    [{ kind: 'addMembers', ids: ['3'] }],
  ],
  [
    'Entra ID removes',
    { op: 'Remove', path: 'members', value: [{ $ref: null, value: '1' }] },
    [{ kind: 'removeMembers', ids: ['1'] }],
  ],
  [
    'Okta removes',
    { op: 'remove', path: 'members[value eq "2"]' },
    [{ kind: 'removeMembers', ids: ['2'] }],
  ],
  [
    'Okta replaces',
    { op: 'replace', path: 'members', value: [{ value: '4', display: 'ada' }] },
    [{ kind: 'replaceMembers', ids: ['4'] }],
  ],
  ['all are removed', { op: 'remove', path: 'members' }, [{ kind: 'replaceMembers', ids: [] }]],
  [
    'one is named twice',
    { op: 'add', path: 'members', value: [{ value: '2' }, { value: '2' }] },
    [{ kind: 'addMembers', ids: ['2'] }],
  ],
  [
    'without a path',
    { op: 'add', value: { members: [{ value: '5' }] } },
    [{ kind: 'addMembers', ids: ['5'] }],
  ],
  [
    'Okta renames with the whole object',
    { op: 'replace', value: { id: 'x', displayName: 'Loan officers' } },
    [{ kind: 'displayName', displayName: 'Loan officers' }],
  ],
])('a group: %s', (_, operation, changes) => {
  expect(groupChanges(readPatch({ Operations: [operation] }))).toEqual(changes)
})

test.each([
  [{ op: 'remove' }, 'noTarget'],
  [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
  [{ op: 'replace', path: 'displayName', value: '' }, 'invalidValue'],
  [{ op: 'add', path: 'members[value eq "1"]' }, 'invalidPath'],
  [{ op: 'remove', path: 'members[value co "1"]' }, 'invalidPath'],
  [{ op: 'add', path: 'members', value: ['1'] }, 'invalidValue'],
  [{ op: 'add', path: 'members', value: [{ value: '\0' }] }, 'invalidValue'],
  [{ op: 'add', path: 'members', value: TOO_MANY }, 'invalidValue'],
])('a patch of a group that cannot be applied is refused: %#', (operation, scimType) => {
  expect(() => groupChanges(readPatch({ Operations: [operation] }))).toThrow(
    expect.objectContaining({ scimType }),
  )
})

test('POST and PUT: a group needs a displayName; omitted members stay', () => {
  expect(readGroup({ displayName: 'Brokers' })).toEqual({ displayName: 'Brokers' })
  expect(readGroup({ displayName: 'Brokers', members: [] }).members).toEqual([])
  expect(() => readGroup({ members: [] })).toThrow(InvalidPatch)
})
