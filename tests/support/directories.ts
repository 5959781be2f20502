/**
 * The requests of the directories that companies use, in the order and with the spellings of their documentation and of public
 * reports. Each directory describes the same life of a person and of a group in its own words.
 */

export type ScimRequest = readonly [method: string, path: string, body?: unknown]

/** A person as their directory has them. */
export interface DirectoryPerson {
  readonly key: string
  readonly userName: string
  readonly givenName: string
  readonly familyName: string
}

export interface DirectoryProduct {
  readonly name: string
  /** Before the first person. Every answer is 200, except those of what is created and deleted. */
  readonly connect: (send: (request: ScimRequest) => Promise<{ id: string }>) => Promise<void>
  readonly lookUp: (person: DirectoryPerson) => ScimRequest
  readonly create: (person: DirectoryPerson) => ScimRequest
  /** The person has another family name and another address. */
  readonly update: (id: string, person: DirectoryPerson) => readonly ScimRequest[]
  /** The person has another userName. */
  readonly rename: (id: string, person: DirectoryPerson) => readonly ScimRequest[]
  readonly deactivate: (id: string, person: DirectoryPerson) => readonly ScimRequest[]
  readonly reactivate: (id: string, person: DirectoryPerson) => readonly ScimRequest[]
  /** Undefined for a directory that never deletes. */
  readonly remove?: (id: string) => readonly ScimRequest[]
  /** Reads everything. */
  readonly resync: (count: number) => readonly ScimRequest[]
  /** Undefined for a directory that sends no groups. */
  readonly group?: {
    readonly create: (displayName: string) => ScimRequest
    readonly add: (group: Group, added: readonly string[], all: readonly string[]) => ScimRequest[]
    readonly drop: (
      group: Group,
      dropped: readonly string[],
      left: readonly string[],
    ) => ScimRequest[]
    readonly rename: (group: Group, displayName: string, all: readonly string[]) => ScimRequest[]
    readonly empty: (group: Group, all: readonly string[]) => ScimRequest[]
    /** An empty group is sent without members, which says nothing of them. */
    readonly keepsMembers?: true
    readonly delete: (group: Group) => ScimRequest
  }
}

interface Group {
  readonly id: string
  readonly displayName: string
}

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH_SCHEMAS = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']

const patch = (path: string, ...Operations: object[]): ScimRequest => [
  'PATCH',
  path,
  { schemas: PATCH_SCHEMAS, Operations },
]
const search = (type: string, attribute: string, value: string, rest = ''): ScimRequest => [
  'GET',
  `/${type}?filter=${encodeURIComponent(`${attribute} eq "${value}"`)}${rest}`,
]
const values = (ids: readonly string[]) => ids.map((value) => ({ value }))

function batches(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  )
}

function pagesOf(type: string, count: number, size: number): ScimRequest[] {
  return Array.from({ length: Math.ceil(count / size) || 1 }, (_, index) => [
    'GET',
    `/${type}?startIndex=${index * size + 1}&count=${size}`,
  ])
}

/** The user that Entra ID creates by its default mappings; `externalId` is the alias of the mailbox. */
const entraUser = ({ key, userName, givenName, familyName }: DirectoryPerson): ScimRequest => [
  'POST',
  '/Users',
  {
    schemas: [`${CORE}:User`, ENTERPRISE],
    externalId: key,
    userName,
    active: true,
    displayName: `${givenName} ${familyName}`,
    emails: [{ primary: true, type: 'work', value: userName }],
    meta: { resourceType: 'User' },
    name: { formatted: `${givenName} ${familyName}`, familyName, givenName },
    phoneNumbers: [{ type: 'mobile', value: '+1 555 0100' }],
    addresses: [{ type: 'work', formatted: null, country: 'US' }],
    [ENTERPRISE]: { department: 'Lending', employeeNumber: '701984' },
  },
]

const entraConnect: DirectoryProduct['connect'] = async (send) => {
  await send(search('Users', 'userName', 'a4f4d1c2-0000-4000-8000-000000000000'))
  await send(
    search(
      'Groups',
      'displayName',
      'a4f4d1c2-0000-4000-8000-000000000000',
      '&excludedAttributes=members',
    ),
  )
}

