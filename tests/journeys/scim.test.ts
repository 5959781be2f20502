/** SCIM 2.0: requests as Entra ID and Okta send them, and the effects of leaving the directory. */
import { setTimeout as wait } from 'node:timers/promises'
import { disconnectProvider, readSecurity } from '@portico/contracts/account-security'
import { readOperations } from '@portico/contracts/admin/operations'
import { readPerson, unlockPerson } from '@portico/contracts/admin/people'
import { BROKER } from '@portico/contracts/broker'
import { readIdentity } from '@portico/contracts/identity'
import { MAX_DIRECTORY_USERS } from '@portico/contracts/limits'
import { createDirectoryToken, readSetup, revokeDirectoryToken } from '@portico/contracts/sso-setup'
import { createScimToken } from '@portico/server/scim-tokens'
import { expect, test, vi } from 'vitest'
import type { Browser, Credentials } from '../support/browser.ts'
import { logInByProvider, PROVIDER_PEOPLE, upToCallback } from '../support/identity-provider.ts'
import { anOperator } from '../support/operator.ts'
import { openedSetup } from '../support/provider-setup.ts'
import {
  aDirectory,
  DIRECTORY_PROVIDERS,
  type Directory,
  patch,
  scimCaller,
} from '../support/scim.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, refusal } from '../support/world.ts'

const { customer, known, agent } = PROVIDER_PEOPLE
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const REQUIRED_GROUP = 'northgale-customers'

/** A user as Entra ID creates it. */
const entraUser = ({ email }: { email: string }) => ({
  schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: `object-of-${email}`,
  userName: email,
  active: true,
  emails: [{ primary: true, type: 'work', value: email }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Nora North', familyName: 'North', givenName: 'Nora' },
  roles: [],
})

/** How a callback of the provider ends: logged in, or the heading of the page. */
async function callbackOf(browser: Browser, who: Credentials): Promise<string> {
  const { callback } = await upToCallback(browser, 'customer', who)
  const response = await browser.fetch(callback)
  if (response.status === 302) return 'logged in'
  return /<h1>([^<]*)/.exec(await response.text())?.[1] ?? ''
}

const NO_ACCESS = 'You cannot log in with this account'

async function memberIds({ send }: Directory, groupId: string): Promise<string[]> {
  const { body } = await send('GET', `/Groups/${groupId}`)
  return body.members.map(({ value }) => value)
}

test('Entra ID: the test of the connection, a new user, changes and the search for it', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { send } = await aDirectory(world)
  const search = encodeURIComponent(`userName eq "${customer.email}"`)
  const none = await send('GET', `/Users?filter=${search}`)
  expect([none.status, none.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('application/scim+json'),
  ])
  expect(none.body).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 0,
    startIndex: 1,
    itemsPerPage: 0,
    Resources: [],
  })

  const created = await send('POST', '/Users', entraUser(customer))
  expect(created.status).toBe(201)
  const { id } = created.body
  expect(created.headers.get('location')).toBe(created.body.meta.location)
  expect(created.body).toEqual({
    schemas: [USER],
    id,
    externalId: `object-of-${customer.email}`,
    userName: customer.email,
    active: true,
    name: { givenName: 'Nora', familyName: 'North' },
    emails: [{ value: customer.email, type: 'work', primary: true }],
    meta: {
      resourceType: 'User',
      created: expect.any(String),
      lastModified: expect.any(String),
      location: expect.stringMatching(new RegExp(`/scim/v2/Users/${id}$`)),
    },
  })
  for (const filter of [
    `userName eq "${customer.email.toUpperCase()}"`,
    `externalId eq "object-of-${customer.email}" and active eq true`,
    `emails[type eq "work"].value eq "${customer.email}"`,
  ]) {
    const found = await send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    expect(found.body.Resources.map((user) => user.id)).toEqual([id])
  }

  const changed = await send(
    'PATCH',
    `/Users/${id}`,
    patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'nora@northgale.example' },
      { op: 'Replace', path: 'name.familyName', value: 'South' },
      { op: 'Add', value: { 'name.givenName': 'Norah', title: 'Officer' } },
    ),
  )
  expect(changed).toMatchObject({
    status: 200,
    body: {
      name: { givenName: 'Norah', familyName: 'South' },
      emails: [{ value: 'nora@northgale.example' }],
    },
  })
  const part = await send('GET', `/Users/${id}?attributes=userName,name.givenName`)
  expect(Object.keys(part.body).sort()).toEqual(['id', 'name', 'schemas', 'userName'])
})

test('Okta: a whole user by PUT, pages, and a group that is pushed, renamed and changed', async () => {
  await using world = await aWorld()
  const { send, addUser } = await aDirectory(world)
  const user = (userName: string, active = true) => ({
    schemas: [USER],
    userName,
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: `00u-${userName}`,
    groups: [],
    password: '1mz050nq',
    active,
  })
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) ids.push(await addUser(user(`${name}@northgale.example`)))
  const [first = '', second = '', third = ''] = ids
  const page = await send('GET', '/Users?startIndex=2&count=1')
  expect(page.body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 })
  expect(page.body.Resources[0]?.id).toBe(second)

  const put = { ...user('a@northgale.example', false), id: first, displayName: 'Ada' }
  expect((await send('PUT', `/Users/${first}`, put)).body).toMatchObject({
    id: first,
    active: false,
    displayName: 'Ada',
  })

  const pushed = await send('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Officers',
    members: [{ value: first, display: 'a' }],
  })
  expect(pushed.status).toBe(201)
  const group = pushed.body.id
  const answer = await send(
    'PATCH',
    `/Groups/${group}`,
    patch(
      { op: 'replace', value: { id: group, displayName: 'Loan officers' } },
      { op: 'remove', path: `members[value eq "${first}"]` },
      { op: 'add', path: 'members', value: [{ value: second, display: 'b' }] },
    ),
  )
  expect([answer.status, answer.body]).toEqual([204, undefined])
  const read = await send('GET', `/Groups/${group}`)
  expect(read.body).toMatchObject({
    displayName: 'Loan officers',
    members: [{ value: second, display: 'Test User' }],
  })
  const replaced = { op: 'replace', path: 'members', value: [{ value: third }] }
  await send('PATCH', `/Groups/${group}`, patch(replaced))
  for (const [member, total] of [
    [second, 0],
    [third, 1],
  ] as const) {
    const filter = encodeURIComponent(`id eq "${group}" and members eq "${member}"`)
    const found = await send('GET', `/Groups?excludedAttributes=members&filter=${filter}`)
    expect(found.body.totalResults).toBe(total)
    expect(found.body.Resources[0]?.members).toBeUndefined()
  }
  expect((await send('DELETE', `/Groups/${group}`)).status).toBe(204)
  expect((await send('GET', `/Groups/${group}`)).status).toBe(404)
})

