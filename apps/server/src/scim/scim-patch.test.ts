import { expect, test } from 'vitest'
import {
  type DirectoryUser,
  groupChanges,
  isDeactivation,
  isInactiveUser,
  namedRemovals,
  patchUser,
  readGroup,
  readPatch,
  readUser,
} from './scim-patch.ts'
import { InvalidPatch } from './scim-path.ts'

const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
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

const UNASSIGNED = [null, '', []]

test.each(UNASSIGNED)(
  'RFC 7643 2.5: %j in a whole user is the same as an absent attribute',
  (value) => {
    const user = {
      userName: 'ada',
      active: value,
      name: value,
      displayName: value,
      externalId: value,
      emails: value,
    }
    expect(readUser(user)).toEqual({ userName: 'ada' })
    const emails = [{ value, type: 'work', primary: value, display: value }]
    expect(readUser({ userName: 'ada', emails }).email).toBeUndefined()
    const known = [{ value: 'ada@lender.example', type: value, primary: value }]
    expect(readUser({ userName: 'ada', emails: known }).email).toBe('ada@lender.example')
  },
)

test.each(UNASSIGNED)(
  'RFC 7643 2.5: PATCH with %j removes what may be absent, and leaves the rest',
  (value) => {
    const user = { ...ADA, givenName: 'Ada', familyName: 'Birch', externalId: '1' }
    const cleared = { userName: ADA.userName, active: true }
    for (const path of [undefined, '', null]) {
      const operation = {
        op: 'replace',
        path,
        value: {
          displayName: value,
          name: value,
          externalId: value,
          emails: value,
          active: value,
          userName: value,
        },
      }
      expect(patchUser(user, readPatch({ Operations: [operation] }))).toEqual(cleared)
    }
    for (const op of ['add', 'replace']) {
      for (const path of ['displayName', 'name', 'externalId', 'emails[type eq "work"].value']) {
        const after = patchUser(user, readPatch({ Operations: [{ op, path, value }] }))
        expect(after).not.toEqual(user)
      }
    }
  },
)

const HOME = 'home@people.example'

test.each([
  { op: 'Replace', value: { 'emails[type eq "home"].value': HOME } },
  { op: 'Replace', value: { 'emails[type eq "HOME" and primary eq false].value': HOME } },
  { op: 'add', path: 'emails', value: [{ type: 'home', value: HOME }] },
  { op: 'add', path: 'emails', value: { type: 'Home', value: HOME, primary: true } },
  { op: 'add', value: { emails: [{ type: 'other', value: HOME }, { value: HOME }] } },
  { op: 'add', path: 'emails[type eq "home"]', value: { value: HOME } },
  { op: 'replace', path: 'emails[type eq "work" and primary eq false].value', value: HOME },
  { op: 'replace', path: `emails[value eq "${HOME}"].value`, value: 'other@people.example' },
  { op: 'remove', path: 'emails[type eq "home"]' },
  { op: 'remove', path: `emails[value eq "${HOME}"]` },
  { op: 'remove', path: 'emails', value: [{ value: HOME, type: 'home' }] },
])('another address never replaces or removes the work address: %j', (operation) => {
  expect(patched(operation)).toEqual(ADA)
})

const NEW = 'ada.oak@lender.example'

