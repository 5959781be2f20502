/** Attacks on the sessions in which operators view the pages of people (15), and what these sessions must not do. */
// @module-tag database
import { impersonatePerson, readPerson } from '@portico/contracts/admin/people'
import { Bytes, type Call } from '@portico/contracts/call'
import { readIdentity, stopImpersonation } from '@portico/contracts/identity'
import { IDEMPOTENCY_HEADER } from '@portico/contracts/limits'
import { STORED_JWT_HEADER } from '@portico/contracts/wallet'
import { CALLS, exampleOf } from '@portico/server/openapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { anOperator } from '../support/operator.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { startViewing, VIEWING_COOKIE, viewingTab, viewPerson } from '../support/viewing.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const SESSION_COOKIE = 'portico-session'

let world: Awaited<ReturnType<typeof aWorld>>
beforeAll(async () => {
  world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
})
afterAll(() => world[Symbol.asyncDispose]())

const code = async (call: Promise<unknown>) => (await refusal(call)).code
const read = (browser: Browser) => browser.call(readIdentity, {})

const idOf = async (email: string) => {
  const identity = await world.server.stores.identities.findByEmail(email)
  if (identity === undefined) throw new Error(`No account has the address ${email}`)
  return identity.id
}

async function aPerson() {
  const who = newPerson('viewed')
  await world.browser().register(who)
  return idOf(who.email)
}

/** Everything stored, except what the server changes on its own: seals, counts and sent messages. */
async function everything() {
  const names = await world.query(
    ON_POSTGRES
      ? 'select tablename as name from pg_tables where schemaname = current_schema()'
      : "select name from sqlite_master where type = 'table'",
  )
  const stored: Record<string, string[]> = {}
  for (const { name } of names) {
    const table = String(name)
    if (/^(?:audit_(?:chain|seal)|insight_|nodes|sqlite_|kysely_)/.test(table)) continue
    const columns = ['audit_events', 'messages'].includes(table) ? 'id' : '*'
    // Refused calls are recorded, some of them a moment later.
    const where = table === 'audit_events' ? "where kind not like '%-refused'" : ''
    const rows = await world.query(`select ${columns} from ${table} ${where}`)
    stored[table] = rows.map((row) => JSON.stringify(row)).toSorted()
  }
  return stored
}

/** Sends a call with its documented example. */
function send(browser: Browser, call: Call): Promise<Response> {
  const { request, query = {} } = exampleOf(call)
  const params = new URLSearchParams(
    Object.entries(query).map(([name, { example }]) => [name, String(example)]),
  )
  const [type, body] =
    call.body === Bytes
      ? ['application/octet-stream', new Uint8Array(1)]
      : ['application/json', JSON.stringify(request)]
  return browser.fetch(`${call.path}${params.size === 0 ? '' : `?${params}`}`, {
    method: call.method,
    headers: {
      authorization: browser.jwt.read() ?? '',
      ...(call.auth === 'wallet' && { [STORED_JWT_HEADER]: browser.jwt.read() ?? '' }),
      ...(call.body === undefined ? {} : { 'content-type': type }),
    },
    ...(call.body === undefined ? {} : { body }),
  })
}

const codeIn = (text: string) => (text.startsWith('{') ? JSON.parse(text).code : undefined)

test('15 impersonation: no declared call changes anything or returns a secret', async () => {
  const support = await anOperator(world, 'support')
  const tab = await viewPerson(world, support, await idOf(PEOPLE.organizations.email))
  const before = await everything()
  const token = tab.jwt.read()
  const answered: string[] = []
  for (const call of CALLS.filter(({ impersonation }) => impersonation !== 'allowed')) {
    const response = await send(tab, call)
    const text = await response.text()
    if (call.auth === 'operator') {
      // Calls of the admin API use the operator's own cookie, which this token does not belong to.
      expect(codeIn(text), call.name).toBe('unauthenticated')
      continue
    }
    const isRefused = call.method !== 'GET' || call.impersonation === 'refused'
    if (isRefused) expect(codeIn(text), call.name).toBe('impersonation-read-only')
    else answered.push(call.name)
    expect(response.headers.get('authorization'), call.name).toBeNull()
    expect(response.headers.getSetCookie().join(), call.name).not.toMatch(
      /portico-(?:session|viewing)/,
    )
    // The proof of work for bots is signed, but gives access to nothing.
    if (call.name !== 'readBotCheckChallenge') {
      expect(text, call.name).not.toMatch(/eyJ|otpauth|signature|secret/i)
    }
  }
  expect(answered).toEqual(
    expect.arrayContaining([
      'readIdentity',
      'readSecurity',
      'readAccounts',
      'readCreatorPassportStatus',
    ]),
  )
  expect(tab.jwt.read()).toBe(token)
  expect(await everything()).toEqual(before)
  expect((await read(tab)).identity.uuid).toBe(await idOf(PEOPLE.organizations.email))
})

test('15 impersonation: routes that are not declared calls are refused as well', async () => {
  const support = await anOperator(world, 'support')
  const tab = await viewPerson(world, support, await aPerson())
  for (const [method, path] of [
    ['GET', '/oidc/authorize?client_id=example-lender&response_type=code'],
    ['HEAD', '/oidc/authorize?client_id=example-lender&response_type=code'],
    ['GET', '/oidc/interaction/anything'],
    ['GET', '/oidc/logout'],
    ['POST', '/oidc/logout'],
    ['POST', '/oidc/token'],
    ['POST', '/account/payment'],
    ['POST', '/auth/login'],
    ['POST', '/chain/cosmos/tx/v1beta1/txs'],
    ['DELETE', '/scim/v2/Users/1'],
    ['POST', '/no/such/path'],
  ] as const) {
    // As a form or a link: with the cookie alone.
    const response = await tab.fetch(path, { method })
    expect(response.status, `${method} ${path}`).toBe(403)
    if (method !== 'HEAD') {
      expect(await response.text(), path).toContain('You are viewing this account as an operator')
    }
  }
})