test('RFC 7644 3.12: an invalid request is refused with what to do', async () => {
  await using world = await aWorld()
  const { send, addUser } = await aDirectory(world)
  const id = await addUser(entraUser(customer))
  const other = await addUser(entraUser(known))
  await send('POST', '/Groups', { displayName: 'Officers' })
  const missing = `/Users/${id}-missing`
  const cases: [string, string, unknown, number, string | undefined][] = [
    ['POST', '/Users', entraUser(customer), 409, 'uniqueness'],
    [
      'POST',
      '/Users',
      { ...entraUser(customer), userName: 'NORA.north@northgale.example' },
      409,
      'uniqueness',
    ],
    ['PUT', `/Users/${other}`, entraUser(customer), 409, 'uniqueness'],
    ['POST', '/Groups', { displayName: 'OFFICERS' }, 409, 'uniqueness'],
    ['POST', '/Users', {}, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'nora\0north' }, 400, 'invalidValue'],
    ['GET', '/Users/%00', undefined, 404, undefined],
    ['POST', '/Users', '{', 400, 'invalidSyntax'],
    ['POST', '/Users', '{"__proto__": {}, "userName": "a"}', 400, 'invalidSyntax'],
    ['PATCH', `/Users/${id}`, {}, 400, 'invalidSyntax'],
    [
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'Replace', path: 'active', value: 'no' }),
      400,
      'invalidValue',
    ],
    [
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'Replace', path: 'emails[', value: 'a' }),
      400,
      'invalidPath',
    ],
    [
      'POST',
      '/Groups',
      { displayName: 'New', members: [{ value: 'nobody' }] },
      400,
      'invalidValue',
    ],
    ['GET', '/Users?filter=userName%20co%20%22a%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=title%20eq%20%22a%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=active%20eq%20%22a%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?startIndex=one', undefined, 400, 'invalidValue'],
    ['GET', '/Users?count=1&count=2', undefined, 400, 'invalidValue'],
    ['GET', missing, undefined, 404, undefined],
    ['PUT', missing, entraUser(agent), 404, undefined],
    ['PATCH', missing, patch({ op: 'Replace', path: 'active', value: 'False' }), 404, undefined],
    ['DELETE', missing, undefined, 404, undefined],
    ['GET', '/Bulk', undefined, 404, undefined],
    ['POST', '/Users', `{"userName": "${'a'.repeat(3_000_000)}"}`, 413, undefined],
  ]
  for (const [method, path, body, status, scimType] of cases) {
    const answer = await send(method, path, body)
    expect([method, path, answer.status, answer.body]).toEqual([
      method,
      path,
      status,
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: `${status}`,
        ...(scimType === undefined ? {} : { scimType }),
        detail: expect.stringMatching(/\w+ \w+/),
      },
    ])
  }
  // No group was left behind by the one with an unknown member.
  expect((await send('GET', '/Groups')).body.totalResults).toBe(1)
  const huge = await send('GET', '/Users?startIndex=999999999&count=999999999')
  expect(huge.body).toMatchObject({ totalResults: 2, itemsPerPage: 0 })
  expect((await send('GET', '/Users?count=-1')).body.itemsPerPage).toBe(0)
})

test('a deletion may name a content type although it has no content, and another request needs some', async () => {
  await using world = await aWorld()
  const { send, addUser } = await aDirectory(world)
  const id = await addUser(entraUser(customer))
  expect((await send('PATCH', `/Users/${id}`, '')).status).toBe(400)
  expect((await send('DELETE', `/Users/${id}`, '')).status).toBe(204)
  expect((await send('GET', `/Users/${id}`)).status).toBe(404)
})

test('RFC 7644 4: service discovery', async () => {
  await using world = await aWorld()
  const { send } = await aDirectory(world)
  const config = await send('GET', '/ServiceProviderConfig')
  expect(config.body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
  })
  const types = await send('GET', '/ResourceTypes')
  expect(types.body.Resources.map(({ id }) => id)).toEqual(['User', 'Group'])
  expect((await send('GET', `/Schemas/${USER}`)).body.name).toBe('User')
  expect((await send('GET', '/Schemas')).body.totalResults).toBe(2)
})

test('RFC 9865: cursors lead through all users and groups, also those added meanwhile, beside the index', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { send, addUser } = await aDirectory(world)
  const config = await send('GET', '/ServiceProviderConfig')
  expect(config.body).toMatchObject({
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: 100,
      maxPageSize: 200,
      cursorTimeout: 3600,
    },
  })
  const added: Record<string, string[]> = { Users: [], Groups: [] }
  const add = async (name: string) => {
    // Several have the same time of creation.
    if (name.endsWith('0')) world.clock.pass(1)
    added['Users']?.push(await addUser({ userName: name, active: name !== 'u3', displayName: 'x' }))
    added['Groups']?.push((await send('POST', '/Groups', { displayName: name })).body.id)
  }
  for (let index = 0; index < 7; index += 1) await add(`u${index}`)
  for (const type of ['Users', 'Groups']) {
    const read: string[] = []
    let cursor: string | undefined = ''
    let pages = 0
    while (cursor !== undefined) {
      const { status, body } = await send('GET', `/${type}?cursor=${cursor}&count=3`)
      expect(status).toBe(200)
      expect(body.startIndex).toBeUndefined()
      expect(body.itemsPerPage).toBe(body.Resources.length)
      read.push(...body.Resources.map(({ id }) => id))
      if (pages === 1) await add(`later-${type}`)
      cursor = body.nextCursor
      pages += 1
    }
    expect(new Set(read)).toEqual(new Set(added[type]))
    expect(read).toHaveLength(added[type]?.length ?? 0)
  }
  // An empty cursor without a value, a filter, and a search of one user.
  const bare = await send('GET', '/Users?cursor&count=1000')
  expect(bare.body).toMatchObject({ totalResults: 9, itemsPerPage: 9 })
  expect(bare.body.nextCursor).toBeUndefined()
  const active = encodeURIComponent('active eq true')
  const first = await send('GET', `/Users?filter=${active}&cursor=&count=4`)
  const second = await send(
    'GET',
    `/Users?filter=${active}&cursor=${first.body.nextCursor}&count=4`,
  )
  expect(first.body.totalResults).toBe(8)
  expect(second.body).toMatchObject({ itemsPerPage: 4 })
  expect(second.body.nextCursor).toBeUndefined()
  const search = encodeURIComponent('userName eq "u1"')
  const found = await send('GET', `/Users?filter=${search}&cursor=&count=1`)
  expect(found.body.Resources.map(({ id }) => id)).toEqual([added['Users']?.[1]])
  expect(found.body.nextCursor).toBeUndefined()
  // Without a cursor, pages are by index as before.
  expect((await send('GET', '/Users')).body).toMatchObject({ startIndex: 1 })
  expect((await send('GET', '/Users')).body.nextCursor).toBeUndefined()
})

