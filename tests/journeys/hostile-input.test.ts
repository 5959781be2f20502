import { ACCOUNT_SECURITY_CALLS } from '@portico/contracts/account-security'
import { BROKER } from '@portico/contracts/broker'
import { Bytes, type Call } from '@portico/contracts/call'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { ErrorCode } from '@portico/contracts/errors'
import { HOSTED_WALLET_CALLS } from '@portico/contracts/hosted-wallet'
import { IDENTITY_CALLS } from '@portico/contracts/identity'
import { LEAD_PORTAL_CALLS } from '@portico/contracts/lead-portal'
import { MAX_BODY_BYTES } from '@portico/contracts/limits'
import { ORGANIZATION_ACCOUNT_CALLS } from '@portico/contracts/organization-account'
import { PASSPORT_CALLS } from '@portico/contracts/passport'
import { PASSPORT_FILE_CALLS } from '@portico/contracts/passport-files'
import { PASSPORT_REVIEW_CALLS } from '@portico/contracts/passport-review'
import { SSO_SETUP_CALLS } from '@portico/contracts/sso-setup'
import { TELEMETRY_CALLS } from '@portico/contracts/telemetry'
import { TWO_FACTOR_CALLS } from '@portico/contracts/two-factor'
import { WALLET_CALLS } from '@portico/contracts/wallet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { rawRequest } from '../support/raw-request.ts'
import { aDirectory } from '../support/scim.ts'
import { aWorld, newPerson } from '../support/world.ts'

const CALLS: readonly Call[] = [
  ...IDENTITY_CALLS,
  ...TWO_FACTOR_CALLS,
  ...ACCOUNT_SECURITY_CALLS,
  ...LEAD_PORTAL_CALLS,
  ...WALLET_CALLS,
  ...ORGANIZATION_ACCOUNT_CALLS,
  ...HOSTED_WALLET_CALLS,
  ...PASSPORT_CALLS,
  ...PASSPORT_REVIEW_CALLS,
  ...PASSPORT_FILE_CALLS,
  // Those of agents are the same.
  ...Object.values(BROKER.customer),
  ...SSO_SETUP_CALLS,
  ...TELEMETRY_CALLS,
]
const UUID = '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10'
const STATE = 'a'.repeat(43)
const ADDRESS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'

const TELEMETRY_SESSION = {
  platform: 'WEB',
  libVersion: '2.2.24',
  referrer: '',
  queryParams: { flow: 'new-user' },
  screenWidth: 1440,
  screenHeight: 900,
  windowWidth: 1200,
  windowHeight: 800,
  sessionKey: { uuid: UUID, epoch: 0, trackerUuid: UUID },
  appVersion: '0.1.0',
}
const TELEMETRY_EVENT = {
  domain: 'login.lender.example',
  queryParams: { flow: 'new-user' },
  pagePath: '/auth/login',
  event: 'register',
  eventType: 'ACTION',
  sessionKey: TELEMETRY_SESSION.sessionKey,
  identityId: UUID,
  applicationUuid: UUID,
  productType: 'HELOC',
  eventProperties: { method: 'password' },
  dontDedupe: false,
  dedupeProperty: 'method',
}

