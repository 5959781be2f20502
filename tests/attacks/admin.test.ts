/** Attacks on the admin API (15): every call with every role, foreign and unknown IDs, mass assignment, stolen sessions. */
import { hash, randomUUID } from 'node:crypto'
import { beginTotp, confirmTotp } from '@portico/contracts/account-security'
import {
  createServiceToken,
  listServiceTokens,
  revokeServiceToken,
} from '@portico/contracts/admin/operators'
import { uploadOrganizationPicture } from '@portico/contracts/admin/organizations'
import { PEOPLE_CALLS, readPerson, unlockPerson } from '@portico/contracts/admin/people'
import {
  OPERATOR_ROLES,
  type OperatorRole,
  PERSON_PERMISSIONS,
} from '@portico/contracts/admin/permissions'
import { Bytes, type Call } from '@portico/contracts/call'
import { DAY_MS, IDEMPOTENCY_HEADER, STEP_UP_MS } from '@portico/contracts/limits'
import { ROLE_PERMISSIONS } from '@portico/rules/operator-permissions'
import { CALLS, exampleOf } from '@portico/server/openapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticatorCode } from '../support/authenticator.ts'
import type { Browser } from '../support/browser.ts'
import { anOperator, type TestOperator } from '../support/operator.ts'
import { outcomes } from '../support/race.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const ADMIN_CALLS: readonly Call[] = CALLS.filter(
  // Anyone may ask for their own access.
  ({ auth, name }) => auth === 'operator' && name !== 'readOperator',
)
const UUID = '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10'
const REASON = 'Because.'

let world: Awaited<ReturnType<typeof aWorld>>
const operators = new Map<OperatorRole, TestOperator>()
beforeAll(async () => {
  world = await aWorld()
  for (const role of OPERATOR_ROLES) operators.set(role, await anOperator(world, role))
})
afterAll(() => world[Symbol.asyncDispose]())

function operatorOf(role: OperatorRole): TestOperator {
  const found = operators.get(role)
  if (found === undefined) throw new Error(`There is no ${role}`)
  return found
}

/** Sends a call with its documented example, changed by `extra`. */
function send(
  browser: Pick<Browser, 'fetch'> & { jwt?: Browser['jwt'] },
  call: Call,
  extra: { readonly body?: object; readonly query?: Record<string, string>; token?: string } = {},
): Promise<Response> {
  const { request, query = {} } = exampleOf(call)
  const given = Object.fromEntries(
    Object.entries(query).map(([name, { example }]) => [name, String(example)]),
  )
  const params = new URLSearchParams({ ...given, ...extra.query })
  const authorization = extra.token ?? browser.jwt?.read()
  const [type, body] =
    call.body === Bytes
      ? ['application/octet-stream', new Uint8Array(1)]
      : ['application/json', JSON.stringify({ ...(request as object), ...extra.body })]
  return browser.fetch(`${call.path}${params.size === 0 ? '' : `?${params}`}`, {
    method: call.method,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(call.body === undefined ? {} : { 'content-type': type }),
    },
    ...(call.body === undefined ? {} : { body }),
  })
}

const codeOf = async (response: Promise<Response>) =>
  ((await (await response).json()) as { code?: string }).code

const code = async (call: Promise<unknown>) => (await refusal(call)).code

test('15 no call succeeds without a session, for a customer, or for a role without its permission', async () => {
  const nobody = world.browser()
  const customer = world.browser()
  await customer.register(newPerson('customer'))
  for (const call of ADMIN_CALLS) {
    expect(await codeOf(send(nobody, call)), call.name).toBe('session-ended')
    expect(await codeOf(send(customer, call)), call.name).toBe('not-permitted')
    const forged = { token: `Bearer ptk_${'a'.repeat(43)}` }
    expect(await codeOf(send(nobody, call, forged)), call.name).toBe('service-token-refused')
    for (const role of OPERATOR_ROLES) {
      const { permission } = call
      if (permission === undefined || ROLE_PERMISSIONS[role].includes(permission)) continue
      const operator = operatorOf(role)
      expect(await codeOf(send(operator.browser, call)), `${call.name} as ${role}`).toBe(
        'not-permitted',
      )
    }
  }
})