test('RFC 9865 2.1: a cursor of another list, a changed or an old one, and an invalid count are refused', async () => {
  await using world = await aWorld()
  const { send, addUser } = await aDirectory(world)
  const others = await aDirectory(world, 'agent')
  for (const userName of ['a', 'b', 'c']) {
    await addUser({ userName })
    await others.addUser({ userName })
  }
  const { nextCursor = '' } = (await send('GET', '/Users?cursor=&count=1')).body
  const active = encodeURIComponent('active eq true')
  const refuse = async (path: string, scimType: string, directory = { send }) => {
    const answer = await directory.send('GET', path)
    expect([path, answer.status, answer.body]).toMatchObject([path, 400, { scimType }])
  }
  await refuse(`/Groups?cursor=${nextCursor}`, 'invalidCursor')
  await refuse(`/Users?cursor=${nextCursor}&filter=${active}`, 'invalidCursor')
  await refuse(`/Users?cursor=${nextCursor}`, 'invalidCursor', others)
  await refuse(`/Users?cursor=${nextCursor.slice(0, -1)}`, 'invalidCursor')
  await refuse(`/Users?cursor=${nextCursor}x`, 'invalidCursor')
  await refuse('/Users?cursor=1', 'invalidCursor')
  for (const count of ['0', '-1', '1.5', 'ten', '%20']) {
    await refuse(`/Users?cursor=&count=${count}`, 'invalidCount')
  }
  await refuse(`/Users?cursor=${nextCursor}&startIndex=1`, 'invalidValue')
  expect((await send('GET', `/Users?cursor=${nextCursor}`)).body.itemsPerPage).toBe(2)
  world.clock.pass(3_600_000)
  await refuse(`/Users?cursor=${nextCursor}`, 'expiredCursor')
})

test('the console shows what was refused to a directory: the attribute and the reason, without values', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const [support, local] = [
    await anOperator(world, 'support'),
    await anOperator(world, 'support HARBORLINE'),
  ]
  const directory = await aDirectory(world)
  const id = await directory.addUser(entraUser(customer))
  const off = { op: 'Replace', path: 'active', value: 'False' }
  const tooLong = { op: 'Replace', path: 'emails[type eq "work"].value', value: 'a'.repeat(321) }
  const request = () => directory.send('PATCH', `/Users/${id}`, patch(off, tooLong))
  await Promise.all([request(), request()])
  world.clock.pass(1000)
  await directory.send('POST', '/Users', entraUser(customer))
  world.clock.pass(1000)
  await directory.send('POST', '/Groups', { displayName: 'x', members: [{ value: 'unknown' }] })
  world.clock.pass(1000)
  await directory.send('GET', `/Users?filter=${encodeURIComponent('title co "x"')}`)
  await scimCaller(world.url, 'portico_scim_invalid')('POST', '/Users', {})
  const { directoryRefusals } = await support.browser.call(readOperations, {})
  expect(
    directoryRefusals.map(({ method, resource, reason, attribute, isDepartureApplied }) => [
      method,
      resource,
      reason,
      attribute,
      isDepartureApplied,
    ]),
  ).toEqual([
    ['GET', 'Users', 'invalidFilter', null, false],
    ['POST', 'Groups', 'invalidValue', 'members', false],
    ['POST', 'Users', 'uniqueness', 'userName', false],
    ['PATCH', 'Users', 'invalidValue', 'emails', true],
  ])
  expect(directoryRefusals[0]).toMatchObject({ organizationCode: 'NORTHGALE', refused: 1 })
  expect(JSON.stringify(directoryRefusals)).not.toContain(customer.email)
  expect((await local.browser.call(readOperations, {})).directoryRefusals).toEqual([])

  // Nodes that count at once count together.
  const kind = { providerId: DIRECTORY_PROVIDERS.customer, content: '{}', lastAt: 1 }
  const { directoryRefusals: store } = world.server.stores
  await Promise.all([1, 2, 3].map((refused) => store.add([{ ...kind, refused }])))
  const [row] = await world.query(`select refused from directory_refusals where content = '{}'`)
  expect(Number(row?.['refused'])).toBe(6)
})

test('any number of slashes, the base URL itself, and the attributes of an extension', async () => {
  await using world = await aWorld()
  const { send, addUser, token } = await aDirectory(world)
  const id = await addUser(entraUser(customer))
  const search = `filter=${encodeURIComponent(`userName eq "${customer.email}"`)}`
  for (const path of [`/Users/?${search}`, `//Users?${search}`, `//Users//?${search}`]) {
    expect((await send('GET', path)).body.Resources.map((user) => user.id)).toEqual([id])
  }
  for (const path of [`/Users/${id}/`, `//Users//${id}`]) {
    expect((await send('GET', path)).body.id).toBe(id)
  }
  expect((await scimCaller(`${world.url}/`, token)('GET', '/Users/')).status).toBe(200)
  for (const path of ['', '/', '//']) {
    expect((await send('GET', path)).body).toMatchObject({ filter: { supported: true } })
    expect((await scimCaller(world.url, undefined)('GET', path)).status).toBe(401)
  }
  expect((await send('GET', '/Users//unknown//')).status).toBe(404)
  // An attribute of an extension is not the core attribute of the same name, in a filter or a projection.
  const extension = 'urn:ietf:params:scim:schemas:extension:acme:2.0:User'
  const filter = encodeURIComponent(`${extension}:userName eq "${customer.email}"`)
  expect((await send('GET', `/Users?filter=${filter}`)).body).toMatchObject({
    scimType: 'invalidFilter',
  })
  const kept = await send('GET', `/Users/${id}?excludedAttributes=${extension}:active`)
  expect(kept.body.active).toBe(true)
})