/** A well-formed body without effect for each call that has one. */
const BODIES: Readonly<Record<string, Record<string, unknown>>> = {
  login: { email: 'nobody@people.example', password: 'wrong', telemetryTrackingId: 'tracker' },
  sendToken: { email: 'nobody@people.example', telemetryTrackingId: 'tracker' },
  redeemToken: { loginUuid: UUID, token: '123456' },
  setPassword: { newPassword: 'password' },
  register: { email: 'nobody@people.example' },
  revokeDirectoryToken: { id: UUID },
  sendSecondFactor: { loginUuid: UUID, alias: UUID },
  redeemSecondFactor: { token: '123456', loginUuid: UUID, rememberDevice: true },
  redeemTotp: { code: '123456', loginUuid: UUID, rememberDevice: true },
  retrieveQuestions: { loginUuid: UUID },
  answerQuestion: {
    loginUuid: UUID,
    answers: [{ securityQuestionUuid: UUID, answer: 'wrong' }],
  },
  redeemRecoveryCode: { loginUuid: UUID, code: 'wrong' },
  confirmIdentity: { password: 'wrong' },
  confirmTotp: { code: '123456' },
  setEmailFactor: { enabled: false },
  beginPhone: { phone: '1' },
  confirmPhone: { alias: UUID, token: '123456' },
  removePhone: { alias: UUID },
  setQuestions: { answers: [{ securityQuestionUuid: UUID, answer: 'wrong' }] },
  disconnectProvider: { uuid: UUID },
  endSessions: { uuid: UUID },
  beginEmailChange: { email: 'nobody' },
  confirmEmailChange: { changeUuid: UUID, currentToken: '123456', newToken: '123456' },
  deleteOwnAccount: { email: 'nobody@people.example' },
  readPasskeySecondFactor: { loginUuid: UUID },
  redeemPasskeySecondFactor: { loginUuid: UUID, response: { id: 'x' }, rememberDevice: true },
  readPasskeyLogin: {},
  passkeyLogin: { challengeUuid: UUID, response: { id: 'x' } },
  addPasskey: { challengeUuid: UUID, name: 'Mine', response: { id: 'x' } },
  renamePasskey: { uuid: UUID, name: 'Mine' },
  removePasskey: { uuid: UUID },
  sendContinueApplicationEmail: {
    borrowerIdentifier: { borrowerEmail: 'nobody@people.example', organization: 'FIGURE' },
  },
  storeBorrowerQueryParams: { queryParams: { utm_source: 'partner' } },
  selectAccount: { walletAddress: ADDRESS },
  createHostedAccount: { name: ' ' },
  convertWallet: { walletAddress: ADDRESS },
  beginOrganization: { walletAddress: ADDRESS, name: 'Willow' },
  completeOrganization: { organizationId: UUID },
  acceptOrganization: { accountAddress: ADDRESS },
  declineOrganization: { accountAddress: ADDRESS },
  renameHostedAccount: { address: ADDRESS, name: 'Mine' },
  restoreHostedAccount: { name: 'Mine', words: 'wrong' },
  requestApproval: { kind: 'connect', address: ADDRESS },
  approveRequest: { approvalId: UUID },
  rejectRequest: { approvalId: UUID },
  createPassport: { passportStructureType: 'ENTITY' },
  savePassportSection: {
    passportUuid: UUID,
    section: 'kyc',
    version: 1,
    changes: { firstName: 'Iris' },
  },
  reopenPassportSection: { passportUuid: UUID, section: 'kyc' },
  submitPassport: { passportUuid: UUID, sections: [{ section: 'kyc', version: 1 }] },
  invitePassportMember: {
    passportUuid: UUID,
    name: 'Mia',
    email: 'nobody@people.example',
    role: 'controller',
  },
  removePassportMember: { passportUuid: UUID, memberUuid: UUID },
  joinPassport: { passportUuid: UUID },
  decideReview: {
    passportUuid: UUID,
    section: 'kyc',
    version: 1,
    decision: { event: 'denied', reason: 'Not the person' },
  },
  createPassportFile: { passportUuid: UUID, name: 'statement.pdf', bytes: 10, modifiedAt: 0 },
  completePassportFile: { fileUuid: UUID },
  removePassportFile: { fileUuid: UUID },
  beginCustomerProviderLogin: {
    email: 'nobody@people.example',
    queryParams: { email: 'nobody@people.example' },
    telemetryTrackingId: 'tracker',
  },
  redeemCustomerProviderLogin: { state: STATE },
  linkCustomerAccount: { state: STATE, token: '123456' },
  sendCustomerLinkCode: { state: STATE },
  openProviderSetup: { token: STATE },
  chooseProvider: { version: 1, product: 'okta', protocol: 'oidc' },
  saveOpenIdProvider: {
    version: 1,
    name: 'Lender ID',
    issuer: 'https://idp.lender.example',
    clientId: 'portico',
    clientSecret: 'wrong',
    scope: 'openid',
  },
  saveSamlProvider: { version: 1, name: 'Lender ID', provider: { metadata: 'wrong' } },
  saveProviderAttributes: { version: 1, email: 'mail', requiredGroup: 'staff' },
  addProviderDomain: { domain: 'lender.example' },
  checkProviderDomain: { domain: 'lender.example' },
  removeProviderDomain: { domain: 'lender.example' },
  testProvider: { version: 1 },
  enableProvider: { version: 1 },
  disableProvider: { version: 1 },
  beginTelemetrySession: TELEMETRY_SESSION,
  beginTelemetrySessionOfIdentity: TELEMETRY_SESSION,
  sendTelemetryEvent: TELEMETRY_EVENT,
  sendTelemetryEventOfIdentity: TELEMETRY_EVENT,
}