test('15 a stolen cookie or token of an impersonation is worthless without the others', async () => {
  const support = await anOperator(world, 'support')
  const other = await anOperator(world, 'support')
  const identityUuid = await aPerson()
  const tab = await viewPerson(world, support, identityUuid)
  const [viewing = '', own = ''] = [VIEWING_COOKIE, SESSION_COOKIE].map((name) =>
    tab.cookies.get(name),
  )
  const attempt = (
    cookies: Readonly<Record<string, string>>,
    call: (thief: Browser) => Promise<unknown> = read,
  ) => {
    const thief = world.browser()
    for (const [name, value] of Object.entries(cookies)) thief.cookies.set(name, value)
    thief.jwt.write(tab.jwt.read() ?? '')
    return code(call(thief))
  }
  expect(await attempt({})).toBe('unauthenticated')
  expect(await attempt({ [VIEWING_COOKIE]: viewing })).toBe('session-ended')
  // Instead of the person's own cookie, which could change everything.
  expect(await attempt({ [SESSION_COOKIE]: viewing })).toBe('session-ended')
  expect(await attempt({ [SESSION_COOKIE]: own })).toBe('unauthenticated')
  expect(await attempt({ [SESSION_COOKIE]: own, [VIEWING_COOKIE]: own })).toBe('unauthenticated')
  const secretless = `${viewing.split('.')[0]}.${'a'.repeat(43)}`
  expect(await attempt({ [SESSION_COOKIE]: own, [VIEWING_COOKIE]: secretless })).toBe(
    'session-ended',
  )
  // In another operator's browser.
  const foreign = other.browser.cookies.get(SESSION_COOKIE) ?? ''
  expect(await attempt({ [SESSION_COOKIE]: foreign, [VIEWING_COOKIE]: viewing })).toBe(
    'session-ended',
  )
  // Neither the admin API nor the person's own rights.
  const both = { [SESSION_COOKIE]: own, [VIEWING_COOKIE]: viewing }
  const lookUp = (thief: Browser) => thief.call(readPerson, { query: { identityUuid } })
  expect(await attempt(both, lookUp)).toBe('unauthenticated')
  expect((await read(tab)).identity.uuid).toBe(identityUuid)
  expect((await read(support.browser)).identity.uuid).toBe(support.identityId)
})

test('15 impersonation is neither started nor stopped from another site', async () => {
  const support = await anOperator(world, 'support')
  const identityUuid = await aPerson()
  const tab = await viewPerson(world, support, identityUuid)
  const from = (browser: Browser, call: Call, body?: object) =>
    browser.fetch(call.path, {
      method: call.method,
      headers: {
        origin: 'https://evil.example',
        ...(body && { 'content-type': 'application/json' }),
        authorization: browser.jwt.read() ?? '',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const started = await from(support.browser, impersonatePerson, { identityUuid, reason: 'x' })
  expect(codeIn(await started.text())).toBe('foreign-origin')
  expect(codeIn(await (await from(tab, stopImpersonation)).text())).toBe('foreign-origin')
  expect((await read(tab)).identity.uuid).toBe(identityUuid)
})

test('15 one of an operator’s concurrent starts stays open, and a replayed start opens none', async () => {
  const support = await anOperator(world, 'support')
  const people = await Promise.all(Array.from({ length: 3 }, aPerson))
  const starts = await Promise.all(
    [...people, ...people].map((identityUuid) => startViewing(support, identityUuid)),
  )
  const open = await world.query(
    `select id from sessions where operator_id = '${support.identityId}' and ended_at is null`,
  )
  expect(open).toHaveLength(1)
  const ended = await world.query(
    `select id from audit_events where kind = 'impersonation-ended' and operator_id = '${support.identityId}'`,
  )
  expect(ended).toHaveLength(5)
  expect(new Set(starts.map(({ sessionUuid }) => sessionUuid)).size).toBe(6)

  const body = { identityUuid: people[0] ?? '', reason: 'Called.' }
  const headers = { [IDEMPOTENCY_HEADER]: crypto.randomUUID() }
  const { jwt } = await support.browser.call(impersonatePerson, { body, headers })
  const tab = viewingTab(world, support, jwt)
  await tab.call(stopImpersonation, {})
  const again = await support.browser.call(impersonatePerson, { body, headers })
  expect(again.jwt).toBe(jwt)
  expect(await code(read(viewingTab(world, support, again.jwt)))).toBe('session-ended')
})

test('15 impersonation: stopping races with calls and with itself, and is audited once', async () => {
  const support = await anOperator(world, 'support')
  const identityUuid = await aPerson()
  const { jwt } = await startViewing(support, identityUuid)
  const tabs = Array.from({ length: 8 }, () => viewingTab(world, support, jwt))
  const [stops, reads] = await Promise.all([
    outcomes(tabs.slice(0, 4).map((tab) => tab.call(stopImpersonation, {}))),
    outcomes(tabs.slice(4).map(read)),
  ])
  expect(stops).toEqual({ answered: 4 })
  expect(Object.keys(reads).every((end) => ['answered', 'session-ended'].includes(end))).toBe(true)
  for (const tab of tabs.slice(4)) expect(await code(read(tab))).toBe('session-ended')
  const ended = await world.query(
    `select id from audit_events where kind = 'impersonation-ended' and identity_id = '${identityUuid}'`,
  )
  expect(ended).toHaveLength(1)
})