test('a token gives access only to the people of its own provider, and two tokens are valid', async () => {
  await using world = await aWorld()
  const own = await aDirectory(world)
  const others = await aDirectory(world, 'agent')
  const id = await own.addUser(entraUser(customer))
  const group = (await own.send('POST', '/Groups', { displayName: 'Officers' })).body.id
  for (const [method, path, body] of [
    ['GET', `/Users/${id}`, undefined],
    ['PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: false } })],
    ['PUT', `/Users/${id}`, entraUser(customer)],
    ['DELETE', `/Users/${id}`, undefined],
    ['GET', `/Groups/${group}`, undefined],
    ['PATCH', `/Groups/${group}`, patch({ op: 'remove', path: 'members' })],
    ['DELETE', `/Groups/${group}`, undefined],
  ] as const) {
    expect((await others.send(method, path, body)).status).toBe(404)
  }
  expect((await others.send('GET', '/Users')).body.totalResults).toBe(0)
  const members = [{ value: id }]
  const taken = await others.send('POST', '/Groups', { displayName: 'Thieves', members })
  expect(taken.body).toMatchObject({ status: '400', scimType: 'invalidValue' })
  expect((await own.send('GET', `/Users/${id}`)).body.active).toBe(true)

  const { stores } = world.server
  const at = world.clock.now()
  const expiring = await createScimToken(stores, {
    providerId: DIRECTORY_PROVIDERS.customer,
    expiresAt: at + 60_000,
    at,
  })
  expect(expiring).toMatch(/^portico_scim_[\w-]{43}$/)
  expect((await scimCaller(world.url, expiring)('GET', '/Users')).status).toBe(200)
  expect((await own.send('GET', '/Users')).status).toBe(200)
  world.clock.pass(60_000)
  expect((await scimCaller(world.url, expiring)('GET', '/Users')).status).toBe(401)
  const [third, fourth] = [await aDirectory(world), await aDirectory(world)]
  const statuses = async () =>
    Promise.all([own, third, fourth].map(async ({ send }) => (await send('GET', '/Users')).status))
  expect(await statuses()).toEqual([401, 200, 200])
  const refused = await scimCaller(world.url, undefined)('POST', '/Users', entraUser(known))
  expect(refused).toMatchObject({ status: 401, body: { status: '401' } })
  expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  const [used] = await world.query(
    `select last_used_at, token_hash from directory_tokens where provider_id = '${DIRECTORY_PROVIDERS.agent}'`,
  )
  expect(used?.['lastUsedAt'] ?? used?.['last_used_at']).not.toBeNull()
  expect(JSON.stringify(used)).not.toContain(others.token)
})

test('the administrator creates the token on the page of the setup, and replaces it', async () => {
  await using world = await aWorld()
  const { admin } = await openedSetup(world)
  const created = await admin(createDirectoryToken)
  const { service, directoryTokens } = created.setup
  expect(directoryTokens).toEqual([
    { id: expect.any(String), createdAt: expect.any(Number), lastUsedAt: null },
  ])
  expect(service.directoryUrl).toMatch(/\/scim\/v2$/)
  const read = (token: string) => scimCaller(world.url, token)('GET', '/Users')
  expect((await read(created.token)).status).toBe(200)
  const setup = await admin(readSetup)
  expect(setup.directoryTokens).toEqual([
    { id: expect.any(String), createdAt: expect.any(Number), lastUsedAt: expect.any(Number) },
  ])
  expect(JSON.stringify(setup)).not.toContain(created.token)
  await admin(createDirectoryToken)
  const third = await admin(createDirectoryToken)
  expect(third.setup.directoryTokens).toHaveLength(2)
  expect((await read(created.token)).status).toBe(401)
  expect((await read(third.token)).status).toBe(200)
})

test('a token is revoked at once, on every node', { tags: 'database' }, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const { admin } = await openedSetup(world, 'NORTHGALE')
  const created = await admin(createDirectoryToken)
  const send = scimCaller(world.url, created.token)
  expect((await send('GET', '/Users')).status).toBe(200)
  const [token] = created.setup.directoryTokens
  const body = { id: token?.id ?? '' }
  const { admin: stranger } = await openedSetup(world, 'CEDAR_POINT', 'agent')
  await stranger(revokeDirectoryToken, body)
  expect((await send('GET', '/Users')).status).toBe(200)
  expect((await admin(revokeDirectoryToken, body)).directoryTokens).toEqual([])
  for (let call = 0; call < 4; call += 1) expect((await send('GET', '/Users')).status).toBe(401)
})

test('a directory has a maximum of people; deleted ones make room', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { send } = await aDirectory(world)
  const { providers } = world.server.stores
  const create = (email: string) => send('POST', '/Users', entraUser({ email }))
  const first = await create('first@northgale.example')
  // The count is an upper bound, so at the maximum everyone is counted.
  const full = { directoryUserCount: MAX_DIRECTORY_USERS }
  await providers.update(DIRECTORY_PROVIDERS.customer, full)
  expect((await create('second@northgale.example')).status).toBe(201)
  await send('DELETE', `/Users/${first.body.id}`)
  const outcomeOf = (limit: number) =>
    world.server.stores.atomically(({ providers }) =>
      providers.countDirectoryUser(DIRECTORY_PROVIDERS.customer, limit),
    )
  // One person is left.
  expect(await outcomeOf(1)).toBe(true)
  expect(await outcomeOf(0)).toBe(false)
})