/** A well-formed query for each call that has one. */
const QUERIES: Readonly<Record<string, Record<string, string>>> = {
  readRegistrationVerification: {
    borrowerEmail: 'nobody@people.example',
    organization: 'FIGURE',
    loginUuid: UUID,
  },
  readPassportFile: { fileUuid: UUID },
  downloadPassportFile: { fileUuid: UUID },
  ...Object.fromEntries(
    SSO_SETUP_CALLS.filter(({ query }) => query !== undefined).map(({ name }) => [
      name,
      { userType: 'customer' },
    ]),
  ),
}

const WITH_BODY = CALLS.filter(({ body }) => body !== undefined && body !== Bytes)
const WITH_QUERY = CALLS.filter(({ name }) => QUERIES[name] !== undefined)
const CHANGING = CALLS.filter(({ method }) => method !== 'GET')
const WITH_SESSION = CALLS.filter(({ auth }) => auth === 'session')

/** Invisible characters. */
const UNSEEN = ['\u0000', '\u0007', '\u200b', '\u202e', '\u2066', '\ufeff', '\ue000', '\ud800']

/** Fields that allow any typed text; an invalid value is only a wrong secret. */
const SECRETS = new Set(['password', 'newPassword'])

async function expectRefusal(response: Response, what: string, code?: ErrorCode): Promise<void> {
  const text = await response.text()
  expect(response.status, `${what}: ${text.slice(0, 200)}`).toBeGreaterThanOrEqual(400)
  expect(response.status, what).toBeLessThan(500)
  expect(response.headers.get('content-type'), what).toContain('application/json')
  expect(response.headers.get('x-content-type-options'), what).toBe('nosniff')
  expect(text.length, what).toBeLessThan(20_000)
  const body = JSON.parse(text) as { code: ErrorCode; message: string; errors: string[] }
  expect(Object.keys(body).sort(), what).toEqual(['code', 'errors', 'message'])
  expect(ERROR_CATALOG[body.code].status, what).toBe(response.status)
  expect(body.message, what).toBe(ERROR_CATALOG[body.code].message)
  expect(body.errors.length, what).toBeGreaterThan(0)
  expect(
    body.errors.every((each) => typeof each === 'string' && each !== ''),
    what,
  ).toBe(true)
  if (code !== undefined) expect(body.code, what).toBe(code)
}

function send(browser: Browser, call: Call, init: RequestInit): Promise<Response> {
  const authorization = browser.jwt.read()
  const headers = new Headers(init.headers)
  if (call.auth === 'session' && authorization !== undefined && !headers.has('authorization')) {
    headers.set('authorization', authorization)
  }
  const query = new URLSearchParams(QUERIES[call.name])
  const path = query.size === 0 ? call.path : `${call.path}?${query}`
  return browser.fetch(path, { method: call.method, ...init, headers })
}

const asJson = (body: BodyInit): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body,
})

/** A well-formed body of a call. */
function bodyOf({ name, body }: Call): RequestInit {
  if (body === undefined) return {}
  if (body !== Bytes) return asJson(JSON.stringify(BODIES[name]))
  return { headers: { 'content-type': 'application/octet-stream' }, body: new Uint8Array(1) }
}

async function signedIn() {
  const owner = newPerson('hostile')
  const world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  return { world, browser }
}

/** For the tests whose requests change nothing. */
let shared: Awaited<ReturnType<typeof signedIn>>
beforeAll(async () => {
  shared = await signedIn()
})
afterAll(() => shared.world[Symbol.asyncDispose]())