test.each([
  [{ op: 'Replace', path: 'emails[type eq "Work"].value', value: NEW }, NEW],
  [{ op: 'Replace', path: 'emails[type eq "work" and primary eq true].value', value: NEW }, NEW],
  [{ op: 'replace', path: 'emails[primary eq "True"]', value: { value: NEW } }, NEW],
  [{ op: 'replace', path: 'emails[value eq "ADA@lender.example"].value', value: NEW }, NEW],
  [{ op: 'add', path: 'emails', value: [{ value: NEW, type: 'WORK' }] }, NEW],
  [{ op: 'add', path: 'emails', value: [{ value: NEW, primary: 'True' }] }, NEW],
  [
    {
      op: 'replace',
      path: 'emails',
      value: [
        { value: HOME, type: 'home' },
        { value: NEW, type: 'work' },
      ],
    },
    NEW,
  ],
  [{ op: 'replace', path: 'emails', value: NEW }, NEW],
  [{ op: 'replace', value: { Emails: [{ Value: NEW, Type: 'Work', Primary: true }] } }, NEW],
  [{ op: 'replace', path: 'emails[type eq "work"]', value: { primary: true } }, ADA.email],
  // RFC 7644 3.5.2.3: a replacement of the list replaces every address.
  [{ op: 'replace', path: 'emails', value: [{ value: HOME, type: 'home' }] }, undefined],
  [{ op: 'remove', path: 'emails' }, undefined],
  [{ op: 'Remove', path: 'emails[type eq "work"].value', value: 'old@lender.example' }, undefined],
  [{ op: 'remove', path: 'emails[value eq "ada@lender.example"]' }, undefined],
  [{ op: 'remove', path: 'emails', value: [{ value: 'ada@lender.example' }] }, undefined],
])('addresses match by type, primary and value: %j', (operation, email) => {
  expect(patched(operation)).toEqual({ ...ADA, email })
})

test('what is answered as done was done: a name that is removed is gone', () => {
  const named = { ...ADA, givenName: 'Ada', familyName: 'Birch' }
  const after = (operation: object) => patchUser(named, readPatch({ Operations: [operation] }))
  expect(after({ op: 'Remove', path: 'name' })).toEqual(ADA)
  expect(after({ op: 'remove', path: 'name.familyName' })).toEqual({ ...ADA, givenName: 'Ada' })
  expect(after({ op: 'replace', path: 'name', value: { givenName: 'Eda' } })).toEqual({
    ...named,
    givenName: 'Eda',
  })
})

test.each([
  'phoneNumbers[type eq "work" and primary eq true].value',
  'phoneNumbers[type eq "]"].value',
  'entitlements[value pr]',
  'roles[not (primary eq true) or value co "x"].display',
  'addresses[type eq "work"].formatted',
  'emails[type eq "work"].display',
  'name.formatted',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
  'urn:ietf:params:scim:schemas:extension:acme:2.0:User:active',
  'urn:okta:acme:1.0:user:custom:emails[type pr].value',
  `title${'.x'.repeat(2000)}`,
])('a deactivation is never lost beside an attribute that is not used: %s', (path) => {
  const inactive = { ...ADA, active: false }
  const value = { unknown: [null] }
  for (const op of ['Add', 'Replace', 'Remove']) {
    expect(patched({ op, path, value }, { op: 'Replace', path: 'active', value: 'False' })).toEqual(
      inactive,
    )
  }
  expect(patched({ op: 'Replace', value: { [path]: value, active: 'False' } })).toEqual(inactive)
  expect(readUser({ userName: 'ada', [path]: value, active: 'False' }).active).toBe(false)
})