test('leaving the directory ends every session at the next call, on every node, and every way to log in', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const directory = await aDirectory(world)
  const id = await directory.addUser(entraUser(customer))
  const [first, idle] = [world.browser(), world.browser()]
  await logInByProvider(first, 'customer', customer)
  await logInByProvider(idle, 'customer', customer)
  const elsewhere = world.browser({ node: () => world.nodes.at(-1) })
  elsewhere.jwt.write(first.jwt.read() ?? '')
  for (const [name, value] of first.cookies) elsewhere.cookies.set(name, value)
  await elsewhere.call(readIdentity, {})

  const off = patch({ op: 'Replace', path: 'active', value: 'False' })
  expect((await directory.send('PATCH', `/Users/${id}`, off)).body.active).toBe(false)
  for (const browser of [first, elsewhere]) {
    expect((await refusal(browser.call(readIdentity, {}))).code).toBe('session-ended')
    const page = await browser.fetch('/dashboard')
    expect(page.headers.get('location')).toContain('/auth/login')
  }
  expect(await callbackOf(world.browser(), customer)).toBe(NO_ACCESS)

  const on = patch({ op: 'replace', value: { active: true } })
  expect((await directory.send('PATCH', `/Users/${id}`, on)).body.active).toBe(true)
  // Sessions from before are not valid again, even those that made no call in between and so kept their token.
  expect((await refusal(idle.call(readIdentity, {}))).code).toBe('session-ended')
  expect(await callbackOf(world.browser(), customer)).toBe('logged in')
})

test('a directory locks no person whom its provider does not manage: only the logins there end, and after a disconnection nothing', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const directory = await aDirectory(world)
  const id = await directory.addUser(entraUser(known))
  // The account is from before: it is connected by the mailed code, and keeps its password.
  const own = world.browser()
  await own.signIn(known)
  const theirs = world.browser()
  const { callback, state } = await upToCallback(theirs, 'customer', known)
  await theirs.fetch(callback)
  const token = await world.passcode(known.email)
  const { jwt } = await theirs.call(BROKER.customer.linkAccount, { body: { state, token } })
  theirs.jwt.write(jwt)
  await own.signIn(known)

  const turn = (active: boolean) =>
    directory.send('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active } }))
  await turn(false)
  expect((await refusal(theirs.call(readIdentity, {}))).code).toBe('session-ended')
  expect(await callbackOf(world.browser(), known)).toBe(NO_ACCESS)
  await own.call(readIdentity, {})
  expect(await world.browser().signIn(known)).toEqual({ jwt: expect.any(String) })

  await turn(true)
  await own.confirm(known)
  const [provider] = (await own.call(readSecurity, {})).providers
  await own.call(disconnectProvider, { body: { uuid: provider?.uuid ?? '' } })
  expect(await world.query('select identity_id from directory_users')).toEqual([
    { identity_id: null },
  ])
  await turn(false)
  await own.call(readIdentity, {})
  expect(await world.browser().signIn(known)).toEqual({ jwt: expect.any(String) })
})

test('after the owner proved the mailbox, the directory’s user of the other person no longer counts, and the owner’s does', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { directoryUsers, identities, providers } = world.server.stores
  const directory = await aDirectory(world)
  const { id: identityId = '' } = (await identities.findByEmail(known.email)) ?? {}
  // A colleague, for whom the provider and the directory named this address first.
  const others = await directory.addUser({
    ...entraUser(known),
    userName: 'colleague@northgale.example',
    externalId: 'colleague',
  })
  const providerId = DIRECTORY_PROVIDERS.customer
  const at = world.clock.now()
  const subject = { providerId, subject: 'colleague', identityId }
  await providers.insertSubject({ ...subject, managedAt: at, createdAt: at })
  await directoryUsers.update(others, { identityId })

  const connect = async () => {
    const owner = world.browser()
    const { callback, state } = await upToCallback(owner, 'customer', known)
    await owner.fetch(callback)
    const token = await world.passcode(known.email)
    const { jwt } = await owner.call(BROKER.customer.linkAccount, { body: { state, token } })
    owner.jwt.write(jwt)
    return owner
  }
  const id = await directory.addUser(entraUser(known))
  const owner = await connect()
  expect(await world.query('select id from directory_users where identity_id is not null')).toEqual(
    [{ id }],
  )
  const turnOff = (user: string) =>
    directory.send(
      'PATCH',
      `/Users/${user}`,
      patch({ op: 'Replace', path: 'active', value: false }),
    )
  await turnOff(others)
  await owner.call(readIdentity, {})
  expect(await callbackOf(world.browser(), known)).toBe('logged in')
  await turnOff(id)
  expect((await refusal(owner.call(readIdentity, {}))).code).toBe('session-ended')
  expect(await callbackOf(world.browser(), known)).toBe(NO_ACCESS)
})

test('support sees that a directory locks a person, and lifts it; a disabled provider locks no one', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const directory = await aDirectory(world)
  const id = await directory.addUser(entraUser(customer))
  await logInByProvider(world.browser(), 'customer', customer)
  const off = patch({ op: 'Replace', path: 'active', value: 'False' })
  await directory.send('PATCH', `/Users/${id}`, off)

  const { identities, providers } = world.server.stores
  const { id: identityUuid = '' } = (await identities.findByEmail(customer.email)) ?? {}
  const support = await anOperator(world, 'support')
  const locks = async () =>
    (await support.browser.call(readPerson, { query: { identityUuid } })).directoryLocks
  expect(await locks()).toEqual([{ name: 'Northgale ID', since: expect.any(Number) }])

  const [manager] = await providers.listOfIdentity(identityUuid)
  const providerId = manager?.id ?? ''
  const enabledAt = (await providers.findById(providerId))?.enabledAt ?? null
  await providers.update(providerId, { enabledAt: null })
  expect(await locks()).toEqual([])
  // Without the provider, the account logs in with passcodes like any other.
  expect(await world.browser().signInByPasscode(customer.email)).toEqual({
    jwt: expect.any(String),
  })
  await providers.update(providerId, { enabledAt })

  expect(await locks()).toHaveLength(1)
  const body = { identityUuid, reason: 'The directory was wrong.' }
  expect(await support.browser.call(unlockPerson, { body })).toMatchObject({ changed: true })
  expect(await locks()).toEqual([])
  expect(await callbackOf(world.browser(), customer)).toBe('logged in')
  await directory.send('PATCH', `/Users/${id}`, off)
  expect(await locks()).toHaveLength(1)
})