for (const call of WITH_BODY) {
  const valid = BODIES[call.name] ?? {}

  test(`3 ${call.name} refuses an empty body, invalid JSON, another type, a body too deep or too large, and wrong fields`, async () => {
    const { browser } = shared
    const bodies: Record<string, BodyInit> = {
      empty: '',
      blank: '  ',
      'an open brace': '{',
      'a dangling comma': '{"email":"a@b.example",}',
      'a bare word': 'undefined',
      'a null byte': '\u0000',
      'bytes that are no UTF-8': new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
      null: 'null',
      'a list': '[]',
      'a text': '"text"',
      'a number': '1e999',
      true: 'true',
      'no fields': '{}',
      'a deep list': `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      'a deep object': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      'a prototype': JSON.stringify(valid).replace('{', '{"__proto__":{"admin":true},'),
      'a constructor': JSON.stringify(valid).replace('{', '{"constructor":{"prototype":{}},'),
    }
    for (const [what, body] of Object.entries(bodies)) {
      if (body === JSON.stringify(valid)) continue
      // Every field of this call is optional.
      if (call.name === 'beginCustomerProviderLogin' && body === '{}') continue
      await expectRefusal(await send(browser, call, asJson(body)), what, 'invalid-request')
    }
    const huge = JSON.stringify({
      ...valid,
      padding: 'x'.repeat(call.bodyBytesMaximum ?? MAX_BODY_BYTES),
    })
    await expectRefusal(await send(browser, call, asJson(huge)), 'huge', 'request-too-large')
    const none = await send(browser, call, {})
    await expectRefusal(none, 'none', 'invalid-request')

    const types = [
      'text/plain',
      'text/json',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'nonsense',
    ]
    for (const type of types) {
      const init = { headers: { 'content-type': type }, body: JSON.stringify(valid) }
      await expectRefusal(await send(browser, call, init), type, 'unsupported-media-type')
    }

    const refused = async (body: unknown, what: string) =>
      expectRefusal(await send(browser, call, asJson(JSON.stringify(body))), what)

    await refused({ ...valid, unknown: 'field' }, 'unknown field')
    await refused({ ...valid, ['x'.repeat(5000)]: 1 }, 'long unknown field')
    const thousands = Object.fromEntries(Array.from({ length: 5000 }, (_, each) => [`x${each}`, 1]))
    await refused({ ...valid, ...thousands }, 'thousands of unknown fields')
    for (const [field, value] of Object.entries(valid)) {
      for (const wrong of [null, 7, true, [], [value], { value }, '', 'x'.repeat(5000)]) {
        if (field === 'queryParams' && JSON.stringify(wrong) === '{}') continue
        // Another boolean or number is still valid, and an empty list removes the questions.
        if (typeof wrong === typeof value && /boolean|number/.test(typeof wrong)) continue
        if (call.name === 'setQuestions' && JSON.stringify(wrong) === '[]') continue
        // A visit without a referrer sends null.
        if (field === 'referrer' && wrong === '') continue
        await refused(
          { ...valid, [field]: wrong },
          `${field} ${JSON.stringify(wrong).slice(0, 40)}`,
        )
      }
      if (typeof value !== 'string' || SECRETS.has(field)) continue
      for (const unseen of UNSEEN) {
        const hidden = `${value.slice(0, 2)}${unseen}${value.slice(2)}`
        await refused({ ...valid, [field]: hidden }, `${field} ${JSON.stringify(unseen)}`)
      }
    }
  })
}

test('3 queries that are incomplete, doubled, too long or have hidden characters are refused', async () => {
  const { browser } = shared
  for (const call of WITH_QUERY) {
    const query = new URLSearchParams(QUERIES[call.name])
    const [[name = '', value = ''] = []] = query
    const wrong = [
      '',
      `${query}&unknown=1`,
      `__proto__=x&${query}`,
      `${query}&${name}=${value}`,
      `${query}&${name}=other`,
      `${name}[]=${value}`,
      `${name}=${'x'.repeat(5000)}`,
      ...UNSEEN.slice(0, -1).map((each) => `${name}=${encodeURIComponent(each)}${value}`),
    ]
    for (const each of wrong) {
      const { headers, body } = bodyOf(call)
      const authorization = browser.jwt.read() ?? ''
      const response = await browser.fetch(`${call.path}?${each}`, {
        method: call.method,
        headers: { ...(headers as Record<string, string> | undefined), authorization },
        ...(body === undefined ? {} : { body }),
      })
      await expectRefusal(response, `${call.name} ${each.slice(0, 80)}`, 'invalid-request')
    }
  }
})

test('RFC 7644 3.12 hostile bodies of SCIM are refused in its own format', async () => {
  await using world = await aWorld()
  const { token, addUser } = await aDirectory(world)
  const id = await addUser({ userName: 'ada@northgale.example' })
  const deep = (open: string, close: string) => `${open.repeat(10_000)}1${close.repeat(10_000)}`
  const bodies = [
    '',
    '{',
    'null',
    '[]',
    '1e999',
    deep('[', ']'),
    deep('{"a":', '}'),
    '{"userName":{"a":1},"displayName":7,"Operations":[{"op":{}}]}',
    '{"userName":"a\\u0000b","displayName":"a\\u0000b","Operations":[{"op":"replace","path":"displayName","value":"a\\u0000b"}]}',
    `{"Operations":[${Array.from({ length: 5000 }, () => '{"op":"add","value":{"displayName":"a"}}').join()}]}`,
    `{"userName":"${'x'.repeat(5000)}","displayName":"${'x'.repeat(5000)}"}`,
    '{"__proto__":{"userName":"x"},"constructor":{"displayName":"x"}}',
  ]
  for (const [method, path] of [
    ['POST', '/Users'],
    ['PUT', `/Users/${id}`],
    ['PATCH', `/Users/${id}`],
    ['PATCH', '/Users/%00'],
    ['POST', '/Groups'],
  ] as const) {
    for (const body of bodies) {
      const response = await fetch(`${world.url}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
        body,
      })
      const what = `${method} ${path} ${body.slice(0, 60)}`
      const text = await response.text()
      expect(response.status, what).toBeGreaterThanOrEqual(400)
      expect(response.status, `${what}: ${text}`).toBeLessThan(500)
      expect(JSON.parse(text).schemas, what).toEqual([
        'urn:ietf:params:scim:api:messages:2.0:Error',
      ])
    }
  }
})