const entraGroup = (displayName: string): ScimRequest => [
  'POST',
  '/Groups',
  {
    schemas: [
      `${CORE}:Group`,
      'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
    ],
    externalId: `object of ${displayName}`,
    displayName,
    meta: { resourceType: 'Group' },
  },
]

/** Entra ID without the flag `aadOptscim062020`: capital operations, booleans as text, one change for each attribute. */
const entra: DirectoryProduct = {
  name: 'Entra ID',
  connect: entraConnect,
  lookUp: ({ userName }) => search('Users', 'userName', userName),
  create: entraUser,
  update: (id, { userName, familyName }) => [
    ['GET', `/Users/${id}`],
    patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'name.familyName', value: familyName },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `new.${userName}` },
      { op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'By a list' }] },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: [{ $ref: null, value: id }] },
      { op: 'Remove', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0100' },
    ),
  ],
  rename: (id, { userName }) => [
    patch(`/Users/${id}`, { op: 'Replace', path: 'userName', value: userName }),
  ],
  deactivate: (id) => [
    patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Remove', path: 'phoneNumbers[type eq "work" and primary eq true].value' },
    ),
  ],
  reactivate: (id) => [patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })],
  remove: (id) => [['DELETE', `/Users/${id}`]],
  resync: () => [],
  group: {
    create: entraGroup,
    add: ({ id }, added) =>
      batches(added, 20).map((some) =>
        patch(`/Groups/${id}`, {
          op: 'Add',
          path: 'members',
          value: some.map((value) => ({ $ref: null, value })),
        }),
      ),
    drop: ({ id }, dropped) =>
      dropped.map((value) =>
        patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: [{ $ref: null, value }] }),
      ),
    rename: ({ id }, displayName) => [
      patch(`/Groups/${id}`, { op: 'Replace', path: 'displayName', value: displayName }),
    ],
    empty: ({ id }, all) =>
      batches(all, 20).map((some) =>
        patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: values(some) }),
      ),
    delete: ({ id }) => ['DELETE', `/Groups/${id}`],
  },
}

/** Entra ID with the flag: operations without a path, booleans, and members removed by a filter. */
const entraCompliant: DirectoryProduct = {
  ...entra,
  name: 'Entra ID with aadOptscim062020',
  update: (id, { userName, familyName }) => [
    ['GET', `/Users/${id}`],
    patch(
      `/Users/${id}`,
      {
        op: 'replace',
        value: {
          'name.familyName': familyName,
          [`${ENTERPRISE}:department`]: 'Brokers',
          'addresses[type eq "work"].country': 'CA',
        },
      },
      { op: 'add', path: 'emails[type eq "work"].value', value: `new.${userName}` },
      { op: 'remove', path: 'phoneNumbers[type eq "mobile"].value' },
    ),
  ],
  rename: (id, { userName }) => [patch(`/Users/${id}`, { op: 'replace', value: { userName } })],
  deactivate: (id) => [patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })],
  reactivate: (id) => [patch(`/Users/${id}`, { op: 'replace', value: { active: true } })],
  group: {
    create: entraGroup,
    add: ({ id }, added) =>
      batches(added, 20).map((some) =>
        patch(`/Groups/${id}`, { op: 'add', path: 'members', value: values(some) }),
      ),
    drop: ({ id }, dropped) => [
      patch(
        `/Groups/${id}`,
        ...dropped.map((each) => ({ op: 'remove', path: `members[value eq "${each}"]` })),
      ),
    ],
    rename: ({ id }, displayName) => [
      patch(`/Groups/${id}`, { op: 'replace', value: { displayName } }),
    ],
    empty: ({ id }, all) =>
      batches(all, 20).map((some) =>
        patch(
          `/Groups/${id}`,
          ...some.map((each) => ({ op: 'remove', path: `members[value eq "${each}"]` })),
        ),
      ),
    delete: ({ id }) => ['DELETE', `/Groups/${id}`],
  },
}

/** A whole user, with attributes that are not used. */
const wholeUser = (
  { key, userName, givenName, familyName }: DirectoryPerson,
  more: object = {},
): object => ({
  schemas: [`${CORE}:User`],
  userName,
  name: { givenName, familyName },
  emails: [{ primary: true, value: userName, type: 'work' }],
  displayName: `${givenName} ${familyName}`,
  externalId: key,
  active: true,
  ...more,
})