test('only the prefix of the core schema is removed, in a path, in an object and around one', () => {
  const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
  const extension = 'urn:ietf:params:scim:schemas:extension:acme:2.0:User'
  const inactive = { ...ADA, active: false }
  for (const operation of [
    { op: 'replace', path: `${core}:active`, value: false },
    { op: 'replace', path: `${core.toUpperCase()}:Active`, value: false },
    { op: 'replace', value: { [`${core}:active`]: false } },
    { op: 'replace', value: { [core]: { active: false } } },
    { op: 'replace', path: core, value: { active: false } },
  ]) {
    expect(patched(operation)).toEqual(inactive)
  }
  for (const operation of [
    { op: 'replace', path: `${extension}:active`, value: 'False' },
    { op: 'replace', path: `${extension}:displayName`, value: 'Nick' },
    { op: 'replace', value: { [`${extension}:userName`]: 'nick', [extension]: { active: false } } },
    { op: 'replace', path: extension, value: { active: false } },
    { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:Group:displayName', value: 'x' },
  ]) {
    expect(patched(operation)).toEqual(ADA)
  }
})

test('names of fields, operations and attributes ignore case', () => {
  const Operations = [{ OP: 'REPLACE', Path: 'ACTIVE', VALUE: 'FALSE' }]
  expect(patchUser(ADA, readPatch({ Operations })).active).toBe(false)
  expect(patchUser(ADA, readPatch({ operations: Operations })).active).toBe(false)
})

test.each([
  [{ op: 'replace', path: 'active.value', value: false }, 'invalidPath'],
  [{ op: 'replace', path: 'active[value eq true]', value: false }, 'invalidPath'],
  [{ op: 'replace', path: 'emails[display eq "x"].value', value: 'a' }, 'invalidPath'],
  [{ op: 'replace', path: '[type eq "work"]', value: 'a' }, 'invalidPath'],
  [{ op: 'replace', path: 1, value: 'a' }, 'invalidPath'],
  [{ op: 'replace', path: 'name', value: 'Ada Oak' }, 'invalidValue'],
  [{ op: 'replace', path: 'emails', value: [{ value: 'a', primary: 'yes' }] }, 'invalidValue'],
  [{ op: 'replace', path: 'emails', value: [1] }, 'invalidValue'],
])(
  'a change of an attribute that is used is refused instead of being ignored: %j',
  (operation, scimType) => {
    expect(() => patched(operation)).toThrow(expect.objectContaining({ scimType }))
  },
)

test.each(UNASSIGNED)('a group: %j as members, and beside them', (value) => {
  const changes = (operation: object) => groupChanges(readPatch({ Operations: [operation] }))
  const none = { kind: 'replaceMembers', ids: [] }
  expect(changes({ op: 'replace', path: 'members', value })).toEqual([none])
  expect(changes({ op: 'replace', value: { displayName: value, members: value } })).toEqual([none])
  expect(changes({ op: 'add', path: 'members', value })).toEqual([{ kind: 'addMembers', ids: [] }])
  expect(
    changes({ op: 'add', path: 'members', value: [{ value: '1', display: value, $ref: value }] }),
  ).toEqual([{ kind: 'addMembers', ids: ['1'] }])
  expect(readGroup({ displayName: 'Brokers', externalId: value })).toEqual({
    displayName: 'Brokers',
    externalId: undefined,
  })
})

test('a filter on members removes the member with that value, and nothing else is answered as done', () => {
  const changes = (...operations: object[]) => groupChanges(readPatch({ Operations: operations }))
  const removed = [{ kind: 'removeMembers', ids: ['2'] }]
  expect(changes({ op: 'remove', path: 'members[value eq "2" and type eq "User"]' })).toEqual(
    removed,
  )
  expect(changes({ op: 'Remove', path: 'Members[Value EQ "2"].value' })).toEqual(removed)
  for (const path of [
    'members[type eq "User"]',
    'members[display eq "Ada"]',
    'members[primary pr]',
  ]) {
    expect(() => changes({ op: 'remove', path })).toThrow(InvalidPatch)
  }
  expect(() => changes({ op: 'add', path: 'members.value', value: '1' })).toThrow(InvalidPatch)
  expect(changes({ op: 'replace', path: 'owners[primary pr]', value: '1' })).toEqual([])
})

const TOO_LONG = 'a'.repeat(321)

test.each([
  [{ op: 'Replace', path: 'emails[type eq "work"].value', value: TOO_LONG }],
  [{ op: 'Replace', path: 'emails[', value: 'a' }],
  [{ op: 'Replace', path: 'userName', value: '' }],
  [{ op: 'Replace', value: { 'emails[': 'a', active: 'False' } }],
  [{ op: 'Replace', value: { [CORE_USER]: { 'name[': 'a', active: 'False' } } }],
  [{ op: 'Move', path: 'active', value: true }],
  [{ op: 'Replace', path: 'active', value: 'perhaps' }],
  ['not an operation'],
])('a refused patch still says that the person is deactivated: beside %j', (invalid) => {
  const off = { op: 'Replace', path: 'active', value: 'False' }
  const on = { op: 'Replace', path: 'active', value: 'True' }
  for (const Operations of [
    [off, invalid],
    [invalid, off],
    [on, invalid, off],
  ]) {
    expect(() => patchUser(ADA, readPatch({ Operations }))).toThrow(InvalidPatch)
    expect(isDeactivation({ Operations })).toBe(true)
  }
  expect(isDeactivation({ Operations: [off, invalid, on] })).toBe(false)
  expect(isDeactivation({ Operations: [{ op: 'Replace', path: 'active', value: 'no' }] })).toBe(
    false,
  )
})

test('a refused user of PUT still says that the person is inactive', () => {
  expect(isInactiveUser({ active: 'False' })).toBe(true)
  expect(isInactiveUser({ userName: TOO_LONG, 'emails[': 1, active: false })).toBe(true)
  expect(isInactiveUser({ userName: TOO_LONG, active: null })).toBe(false)
  expect(isInactiveUser({ userName: TOO_LONG, active: 'no' })).toBe(false)
  expect(
    isInactiveUser({ 'urn:ietf:params:scim:schemas:extension:acme:2.0:User:active': false }),
  ).toBe(false)
  for (const body of [undefined, null, '', [], 'active']) {
    expect(isInactiveUser(body)).toBe(false)
    expect(isDeactivation(body)).toBe(false)
    expect(namedRemovals(body)).toEqual([])
  }
})

test('a refused patch of a group still names the members to remove, but not those of a list or added again', () => {
  const remove = (id: string) => ({ op: 'remove', path: `members[value eq "${id}"]` })
  const add = (id: string) => ({ op: 'Add', path: 'members', value: [{ value: id }] })
  const invalid = { op: 'Replace', path: 'displayName', value: TOO_LONG }
  const removals = (...Operations: object[]) => namedRemovals({ Operations })
  expect(
    removals(invalid, remove('1'), { op: 'Remove', path: 'members', value: [{ value: '2' }] }),
  ).toEqual(['1', '2'])
  expect(removals(remove('1'), remove('2'), add('1'), invalid)).toEqual(['2'])
  expect(removals(add('1'), remove('1'), { op: 'Move' })).toEqual(['1'])
  expect(removals(invalid, { op: 'replace', path: 'members', value: [{ value: '1' }] })).toEqual([])
  expect(removals(invalid, { op: 'remove', path: 'members' })).toEqual([])
})

test('a single value as a list of one object with a value is read as that value, and no other list is', () => {
  const list = (value: unknown) => [{ $ref: null, value }]
  const replace = (path: string, value: unknown) => ({ op: 'Replace', path, value })
  expect(patched(replace('active', list('False')))).toEqual({ ...ADA, active: false })
  expect(patched(replace('displayName', list('Eda')))).toEqual({ ...ADA, displayName: 'Eda' })
  expect(patched(replace('name.givenName', list('Eda')))).toEqual({ ...ADA, givenName: 'Eda' })
  expect(patched(replace('emails[type eq "work"].value', list('eda@lender.example')))).toEqual({
    ...ADA,
    email: 'eda@lender.example',
  })
  expect(patched(replace('displayName', list(null)))).toEqual({ ...ADA, displayName: undefined })
  const group = { Operations: [replace('displayName', list('Brokers'))] }
  expect(groupChanges(readPatch(group))).toEqual([{ kind: 'displayName', displayName: 'Brokers' }])
  for (const value of [
    [...list('False'), ...list('True')],
    [list('False')],
    [{ display: 'False' }],
    { value: 'False' },
    list(['False']),
    list('no'),
  ]) {
    expect(() => patched(replace('active', value))).toThrow(InvalidPatch)
  }
})