test('15 mass assignment: no call accepts a field or parameter that it does not declare', async () => {
  const admin = operatorOf('admin')
  await admin.stepUp()
  for (const call of ADMIN_CALLS) {
    const names = ['role', 'organizationCodes', 'permission', 'isAdmin', 'operatorId', 'scope']
    const declared = JSON.stringify(exampleOf(call))
    for (const name of names.filter((each) => !declared.includes(`"${each}"`))) {
      if (call.body !== undefined && call.body !== Bytes) {
        const response = send(admin.browser, call, { body: { [name]: '*' } })
        expect(await codeOf(response), `${call.name} ${name}`).toBe('invalid-request')
      }
      if (call.query !== undefined) {
        const response = send(admin.browser, call, { query: { [name]: '*' } })
        expect(await codeOf(response), `${call.name} ${name}`).toBe('invalid-request')
      }
    }
  }
})

test('15 a stolen session without step-up can neither make sensitive calls nor add a factor to confirm them', async () => {
  const admin = await anOperator(world, 'admin')
  world.clock.pass(STEP_UP_MS + 1)
  const sensitive = ADMIN_CALLS.filter(({ stepUp }) => stepUp)
  expect(sensitive.map(({ name }) => name).toSorted()).toEqual([
    'approveActRequest',
    'changePersonOrganization',
    'createServiceToken',
    'declineActRequest',
    'deletePerson',
    'endBanner',
    'endExperiment',
    'endPersonSessions',
    'exportAudit',
    'exportPerson',
    'grantRole',
    'impersonatePerson',
    'lockPerson',
    'publishBanner',
    'publishOrganization',
    'resendPersonMessage',
    'resetPersonFactor',
    'revokeRole',
    'revokeServiceToken',
    'startExperiment',
    'undoOrganization',
    'unlockPerson',
  ])
  for (const call of sensitive) {
    expect(await codeOf(send(admin.browser, call)), call.name).toBe('confirmation-needed')
  }
  const { browser } = admin
  await browser.confirmByMail(admin.who.email)
  const { secret } = await browser.call(beginTotp, {})
  const own = authenticatorCode(secret, world.clock.now())
  expect(await code(browser.call(confirmTotp, { body: { code: own } }))).toBe(
    'second-factor-missing',
  )
  const [call] = sensitive
  if (call === undefined) throw new Error('No call is sensitive')
  expect(await codeOf(send(browser, call))).toBe('second-factor-missing')
})

/** Texts that break databases, paths and spreadsheets. */
const HOSTILE_TEXTS = [
  'a\0b@people.example',
  '..%2F%00\ud800',
  "\u202e' or 1=1 --",
  '9'.repeat(99),
  // As a list cursor, a null character.
  'AA',
]

/** The value with each of its strings replaced in turn, including fields of documents. */
function* variants(value: unknown, text: string): Generator {
  if (typeof value === 'string') yield text
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const changed of variants(item, text)) yield value.with(index, changed)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      for (const changed of variants(item, text)) yield { ...value, [name]: changed }
    }
  }
}

test('15 hostile texts in any field, filter or ID are refused or find nothing', {
  tags: ['database'],
}, async () => {
  const admin = await anOperator(world, 'admin')
  const failed: string[] = []
  const check = async (call: Call, changes: { body?: object; query?: Record<string, string> }) => {
    const { status } = await send(admin.browser, call, changes)
    if (status >= 500) failed.push(`${call.name} ${status} ${JSON.stringify(changes)}`)
  }
  for (const call of ADMIN_CALLS) {
    await admin.stepUp()
    for (const text of HOSTILE_TEXTS) {
      const { request, query = {} } = exampleOf(call)
      for (const name of Object.keys(query)) await check(call, { query: { [name]: text } })
      for (const body of variants(request, text)) await check(call, { body: body as object })
    }
  }
  expect(failed).toEqual([])
})