const withNewAddress = ({ userName }: DirectoryPerson) => ({
  emails: [
    { primary: false, value: 'at.home@people.example', type: 'home' },
    { primary: true, value: `new.${userName}`, type: 'work' },
  ],
})

const okta: DirectoryProduct = {
  name: 'Okta',
  connect: async (send) => {
    await send(['GET', '/Users?startIndex=1&count=2'])
    await send(['GET', '/Groups?startIndex=1&count=100'])
  },
  lookUp: ({ userName }) => search('Users', 'userName', userName, '&startIndex=1&count=100'),
  create: (person) => [
    'POST',
    '/Users',
    wholeUser(person, { locale: 'en-US', groups: [], password: '1mz050nq' }),
  ],
  update: (id, person) => [
    ['GET', `/Users/${id}`],
    ['PUT', `/Users/${id}`, { id, ...wholeUser(person, withNewAddress(person)), groups: [] }],
  ],
  rename: (id, person) => [
    ['GET', `/Users/${id}`],
    ['PUT', `/Users/${id}`, { id, ...wholeUser(person), meta: { resourceType: 'User' } }],
  ],
  deactivate: (id) => [patch(`/Users/${id}`, { op: 'replace', value: { active: false } })],
  reactivate: (id, person) => [
    ['GET', `/Users/${id}`],
    ['PUT', `/Users/${id}`, { id, ...wholeUser(person) }],
  ],
  resync: (count) => [...pagesOf('Users', count, 100), ...pagesOf('Groups', 1, 100)],
  group: {
    create: (displayName) => [
      'POST',
      '/Groups',
      { schemas: [`${CORE}:Group`], displayName, members: [] },
    ],
    add: ({ id }, added) =>
      batches(added, 100).map((some) =>
        patch(`/Groups/${id}`, {
          op: 'add',
          path: 'members',
          value: some.map((value) => ({ value, display: 'a person' })),
        }),
      ),
    drop: ({ id }, dropped) => [
      patch(
        `/Groups/${id}`,
        ...dropped.map((each) => ({ op: 'remove', path: `members[value eq "${each}"]` })),
      ),
    ],
    rename: ({ id }, displayName) => [
      patch(`/Groups/${id}`, { op: 'replace', value: { id, displayName } }),
    ],
    empty: ({ id }) => [patch(`/Groups/${id}`, { op: 'replace', path: 'members', value: [] })],
    delete: ({ id }) => ['DELETE', `/Groups/${id}`],
  },
}

const oneLogin: DirectoryProduct = {
  name: 'OneLogin',
  connect: async (send) => {
    await send(['GET', '/Users?startIndex=1&count=1'])
  },
  lookUp: ({ userName }) => search('Users', 'userName', userName),
  create: (person) => [
    'POST',
    '/Users',
    wholeUser(person, { title: null, phoneNumbers: [{ type: 'work', value: null }], nickName: '' }),
  ],
  update: (id, person) => [
    ['PUT', `/Users/${id}`, { id, ...wholeUser(person, { ...withNewAddress(person), title: '' }) }],
  ],
  rename: (id, person) => [['PUT', `/Users/${id}`, { id, ...wholeUser(person) }]],
  deactivate: (id, person) => [
    ['PUT', `/Users/${id}`, { id, ...wholeUser(person), active: false }],
  ],
  reactivate: (id, person) => [['PUT', `/Users/${id}`, { id, ...wholeUser(person) }]],
  remove: (id) => [['DELETE', `/Users/${id}`]],
  resync: (count) => pagesOf('Users', count, 50),
  group: {
    create: (displayName) => ['POST', '/Groups', { schemas: [`${CORE}:Group`], displayName }],
    add: ({ id }, added) => [
      patch(`/Groups/${id}`, { op: 'add', path: 'members', value: values(added) }),
    ],
    drop: ({ id }, dropped) => [
      patch(`/Groups/${id}`, { op: 'remove', path: 'members', value: values(dropped) }),
    ],
    rename: ({ id }, displayName) => [
      patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: displayName }),
    ],
    empty: ({ id }) => [patch(`/Groups/${id}`, { op: 'remove', path: 'members' })],
    delete: ({ id }) => ['DELETE', `/Groups/${id}`],
  },
}

