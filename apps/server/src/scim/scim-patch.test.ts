import { expect, test } from 'vitest'
import {
  type DirectoryGroup,
  type DirectoryUser,
  InvalidPatch,
  patchGroup,
  patchUser,
  readPatch,
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
  'active: %j is refused instead of being true',
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

const BROKERS: DirectoryGroup = { displayName: 'Brokers', members: ['1', '2'] }

test.each<[string, object, readonly string[]]>([
  ['Entra ID adds', { op: 'Add', path: 'members', value: [{ value: '3' }] }, ['1', '2', '3']],
  ['Entra ID removes', { op: 'Remove', path: 'members', value: [{ value: '1' }] }, ['2']],
  ['Okta removes', { op: 'remove', path: 'members[value eq "2"]' }, ['1']],
  ['Okta replaces', { op: 'replace', path: 'members', value: [{ value: '4' }] }, ['4']],
  ['all are removed', { op: 'remove', path: 'members' }, []],
  [
    'one who is a member is added',
    { op: 'add', path: 'members', value: { value: '2' } },
    ['1', '2'],
  ],
  ['without a path', { op: 'add', value: { members: [{ value: '5' }] } }, ['1', '2', '5']],
])('members of a group: %s', (_, operation, members) => {
  expect(patchGroup(BROKERS, readPatch({ Operations: [operation] }))).toEqual({
    ...BROKERS,
    members,
  })
})

test('Okta renames a group with its whole object', () => {
  const operation = { op: 'replace', value: { id: 'x', displayName: 'Loan officers' } }
  expect(patchGroup(BROKERS, readPatch({ Operations: [operation] }))).toEqual({
    ...BROKERS,
    displayName: 'Loan officers',
  })
})