test('7.2 fields and queries with hidden characters or duplicates are refused', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const named = 'readRegistrationVerification'
  for (const call of CALLS.filter(({ name }) => name === named)) {
    const valid = QUERIES[call.name] ?? {}
    const query = new URLSearchParams(valid).toString()
    expect((await browser.fetch(`${call.path}?${query}`)).status).toBe(200)
    const wrong = [
      '',
      `${query}&unknown=1`,
      `${query}&organization=OTHER`,
      `${query}&identityUuid=not-a-uuid`,
      `${query}&identityUuid=${UUID}&identityUuid=${UUID}`,
      ...UNSEEN.slice(0, -1).map((each) =>
        query.replace('FIGURE', `FI${encodeURIComponent(each)}GURE`),
      ),
      query.replace('nobody', 'no%00body'),
      query.replace('FIGURE', 'x'.repeat(5000)),
      query.replace('%40', '@@'),
      `__proto__=x&${query}`,
    ]
    for (const each of wrong) {
      await expectRefusal(await browser.fetch(`${call.path}?${each}`), each.slice(0, 200))
    }
  }
})

test('7.3 parameters with hidden characters are refused, in names and in values', async () => {
  const { browser } = shared
  const [call] = LEAD_PORTAL_CALLS
  for (const unseen of UNSEEN) {
    for (const queryParams of [{ [`a${unseen}`]: 'x' }, { name: `a${unseen}` }]) {
      const response = await send(browser, call, asJson(JSON.stringify({ queryParams })))
      await expectRefusal(response, JSON.stringify(queryParams), 'invalid-request')
    }
  }
  const thousands = Object.fromEntries(
    Array.from({ length: 3000 }, (_, each) => [`x${each}`, each]),
  )
  const response = await send(browser, call, asJson(JSON.stringify({ queryParams: thousands })))
  await expectRefusal(response, 'thousands of wrong values', 'invalid-request')
})