const jumpCloud: DirectoryProduct = {
  name: 'JumpCloud',
  // The activation creates a person and a group, changes them and deletes them again.
  connect: async (send) => {
    const person = {
      key: 'test',
      userName: 'test.of.jumpcloud@lender.example',
      givenName: 'Test',
      familyName: 'Test',
    }
    await send(search('Users', 'userName', person.userName))
    const user = await send(['POST', '/Users', wholeUser(person)])
    await send(['GET', `/Users/${user.id}`])
    await send(['PUT', `/Users/${user.id}`, wholeUser(person, { active: false })])
    const group = await send(['POST', '/Groups', { displayName: 'Test of JumpCloud', members: [] }])
    await send(
      patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: values([user.id]) }),
    )
    await send(['DELETE', `/Groups/${group.id}`])
    await send(['DELETE', `/Users/${user.id}`])
  },
  lookUp: ({ userName }) => search('Users', 'userName', userName),
  create: (person) => [
    'POST',
    '/Users',
    wholeUser(person, {
      addresses: [],
      phoneNumbers: [],
      [ENTERPRISE]: { employeeNumber: '', costCenter: '', department: '' },
    }),
  ],
  update: (id, person) => [
    ['PUT', `/Users/${id}`, { ...wholeUser(person, withNewAddress(person)), phoneNumbers: [] }],
  ],
  rename: (id, person) => [['PUT', `/Users/${id}`, wholeUser(person)]],
  deactivate: (id, person) => [['PUT', `/Users/${id}`, wholeUser(person, { active: false })]],
  reactivate: (id, person) => [
    oneLogin.lookUp(person),
    ['PUT', `/Users/${id}`, wholeUser(person, { active: true })],
  ],
  remove: (id) => [['DELETE', `/Users/${id}`]],
  resync: (count) => pagesOf('Users', count, 100),
  group: {
    create: (displayName) => [
      'POST',
      '/Groups',
      { schemas: [`${CORE}:Group`], displayName, members: [] },
    ],
    add: ({ id }, added) => [
      patch(`/Groups/${id}`, { op: 'add', path: 'members', value: values(added) }),
    ],
    drop: ({ id }, dropped) => [
      patch(`/Groups/${id}`, { op: 'remove', path: 'members', value: values(dropped) }),
    ],
    rename: ({ id }, displayName, all) => [
      ['PUT', `/Groups/${id}`, { displayName, members: values(all) }],
    ],
    empty: ({ id, displayName }) => [['PUT', `/Groups/${id}`, { displayName, members: null }]],
    delete: ({ id }) => ['DELETE', `/Groups/${id}`],
  },
}

/** Automatic provisioning of Google Workspace. It sends no groups: they decide who is sent. */
const google: DirectoryProduct = {
  name: 'Google',
  connect: async (send) => {
    await send(['GET', '/ServiceProviderConfig'])
    await send(['GET', '/Users?count=1'])
  },
  lookUp: ({ userName }) => search('Users', 'userName', userName),
  create: (person) => ['POST', '/Users', wholeUser(person, { userType: 'Employee' })],
  update: (id, { userName, familyName }) => [
    patch(`/Users/${id}`, {
      op: 'replace',
      value: { name: { familyName }, emails: [{ type: 'work', value: `new.${userName}` }] },
    }),
  ],
  rename: (id, { userName }) => [
    patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: userName }),
  ],
  deactivate: (id) => [patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })],
  reactivate: (id) => [patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })],
  // Some days after the suspension.
  remove: (id) => [['DELETE', `/Users/${id}`]],
  resync: (count) => pagesOf('Users', count, 100),
}