test('15 for one lender’s support, another lender’s people look like unknown people', async () => {
  const harbor = await anOperator(world, 'support HARBORLINE')
  const who = newPerson('customer')
  await world.browser().register(who)
  const identity = await world.server.stores.identities.findByEmail(who.email)
  if (identity === undefined) throw new Error('The customer was not registered')
  const before = await world.query(`select * from identities where id = '${identity.id}'`)
  const calls = PEOPLE_CALLS.filter(({ name }) => name !== 'findPeople')
  for (const call of calls) {
    const answers = []
    for (const identityUuid of [identity.id, UUID]) {
      const target = { identityUuid, email: who.email }
      const body = call.name === 'deletePerson' ? target : { identityUuid }
      const response = await send(
        harbor.browser,
        call,
        call.method === 'GET' ? { query: { identityUuid } } : { body },
      )
      answers.push([response.status, await response.text()])
    }
    expect(answers[0], call.name).toEqual(answers[1])
    expect(answers[0]?.[0], call.name).toBe(404)
  }
  expect(await world.query(`select * from identities where id = '${identity.id}'`)).toEqual(before)
  expect(
    await world.query(`select id from audit_events where operator_id = '${harbor.identityId}'`),
  ).toEqual([])
})

test('15 a service token has only the granted permissions, never more than its creator, until it is revoked or expires', {
  tags: ['database'],
}, async () => {
  const admin = await anOperator(world, 'admin')
  const limited = await anOperator(world, 'admin HARBORLINE')
  const body = {
    name: `crm-${admin.identityId}`,
    permissions: ['people.read' as const],
    organizationCodes: ['HARBORLINE'],
    days: 30,
    reason: REASON,
  }
  const create = (by: TestOperator, changed: object = {}) =>
    by.browser.call(createServiceToken, { body: { ...body, ...changed } })
  for (const organizationCodes of [['*'], ['FIGURE'], ['HARBORLINE', 'FIGURE'], ['NONE']]) {
    expect(await code(create(limited, { organizationCodes }))).toBe('not-permitted')
  }
  for (const permission of PERSON_PERMISSIONS) {
    expect(await code(create(admin, { permissions: [permission] }))).toBe('not-permitted')
  }

  // Of concurrent requests, two get a token.
  await admin.stepUp()
  expect(await outcomes(Array.from({ length: 6 }, () => create(admin)))).toEqual({
    answered: 2,
    'too-many-tokens': 4,
  })
  // The order of the organizations does not matter, and tokens for other organizations do not count.
  const both = ['FIGURE', 'HARBORLINE']
  await create(admin, { organizationCodes: both })
  await create(admin, { organizationCodes: both.toReversed() })
  expect(await code(create(admin, { organizationCodes: both }))).toBe('too-many-tokens')
  await limited.stepUp()
  const { token, tokenUuid } = await create(limited, { name: `own-${admin.identityId}` })
  // A permission that tokens could have in an earlier version does not invalidate them.
  const earlier = `ptk_${randomUUID()}`
  await world.server.stores.serviceTokens.insert({
    id: randomUUID(),
    name: `earlier-${admin.identityId}`,
    tokenHash: hash('sha256', earlier, 'base64url'),
    permissions: ['people.read', 'passports.review'],
    organizationCodes: ['HARBORLINE'],
    createdBy: limited.identityId,
    createdAt: world.clock.now(),
    expiresAt: world.clock.now() + DAY_MS,
  })
  const { items } = await limited.browser.call(listServiceTokens, { query: {} })
  expect(items.map(({ permissions }) => permissions)).toContainEqual([
    'people.read',
    'passports.review',
  ])
  const program = { fetch: (path: string, init?: RequestInit) => fetch(world.url + path, init) }
  const authorization = { token: `Bearer ${token}` }
  const find = PEOPLE_CALLS[0]
  expect((await send(program, find, authorization)).status).toBe(200)
  expect((await send(program, find, { token: `Bearer ${earlier}` })).status).toBe(200)
  const figure = await world.server.stores.identities.findByEmail(admin.who.email)
  const query = { identityUuid: figure?.id ?? '' }
  expect(await codeOf(send(program, readPerson, { ...authorization, query }))).toBe('not-found')
  expect(await codeOf(send(program, unlockPerson, authorization))).toBe('not-permitted')
  const rows = await world.query('select token_hash from service_tokens')
  expect(JSON.stringify(rows)).not.toContain(token)

  const other = await anOperator(world, 'admin FIGURE')
  const revoke = { body: { tokenUuid, reason: REASON } }
  expect(await code(other.browser.call(revokeServiceToken, revoke))).toBe('not-found')
  await limited.stepUp()
  expect(await limited.browser.call(revokeServiceToken, revoke)).toEqual({ changed: true })
  expect(await codeOf(send(program, find, authorization))).toBe('service-token-refused')

  await admin.stepUp()
  const short = await create(admin, { name: `short-${admin.identityId}`, days: 1 })
  world.clock.pass(DAY_MS)
  expect(await codeOf(send(program, find, { token: `Bearer ${short.token}` }))).toBe(
    'service-token-refused',
  )
})