test('9 a changing call from another site, or with cookies and no origin, is refused', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: world.origin.replace('http:', 'https:') },
    { origin: `${world.origin}.evil.example` },
    { origin: world.origin, 'sec-fetch-site': 'cross-site' },
    { origin: world.origin, 'sec-fetch-site': 'same-site' },
  ]
  for (const call of CHANGING) {
    const body = bodyOf(call)
    for (const headers of foreign) {
      const response = await send(browser, call, {
        ...body,
        headers: { ...(body.headers as Record<string, string> | undefined), ...headers },
      })
      await expectRefusal(response, `${call.name} ${JSON.stringify(headers)}`, 'foreign-origin')
    }
    const unnamed = await fetch(new URL(call.path, world.url), {
      method: call.method,
      ...body,
      headers: {
        ...(body.headers as Record<string, string> | undefined),
        cookie: `portico-session=${browser.cookies.get('portico-session')}`,
        authorization: browser.jwt.read() ?? '',
      },
    })
    await expectRefusal(unnamed, `${call.name} without an origin`, 'foreign-origin')
  }
  // None of these requests ended the session.
  expect((await browser.fetch('/dashboard')).status).toBe(200)
})

test('9 a program without cookies needs no origin', async () => {
  await using world = await aWorld()
  const response = await fetch(`${world.url}/identity/api/v1/registration/register`, {
    method: 'POST',
    ...asJson('{"email":"program@people.example"}'),
  })
  expect(response.status).toBe(200)
})

test('9 a duplicated session cookie is ignored', async () => {
  const { world, browser } = await signedIn()
  await using _ = world
  const cookie = `portico-session=${browser.cookies.get('portico-session')}`
  for (const call of WITH_SESSION) {
    const body = bodyOf(call)
    const response = await send(browser, call, {
      ...body,
      headers: {
        ...(body.headers as Record<string, string> | undefined),
        cookie: `${cookie}; portico-session=other; ${cookie}`,
      },
    })
    await expectRefusal(response, call.name, 'unauthenticated')
  }
})

test('6 a call that needs a session is refused without one, whatever the body', async () => {
  await using world = await aWorld()
  for (const call of WITH_SESSION) {
    const body = call.body === Bytes ? bodyOf(call) : call.body === undefined ? {} : asJson('{}')
    await expectRefusal(await send(world.browser(), call, body), call.name, 'session-ended')
  }
})

test('3 an address of the API answers other methods with 404 in the error shape', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  for (const call of CALLS) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      if (CALLS.some((other) => other.path === call.path && other.method === method)) continue
      const response = await browser.fetch(call.path, { method })
      await expectRefusal(response, `${method} ${call.path}`, 'not-found')
    }
  }
})

test('3 invalid HTTP and invalid URLs are refused in the error shape', async () => {
  await using world = await aWorld()
  const requests = {
    'no HTTP': 'hello\r\n\r\n',
    'an unknown method': 'BREW /auth/login HTTP/1.1\r\nHost: x\r\n\r\n',
    'two lengths': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'a length and chunks':
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'headers without end': `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    'a broken escape': 'GET /auth/%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'a lone percent sign': 'GET /% HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  }
  for (const [what, request] of Object.entries(requests)) {
    const answer = await rawRequest(world.url, request)
    const [head = '', ...rest] = answer.split('\r\n\r\n')
    expect(head, what).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(head.toLowerCase(), what).toContain('x-content-type-options: nosniff')
    expect(JSON.parse(rest.join('')), what).toEqual({
      code: expect.any(String),
      message: expect.any(String),
      errors: [expect.any(String)],
    })
  }
})

test('5 a request with two Host headers is refused, for a page, a call and a websocket', async () => {
  await using world = await aWorld()
  const [host] = [new URL(world.url).host]
  const ask = (path: string, hosts: readonly string[], more: readonly string[] = []) =>
    rawRequest(
      world.url,
      [
        `GET ${path} HTTP/1.1`,
        ...hosts.map((each) => `Host: ${each}`),
        ...(more.length === 0 ? ['Connection: close'] : more),
        '',
        '',
      ].join('\r\n'),
    )
  const websocket = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  for (const path of ['/auth/login', '/healthz', '/identity/secure/api/v1/identity']) {
    expect(await ask(path, [host, 'attacker.example']), path).toMatch(/^HTTP\/1\.1 400 /)
    expect(await ask(path, [host, host]), path).toMatch(/^HTTP\/1\.1 400 /)
  }
  const relay = '/service-wallet-connect-bridge/ws/external'
  expect(await ask(relay, [host, host], websocket)).toMatch(/^HTTP\/1\.1 400 /)
  expect(await ask('/healthz', [host])).toMatch(/^HTTP\/1\.1 200 /)
})