test('a deleted person cannot log in; added again, by the directory’s ID or after a login, they can', async () => {
  await using world = await aWorld()
  const directory = await aDirectory(world)
  const browser = world.browser()
  // The person had an account before the directory was connected.
  await logInByProvider(browser, 'customer', customer)
  const id = await directory.addUser(entraUser(customer))
  expect((await directory.send('DELETE', `/Users/${id}`)).status).toBe(204)
  expect((await refusal(browser.call(readIdentity, {}))).code).toBe('session-ended')
  expect((await directory.send('GET', `/Users/${id}`)).status).toBe(404)
  expect((await directory.send('GET', '/Users')).body.totalResults).toBe(0)
  expect(await callbackOf(world.browser(), customer)).toBe(NO_ACCESS)
  const [left] = await world.query('select user_name, email from directory_users')
  expect(JSON.stringify(left)).not.toContain('northgale')

  expect(await directory.addUser(entraUser(customer))).toBe(id)
  expect(await callbackOf(world.browser(), customer)).toBe('logged in')

  await directory.send('DELETE', `/Users/${id}`)
  const again = await directory.addUser({ ...entraUser(customer), externalId: 'another' })
  expect(again).not.toBe(id)
  expect(await callbackOf(world.browser(), customer)).toBe('logged in')
  const rows = await world.query('select id from directory_users')
  expect(rows.map((row) => row['id'])).toEqual([again])
  // The account is the same.
  expect(
    await world.query(`select id from identities where email = '${customer.email}'`),
  ).toHaveLength(1)
})

test('a directory does not reach an account that has never logged in with its provider', async () => {
  await using world = await aWorld()
  const directory = await aDirectory(world)
  const browser = world.browser()
  await browser.signIn(known)
  const id = await directory.addUser({ ...entraUser(known), active: false })
  await browser.call(readIdentity, {})
  expect((await directory.send('DELETE', `/Users/${id}`)).status).toBe(204)
  await browser.call(readIdentity, {})
  expect(await world.query('select id from directory_users')).toEqual([])
})

test('a person who is removed from the required group has left; members of the directory’s group may log in', async () => {
  await using world = await aWorld()
  const directory = await aDirectory(world)
  const id = await directory.addUser(entraUser(customer))
  const created = await directory.send('POST', '/Groups', { displayName: REQUIRED_GROUP })
  const group = created.body.id
  const change = (op: string) =>
    directory.send(
      'PATCH',
      `/Groups/${group}`,
      patch({ op, path: 'members', value: [{ value: id }] }),
    )
  // An empty group excludes no one whom the provider's answer names as a member.
  const browser = world.browser()
  await logInByProvider(browser, 'customer', customer)
  await change('Add')
  await browser.call(readIdentity, {})
  const idle = world.browser()
  await logInByProvider(idle, 'customer', customer)

  await change('Remove')
  expect((await refusal(browser.call(readIdentity, {}))).code).toBe('session-ended')
  expect(await callbackOf(world.browser(), customer)).toBe(NO_ACCESS)
  await change('Add')
  // This browser made no call while the person was not a member.
  expect((await refusal(idle.call(readIdentity, {}))).code).toBe('session-ended')
  await logInByProvider(browser, 'customer', customer)

  const rename = (displayName: string) =>
    directory.send(
      'PATCH',
      `/Groups/${group}`,
      patch({ op: 'Replace', path: 'displayName', value: displayName }),
    )
  await rename('Former customers')
  expect((await refusal(browser.call(readIdentity, {}))).code).toBe('session-ended')
  await rename(REQUIRED_GROUP)
  await logInByProvider(browser, 'customer', customer)
  await directory.send('DELETE', `/Groups/${group}`)
  expect((await refusal(browser.call(readIdentity, {}))).code).toBe('session-ended')
})