const ping: DirectoryProduct = {
  name: 'Ping',
  connect: async (send) => {
    await send(['GET', '/ServiceProviderConfig'])
    await send(['GET', '/Schemas'])
    await send(['GET', '/Users?count=1&startIndex=1'])
  },
  lookUp: ({ userName }) => search('Users', 'userName', userName),
  create: (person) => ['POST', '/Users', wholeUser(person, { nickName: null, entitlements: [] })],
  update: (id, person) => [['PUT', `/Users/${id}`, wholeUser(person, withNewAddress(person))]],
  rename: (id, person) => [['PUT', `/Users/${id}`, wholeUser(person)]],
  deactivate: (id, person) => [['PUT', `/Users/${id}`, wholeUser(person, { active: false })]],
  reactivate: (id, person) => [['PUT', `/Users/${id}`, wholeUser(person)]],
  remove: (id) => [['DELETE', `/Users/${id}`]],
  resync: (count) => pagesOf('Users', count, 200),
  group: {
    create: (displayName) => ['POST', '/Groups', { schemas: [`${CORE}:Group`], displayName }],
    add: ({ id, displayName }, _added, all) => [
      ['PUT', `/Groups/${id}`, { displayName, members: values(all) }],
    ],
    drop: ({ id, displayName }, _dropped, left) => [
      ['PUT', `/Groups/${id}`, { displayName, members: values(left) }],
    ],
    rename: ({ id }, displayName, all) => [
      ['PUT', `/Groups/${id}`, { displayName, members: values(all) }],
    ],
    empty: ({ id, displayName }) => [['PUT', `/Groups/${id}`, { displayName, members: [] }]],
    delete: ({ id }) => ['DELETE', `/Groups/${id}`],
  },
}

/** The extensions of Keycloak: an address without a type, relative locations, and a group without `members` if it is empty. */
const keycloakUser = (person: DirectoryPerson, more: object = {}) => {
  const { userName } = person
  return {
    schemas: [`${CORE}:User`],
    externalId: person.key,
    userName,
    displayName: `${person.givenName} ${person.familyName}`,
    name: { givenName: person.givenName, familyName: person.familyName },
    emails: [{ primary: true, value: userName }],
    active: true,
    roles: [],
    ...more,
  }
}

const keycloakGroup = (
  group: { displayName: string; id?: string },
  members: readonly string[],
) => ({
  schemas: [`${CORE}:Group`],
  ...group,
  externalId: `group of ${group.displayName}`,
  ...(members.length === 0
    ? {}
    : { members: members.map((value) => ({ value, $ref: `Users/${value}` })) }),
  meta: { location: `Groups/${group.id}` },
})

const keycloak: DirectoryProduct = {
  name: 'Keycloak',
  connect: async (send) => {
    await send(['GET', '/Users'])
    await send(['GET', '/Groups'])
  },
  lookUp: ({ userName }) => search('Users', 'userName', userName),
  create: (person) => ['POST', '/Users', keycloakUser(person)],
  update: (id, person) => [
    [
      'PUT',
      `/Users/${id}`,
      keycloakUser(person, {
        id,
        meta: { location: `Users/${id}` },
        emails: [{ primary: true, value: `new.${person.userName}` }],
      }),
    ],
  ],
  rename: (id, person) => [['PUT', `/Users/${id}`, keycloakUser(person, { id })]],
  deactivate: (id, person) => [
    ['PUT', `/Users/${id}`, keycloakUser(person, { id, active: false })],
  ],
  reactivate: (id, person) => [['PUT', `/Users/${id}`, keycloakUser(person, { id })]],
  remove: (id) => [['DELETE', `/Users/${id}`]],
  resync: () => [
    ['GET', '/Users'],
    ['GET', '/Groups'],
  ],
  group: {
    create: (displayName) => ['POST', '/Groups', keycloakGroup({ displayName }, [])],
    add: (group, _added, all) => [['PUT', `/Groups/${group.id}`, keycloakGroup(group, all)]],
    drop: (group, _dropped, left) => [['PUT', `/Groups/${group.id}`, keycloakGroup(group, left)]],
    rename: ({ id }, displayName, all) => [
      ['PUT', `/Groups/${id}`, keycloakGroup({ id, displayName }, all)],
    ],
    empty: (group) => [['PUT', `/Groups/${group.id}`, keycloakGroup(group, [])]],
    keepsMembers: true,
    delete: ({ id }) => ['DELETE', `/Groups/${id}`],
  },
}

export const DIRECTORY_PRODUCTS: readonly DirectoryProduct[] = [
  entra,
  entraCompliant,
  okta,
  oneLogin,
  jumpCloud,
  google,
  ping,
  keycloak,
]
