/**
 * The directory laboratory: the same life of a person and of a group as Entra ID, Okta and others send it. The table in
 * docs/scim.md says what each of them sends.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  DIRECTORY_PRODUCTS,
  type DirectoryPerson,
  type ScimRequest,
} from '../support/directories.ts'
import { aDirectory, DIRECTORY_PROVIDERS, type Directory } from '../support/scim.ts'
import { aWorld } from '../support/world.ts'

const MEMBERS = 500

let world: Awaited<ReturnType<typeof aWorld>>
let directory: Directory
let memberIds: string[]

beforeAll(async () => {
  world = await aWorld()
  directory = await aDirectory(world)
  const at = world.clock.now()
  memberIds = await world.server.stores.atomically(async ({ directoryUsers }) => {
    const ids: string[] = []
    for (let index = 0; index < MEMBERS; index += 1) {
      const row = await directoryUsers.insert({
        id: `00000000-0000-4000-8000-${`${index}`.padStart(12, '0')}`,
        providerId: DIRECTORY_PROVIDERS.customer,
        userName: `member-${index}`,
        userNameKey: `member-${index}`,
        createdAt: at,
        updatedAt: at,
      })
      if (row !== undefined) ids.push(row.id)
    }
    return ids
  })
})
afterAll(() => world[Symbol.asyncDispose]())

async function send([method, path, body]: ScimRequest) {
  const answer = await directory.send(method, path, body)
  const expected = { POST: [201], DELETE: [204], PATCH: [200, 204], PUT: [200], GET: [200] }[method]
  expect([method, path, answer.status, answer.body?.status]).toEqual([
    method,
    path,
    expect.toBeOneOf(expected ?? []),
    undefined,
  ])
  return answer.body
}

/** Sends the requests twice: a directory repeats them if it did not receive the answer. */
async function sendTwice(requests: readonly ScimRequest[]) {
  for (const request of [...requests, ...requests]) await send(request)
}

const members = async (id: string) => {
  const { body } = await directory.send('GET', `/Groups/${id}`)
  return new Set(body.members.map(({ value }) => value))
}

const DELETING = DIRECTORY_PRODUCTS.flatMap(({ remove, ...product }) =>
  remove === undefined ? [] : [{ ...product, remove }],
)
const WITH_GROUPS = DIRECTORY_PRODUCTS.flatMap(({ name, group }) =>
  group === undefined ? [] : [{ name, group }],
)

function personOf({ name }: { readonly name: string }) {
  const key = name.toLowerCase().replaceAll(/\W/g, '-')
  const ada: DirectoryPerson = {
    key: `ada-${key}`,
    userName: `ada.${key}@lender.example`,
    givenName: 'Ada',
    familyName: 'Birch',
  }
  return { key, ada }
}

test.each(DIRECTORY_PRODUCTS)(
  '$name: a person: connected, created, updated, renamed, deactivated, reactivated and synchronized again',
  async (product) => {
    const { key, ada } = personOf(product)
    await product.connect(async (request) => (await send(request)) ?? { id: '' })
    expect((await send(product.lookUp(ada))).totalResults).toBe(0)
    const created = await send(product.create(ada))
    const { id } = created
    expect(created).toMatchObject({
      userName: ada.userName,
      externalId: ada.key,
      active: true,
      name: { givenName: 'Ada', familyName: 'Birch' },
      emails: [{ value: ada.userName }],
    })
    // A repeated creation is refused, and the directory finds the person.
    const [method, path, body] = product.create(ada)
    const repeated = await directory.send(method, path, body)
    expect([repeated.status, repeated.body]).toMatchObject([409, { scimType: 'uniqueness' }])
    expect((await send(product.lookUp(ada))).Resources.map((user) => user.id)).toEqual([id])

    const married = { ...ada, familyName: 'Oak' }
    await sendTwice(product.update(id, married))
    expect(await send(['GET', `/Users/${id}`])).toMatchObject({
      userName: ada.userName,
      name: { givenName: 'Ada', familyName: 'Oak' },
      emails: [{ value: `new.${ada.userName}` }],
      active: true,
    })

    const renamed = { ...married, userName: `ada.oak.${key}@lender.example` }
    await sendTwice(product.rename(id, renamed))
    expect((await send(product.lookUp(ada))).totalResults).toBe(0)
    expect((await send(product.lookUp(renamed))).Resources.map((user) => user.id)).toEqual([id])

    await sendTwice(product.deactivate(id, renamed))
    expect((await send(['GET', `/Users/${id}`])).active).toBe(false)
    expect((await send(product.lookUp(renamed))).Resources[0]?.active).toBe(false)
    await sendTwice(product.reactivate(id, renamed))
    expect(await send(['GET', `/Users/${id}`])).toMatchObject({
      active: true,
      userName: renamed.userName,
      name: { givenName: 'Ada', familyName: 'Oak' },
    })

    const before = await send(['GET', `/Users/${id}`])
    for (const request of product.resync(MEMBERS + 1)) {
      expect((await send(request)).itemsPerPage).toBeGreaterThanOrEqual(0)
    }
    expect(await send(['GET', `/Users/${id}`])).toEqual(before)
  },
)

test.each(DELETING)(
  '$name: a person: deleted, also twice, and added again',
  async ({ remove, ...product }) => {
    const { key, ada } = personOf(product)
    const eda = { ...ada, key: `eda-${key}`, userName: `eda.${key}@lender.example` }
    const { id } = await send(product.create(eda))
    for (const request of product.deactivate(id, eda)) await send(request)
    for (const request of remove(id)) await send(request)
    for (const [method, path] of remove(id)) {
      expect((await directory.send(method, path)).status).toBe(404)
    }
    expect((await send(product.lookUp(eda))).totalResults).toBe(0)
    const again = await send(product.create(eda))
    expect(again).toMatchObject({ userName: eda.userName, active: true })
  },
)

test.each(WITH_GROUPS)(
  '$name: a group: 500 members pushed, some dropped, renamed, emptied and deleted',
  { tags: 'database' },
  async ({ group, name }) => {
    const displayName = `Officers of ${name}`
    const { id } = await send(group.create(displayName))
    await sendTwice(group.add({ id, displayName }, memberIds, memberIds))
    expect(await members(id)).toEqual(new Set(memberIds))
    const dropped = memberIds.slice(0, 3)
    const left = memberIds.slice(3)
    await sendTwice(group.drop({ id, displayName }, dropped, left))
    expect(await members(id)).toEqual(new Set(left))
    const newName = `Loan officers of ${name}`
    await sendTwice(group.rename({ id, displayName }, newName, left))
    expect((await send(['GET', `/Groups/${id}?excludedAttributes=members`])).displayName).toBe(
      newName,
    )
    expect(await members(id)).toEqual(new Set(left))
    await sendTwice(group.empty({ id, displayName: newName }, left))
    expect((await members(id)).size).toBe(group.keepsMembers ? left.length : 0)
    await send(group.delete({ id, displayName: newName }))
    expect((await directory.send('GET', `/Groups/${id}`)).status).toBe(404)
  },
)