test('exactly one of many simultaneous POSTs of one userName is accepted', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const { token } = await aDirectory(world)
  const callers = Array.from({ length: 12 }, (_, index) =>
    scimCaller(world.nodes[index % world.nodes.length]?.url ?? '', token),
  )
  const answers = await Promise.all(
    callers.map((send, index) =>
      send('POST', '/Users', { userName: index % 2 === 0 ? 'Ada' : 'ADA', externalId: 'x' }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(11)
})

test('simultaneous changes of one group are all applied', { tags: 'database' }, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const directory = await aDirectory(world)
  const ids: string[] = []
  for (let index = 0; index < 12; index += 1) {
    ids.push(await directory.addUser({ userName: `user-${index}` }))
  }
  const [stays = '', ...others] = ids
  const created = await directory.send('POST', '/Groups', {
    displayName: REQUIRED_GROUP,
    members: others.slice(0, 6).map((value) => ({ value })),
  })
  const group = created.body.id
  const operations = [
    ...others.slice(0, 6).map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` })),
    ...others.slice(6).map((id) => ({ op: 'Add', path: 'members', value: [{ value: id }] })),
    { op: 'Add', path: 'members', value: [{ value: stays }] },
    { op: 'add', path: 'members', value: [{ value: stays }] },
  ]
  const answers = await Promise.all(
    operations.map((operation, index) => {
      const { url = '' } = world.nodes[index % world.nodes.length] ?? {}
      return scimCaller(url, directory.token)('PATCH', `/Groups/${group}`, patch(operation))
    }),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  expect((await memberIds(directory, group)).sort()).toEqual([stays, ...others.slice(6)].sort())
})

test('a deactivation is never lost: it is applied although the rest of its message is refused', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const directory = await aDirectory(world)
  const id = await directory.addUser(entraUser(customer))
  await directory.addUser(entraUser(known))
  const browser = world.browser()
  const off = { op: 'Replace', path: 'active', value: 'False' }
  const on = { op: 'Replace', path: 'active', value: 'True' }
  const name = { op: 'Add', path: 'name.givenName', value: 'Changed' }
  const tooLong = { op: 'Replace', path: 'displayName', value: 'a'.repeat(321) }
  const taken = { op: 'Replace', path: 'userName', value: known.email }
  for (const [method, body, status, scimType] of [
    ['PATCH', patch(name, tooLong, off), 400, 'invalidValue'],
    ['PATCH', patch(off, name, taken), 409, 'uniqueness'],
    ['PATCH', patch(off, name, { op: 'Move', path: 'title' }), 400, 'invalidSyntax'],
    ['PUT', { ...entraUser(known), active: false }, 409, 'uniqueness'],
    ['PUT', { active: 'False', name: { givenName: 'Changed' } }, 400, 'invalidValue'],
  ] as const) {
    await logInByProvider(browser, 'customer', customer)
    const answer = await directory.send(method, `/Users/${id}`, body)
    expect(answer).toMatchObject({
      status,
      body: { scimType, detail: expect.stringMatching(/^The user was deactivated\. The rest/) },
    })
    expect((await refusal(browser.call(readIdentity, {}))).code).toBe('session-ended')
    const after = await directory.send('GET', `/Users/${id}`)
    expect(after.body).toMatchObject({
      active: false,
      userName: customer.email,
      name: { givenName: 'Nora' },
    })
    await directory.send('PATCH', `/Users/${id}`, patch(on))
  }
  // A message that does not deactivate is refused as a whole.
  const whole = await directory.send('PATCH', `/Users/${id}`, patch(off, on, name, tooLong))
  expect(whole.body).toMatchObject({ status: '400', detail: expect.not.stringContaining('was') })
  const unchanged = await directory.send('GET', `/Users/${id}`)
  expect(unchanged.body).toMatchObject({ active: true, name: { givenName: 'Nora' } })
  expect((await directory.send('PATCH', `/Users/${id}-missing`, patch(off, tooLong))).status).toBe(
    404,
  )
})

test('a removal from the required group is never lost either, and nothing else of the message is applied', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const directory = await aDirectory(world)
  const id = await directory.addUser(entraUser(customer))
  const other = await directory.addUser(entraUser(known))
  const { body } = await directory.send('POST', '/Groups', {
    displayName: REQUIRED_GROUP,
    members: [{ value: id }],
  })
  const browser = world.browser()
  await logInByProvider(browser, 'customer', customer)
  const answer = await directory.send(
    'PATCH',
    `/Groups/${body.id}`,
    patch(
      { op: 'Add', path: 'members', value: [{ value: other }] },
      { op: 'Add', path: 'members', value: [{ value: 'unknown' }] },
      { op: 'Remove', path: 'members', value: [{ value: id }] },
    ),
  )
  expect(answer).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/^The members to remove were removed\. The rest/) },
  })
  expect((await refusal(browser.call(readIdentity, {}))).code).toBe('session-ended')
  expect(await memberIds(directory, body.id)).toEqual([])
})

test('simultaneous pushes of one person: every change is applied once, and none is lost', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const directory = await aDirectory(world)
  const senders = [0, 1, 2, 3].map((index) =>
    scimCaller(world.nodes[index % world.nodes.length]?.url ?? '', directory.token),
  )
  const [first, second, third, fourth] = senders
  if (!first || !second || !third || !fourth) throw new Error('Every node has a caller')
  await world.browser().signIn(known)
  const account = await world.server.stores.identities.findByEmail(known.email)
  for (let round = 0; round < 4; round += 1) {
    const user = { userName: `ada-${round}`, externalId: `x-${round}` }
    const id = await directory.addUser(user)
    const set = (path: string, value: unknown) => patch({ op: 'Replace', path, value })
    // PATCH and PATCH, and PUT beside them, which sends no displayName.
    const patched = await Promise.all([
      first('PATCH', `/Users/${id}`, set('name.givenName', 'Ada')),
      second('PATCH', `/Users/${id}`, set('name.familyName', 'Birch')),
      third('PATCH', `/Users/${id}`, set('emails', 'ada@people.example')),
      fourth('PATCH', `/Users/${id}`, set('active', 'False')),
    ])
    expect(patched.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { body } = await directory.send('GET', `/Users/${id}`)
    expect(body).toMatchObject({
      active: false,
      name: { givenName: 'Ada', familyName: 'Birch' },
      emails: [{ value: 'ada@people.example' }],
    })
    // PUT and DELETE: a replacement never brings a deleted user back.
    if (round % 2 === 0) {
      await world.server.stores.directoryUsers.update(id, { identityId: account?.id ?? '' })
    }
    const [put, patching, deleted, again] = await Promise.all([
      first('PUT', `/Users/${id}`, { ...user, active: true }),
      second('PATCH', `/Users/${id}`, set('active', true)),
      third('DELETE', `/Users/${id}`),
      fourth('DELETE', `/Users/${id}`),
    ])
    for (const { status } of [put, patching]) expect([200, 404]).toContain(status)
    expect(new Set([deleted.status, again.status])).toEqual(new Set([204, 404]))
    expect((await directory.send('GET', `/Users/${id}`)).status).toBe(404)
    // POST and POST of the deleted person: one row returns, or one is added.
    const created = await Promise.all(senders.map((send) => send('POST', '/Users', user)))
    expect(created.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(created.filter(({ status }) => status === 409)).toHaveLength(3)
    const rows = await world.query(
      `select id from directory_users where external_id = '${user.externalId}'`,
    )
    expect(rows).toHaveLength(1)
    const found = await directory.send(
      'GET',
      `/Users?filter=${encodeURIComponent(`userName eq "${user.userName}"`)}`,
    )
    await directory.send('DELETE', `/Users/${found.body.Resources[0]?.id}`)
    await world.query('delete from directory_users')
  }
})

test('simultaneous pushes of one group: one is created, whole lists do not mix, and a deleted group stays deleted', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const directory = await aDirectory(world)
  const senders = [0, 1, 2, 3].map((index) =>
    scimCaller(world.nodes[index % world.nodes.length]?.url ?? '', directory.token),
  )
  const ids: string[] = []
  for (const name of ['a', 'b', 'c', 'd']) ids.push(await directory.addUser({ userName: name }))
  for (let round = 0; round < 4; round += 1) {
    const displayName = round % 2 === 0 ? REQUIRED_GROUP : `Officers ${round}`
    const created = await Promise.all(
      senders.map((send, index) =>
        send('POST', '/Groups', { displayName, members: [{ value: ids[index] }] }),
      ),
    )
    expect(created.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(created.filter(({ status }) => status === 409)).toHaveLength(3)
    const group = created.find(({ status }) => status === 201)?.body.id ?? ''
    const lists = senders.map((_, index) => [ids[index] ?? '', ids[(index + 1) % 4] ?? ''].sort())
    const replaced = await Promise.all(
      senders.map((send, index) => {
        const members = lists[index]?.map((value) => ({ value }))
        return index % 2 === 0
          ? send('PUT', `/Groups/${group}`, { displayName, members })
          : send(
              'PATCH',
              `/Groups/${group}`,
              patch({ op: 'replace', path: 'members', value: members }),
            )
      }),
    )
    expect(replaced.map(({ status }) => status)).toEqual([200, 204, 200, 204])
    expect(lists).toContainEqual((await memberIds(directory, group)).sort())
    const added = patch({ op: 'Add', path: 'members', value: ids.map((value) => ({ value })) })
    const [change, renamed, deleted, again] = await Promise.all([
      senders[0]?.('PATCH', `/Groups/${group}`, added),
      senders[1]?.('PUT', `/Groups/${group}`, { displayName: 'Renamed' }),
      senders[2]?.('DELETE', `/Groups/${group}`),
      senders[3]?.('DELETE', `/Groups/${group}`),
    ])
    expect([204, 404]).toContain(change?.status)
    expect([200, 404]).toContain(renamed?.status)
    expect(new Set([deleted?.status, again?.status])).toEqual(new Set([204, 404]))
    expect(await world.query('select user_id from directory_members')).toEqual([])
  }
})

test('a person removed from the group that is becoming the required one has left', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const directory = await aDirectory(world)
  const id = await directory.addUser(entraUser(customer))
  const created = await directory.send('POST', '/Groups', {
    displayName: 'Present customers',
    members: [{ value: id }],
  })
  const browser = world.browser()
  await logInByProvider(browser, 'customer', customer)
  const removal = patch({ op: 'Remove', path: 'members', value: [{ value: id }] })
  const remove = () => directory.send('PATCH', `/Groups/${created.body.id}`, removal)
  const providerId = DIRECTORY_PROVIDERS.customer
  // The directory's request arrives while the administrator's is being stored.
  const [removing] = await world.server.stores.atomically(async ({ providers }) => {
    await providers.findForUpdate(providerId)
    const request = remove()
    await Promise.race([request, wait(1000)])
    await providers.update(providerId, { requiredGroup: 'Present customers' })
    return [request] as const
  })
  expect((await removing).status).toBe(204)
  expect((await refusal(browser.call(readIdentity, {}))).code).toBe('session-ended')
})

test('a user who is deleted while they are added to a group is not its member', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const directory = await aDirectory(world)
  await world.browser().signIn(known)
  const account = await world.server.stores.identities.findByEmail(known.email)
  const created = await directory.send('POST', '/Groups', { displayName: REQUIRED_GROUP })
  const senders = world.nodes.map(({ url }) => scimCaller(url, directory.token))
  for (let round = 0; round < 12; round += 1) {
    const id = await directory.addUser({ userName: `user-${round}` })
    // A person who has logged in: the row stays when the directory deletes it.
    await world.server.stores.directoryUsers.update(id, { identityId: account?.id ?? '' })
    const added = patch({ op: 'Add', path: 'members', value: [{ value: id }] })
    const [change, deletion] = await Promise.all([
      senders[0]?.('PATCH', `/Groups/${created.body.id}`, added),
      senders.at(-1)?.('DELETE', `/Users/${id}`),
    ])
    expect([204, 400]).toContain(change?.status)
    expect(deletion?.status).toBe(204)
  }
  expect(await world.query('select user_id from directory_members')).toEqual([])
})

/** Makes PostgreSQL wait in a first login, after it looked for the person in the directory. */
const SLOW_FIRST_LOGIN = `
  create function slow_login() returns trigger language plpgsql as $$
    begin perform pg_sleep(2); return new; end $$;
  create trigger slow_login before insert on provider_subjects for each row execute function slow_login()`

test('a first login leaves no session if the directory matches and deactivates the person meanwhile', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const directory = await aDirectory(world)
  const id = await directory.addUser({ userName: 'nora.formerly@northgale.example' })
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', customer)
  if (ON_POSTGRES) await world.query(SLOW_FIRST_LOGIN)
  const callingBack = browser.fetch(callback)
  if (ON_POSTGRES) {
    const sleeping = `select pid from pg_stat_activity where wait_event = 'PgSleep'`
    await vi.waitFor(async () => expect(await world.query(sleeping)).toHaveLength(1), 30_000)
  }
  const changed = await scimCaller(world.nodes.at(-1)?.url ?? '', directory.token)(
    'PUT',
    `/Users/${id}`,
    { ...entraUser(customer), active: false },
  )
  expect(changed.status).toBe(200)
  expect([302, 403]).toContain((await callingBack).status)
  const redeem = browser.call(BROKER.customer.redeemLogin, { body: { state } })
  expect((await refusal(redeem)).code).toBe('session-ended')
})

test('a deactivation during logins leaves no session that works', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const directory = await aDirectory(world)
  const id = await directory.addUser(entraUser(customer))
  const logins = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const browser = world.browser()
      return { browser, ...(await upToCallback(browser, 'customer', customer)) }
    }),
  )
  const off = patch({ op: 'Replace', path: 'active', value: 'False' })
  const [deactivated, ...callbacks] = await Promise.all([
    directory.send('PATCH', `/Users/${id}`, off),
    ...logins.map(({ browser, callback }) => browser.fetch(callback)),
  ])
  expect(deactivated?.status).toBe(200)
  for (const response of callbacks) expect([302, 403]).toContain(response.status)
  // A refused browser forgets its session, so the later half makes its first call once the person is active again.
  const refuse = async (some: typeof logins) => {
    for (const { browser, state } of some) {
      const redeem = browser.call(BROKER.customer.redeemLogin, { body: { state } })
      expect((await refusal(redeem)).code).toBe('session-ended')
    }
  }
  await refuse(logins.slice(0, 3))
  const on = patch({ op: 'Replace', path: 'active', value: 'True' })
  await directory.send('PATCH', `/Users/${id}`, on)
  await refuse(logins.slice(3))
})