test('15 an idempotency key: concurrent and repeated writes are one write with one response', {
  tags: ['database'],
}, async () => {
  const admin = await anOperator(world, 'admin')
  const body = {
    name: `idem-${admin.identityId}`,
    permissions: ['people.read' as const],
    organizationCodes: ['*'],
    days: 1,
    reason: REASON,
  }
  const create = (headers: Record<string, string>, changed: object = {}) =>
    admin.browser.call(createServiceToken, { body: { ...body, ...changed }, headers })
  const key = { [IDEMPOTENCY_HEADER]: 'first-write' }
  const racing = await outcomes(Array.from({ length: 5 }, () => create(key)))
  expect(
    Object.keys(racing).every((end) => ['answered', 'idempotency-pending'].includes(end)),
  ).toBe(true)
  const [first, again] = [await create(key), await create(key)]
  expect(again).toEqual(first)
  const rows = await world.query(`select id from service_tokens where name = '${body.name}'`)
  expect(rows).toEqual([{ id: first.tokenUuid }])
  expect(await code(create(key, { days: 2 }))).toBe('idempotency-key-reused')
  expect(await code(create({ [IDEMPOTENCY_HEADER]: 'short' }))).toBe('invalid-request')
  // A refused write did nothing, so its key can be used for it again.
  const refused = { [IDEMPOTENCY_HEADER]: 'refused-write' }
  for (let time = 0; time < 2; time += 1) {
    expect(await code(create(refused, { organizationCodes: ['NONE'] }))).toBe('not-permitted')
  }
  // The same bytes for another organization are another write.
  const picture = new TextEncoder().encode(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
  )
  const upload = (orgCode: string) =>
    admin.browser.call(uploadOrganizationPicture, {
      query: { orgCode, type: 'svg' },
      body: picture,
      headers: { [IDEMPOTENCY_HEADER]: 'picture-write' },
    })
  expect(await upload('FIGURE')).toEqual(await upload('FIGURE'))
  expect(await code(upload('HARBORLINE'))).toBe('idempotency-key-reused')
  // The key of another operator is another key.
  const other = await anOperator(world, 'admin')
  const theirs = await other.browser.call(createServiceToken, { body, headers: key })
  expect(theirs.token).not.toBe(first.token)
  const stored = await world.query('select answer from idempotency_keys')
  expect(JSON.stringify(stored)).not.toContain(first.token)
})
