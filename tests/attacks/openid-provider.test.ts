/** Attacks on the OpenID Connect provider of the lender's applications. Each is refused, and a control shows the honest request. */
import {
  createHash,
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import { confirmIdentity, sendConfirmation } from '@portico/contracts/account-security'
import { BROKER } from '@portico/contracts/broker'
import { readIdentity, setPassword } from '@portico/contracts/identity'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'
import { buildServer } from '@portico/server/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  beginAt,
  PROVIDER_PEOPLE,
  signInAtProvider,
  upToCallback,
} from '../support/identity-provider.ts'
import {
  basic,
  follow,
  type LenderApplication,
  lenderApplication,
  publicClient,
} from '../support/lender-application.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { rawRequest } from '../support/raw-request.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, OTHER_PASSWORD } from '../support/world.ts'

const CALLBACK = 'https://app.lender.example/callback'
const GOODBYE = 'https://app.lender.example/goodbye'
const SECRET = 'a secret of the confidential client'
const EVIL = 'https://evil.example/'
const RACERS = Array.from({ length: 12 }, (_, index) => index)

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { crv, x, y } = publicKey.export({ format: 'jwk' })
const KEY = { kty: 'EC' as const, crv, x, y, kid: 'key' }

const CLIENTS = [
  publicClient('victim', { redirectUris: [CALLBACK], postLogoutRedirectUris: [GOODBYE] }),
  publicClient('other', { redirectUris: ['https://other.lender.example/callback'] }),
  publicClient('confidential', {
    redirectUris: [CALLBACK],
    authentication: 'secret',
    secretHashes: [createHash('sha256').update(SECRET).digest('hex')],
  }),
  publicClient('signing', {
    redirectUris: [CALLBACK],
    authentication: 'private-key',
    publicKeys: [KEY],
  }),
  publicClient('harbor', { organization: 'HARBORLINE', redirectUris: [CALLBACK] }),
  publicClient('pushing', { redirectUris: [CALLBACK], pushedRequestsOnly: true }),
  publicClient('modest', { redirectUris: [CALLBACK], scopes: ['openid'] }),
  publicClient('disabled', { redirectUris: [CALLBACK], enabled: false }),
]

let world: Awaited<ReturnType<typeof aWorld>>
let victim: LenderApplication
let other: LenderApplication
beforeAll(async () => {
  world = await aWorld()
    .withClients(CLIENTS)
    .withNodes(ON_POSTGRES ? 2 : 1)
  victim = await openClient('victim')
  other = await openClient('other', 'https://other.lender.example/callback')
})
afterAll(() => world[Symbol.asyncDispose]())

function openClient(clientId: string, redirectUri = CALLBACK) {
  return lenderApplication(world, { clientId, secret: undefined, redirectUri })
}

async function signedIn(who: { email: string; password: string } = PEOPLE.plain) {
  const browser = world.browser()
  await browser.signIn(who)
  return browser
}

/** The query with which an authorization request returns to the application. */
async function answerTo(params: Readonly<Record<string, string>>, application = victim) {
  const begun = await application.begin(params)
  return new URL(await follow(await signedIn(), begun.url))
}

/** The response to a request with changed parameters, without following redirects. */
async function authorize(change: (query: URLSearchParams) => void) {
  const url = new URL((await victim.begin()).url)
  change(url.searchParams)
  const response = await (await signedIn()).fetch(url.href)
  return { response, location: response.headers.get('location') ?? '' }
}

/** The response to a browser without a session. */
async function authorizeAsStranger(params: Readonly<Record<string, string>>) {
  const response = await world.browser().fetch((await victim.begin(params)).url)
  return { location: response.headers.get('location') ?? '' }
}

const records = () => world.query('select count(*) as count from openid_records')

test('control: the honest request is answered with a code', { tags: 'database' }, async () => {
  const { response, location } = await authorize(() => undefined)
  expect(response.status).toBe(303)
  expect(location).toMatch(/^https:\/\/app\.lender\.example\/callback\?code=/)
})

test.each([
  ['a longer path', `${CALLBACK}/more`],
  ['a longer name', 'https://app.lender.example/callbackx'],
  ['path traversal', 'https://app.lender.example/callback/../callback'],
  ['encoded traversal', 'https://app.lender.example/x/%2e%2e/callback'],
  ['an encoded letter', 'https://app.lender.example/c%61llback'],
  ['a fragment', `${CALLBACK}#`],
  ['a query', `${CALLBACK}?next=${EVIL}`],
  ['another port', 'https://app.lender.example:8443/callback'],
  ['the default port', 'https://app.lender.example:443/callback'],
  ['a user name', 'https://app.lender.example@evil.example/callback'],
  ['a subdomain', 'https://app.lender.example.evil.example/callback'],
  ['plain http', 'http://app.lender.example/callback'],
  ['upper case', 'https://app.lender.example/Callback'],
  ['a backslash', 'https://evil.example\\@app.lender.example/callback'],
  ['a script', 'javascript:alert(1)'],
  ['a redirect of another client', 'https://other.lender.example/callback'],
])('a redirect URI with %s is refused with a page', async (_, uri) => {
  const { response, location } = await authorize((query) => query.set('redirect_uri', uri))
  expect(response.status).toBe(400)
  expect(location).toBe('')
  expect(await response.text()).toContain('This sign-in cannot continue')
  const pushed = await victim.post('par', {
    client_id: 'victim',
    response_type: 'code',
    redirect_uri: uri,
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  expect(pushed.status).toBe(400)
})

/** The parameters that exchange a new code. */
async function newCode(application = victim) {
  const begun = await application.begin()
  const callback = new URL(await follow(await signedIn(), begun.url))
  return {
    grant_type: 'authorization_code',
    client_id: 'victim',
    redirect_uri: CALLBACK,
    code: callback.searchParams.get('code') ?? '',
    code_verifier: begun.verifier,
  }
}

const tokensOf = async (response: Response) =>
  (await response.json()) as { access_token: string; refresh_token: string; error?: string }

const isActive = async (token: string) =>
  (await (await victim.post('introspect', { client_id: 'victim', token })).json()).active as boolean

test('a replayed code is refused, and revokes the tokens it was exchanged for', async () => {
  const code = await newCode()
  const tokens = await tokensOf(await victim.post('token', code))
  expect(await isActive(tokens.access_token)).toBe(true)
  expect((await victim.post('token', code)).status).toBe(400)
  expect(await isActive(tokens.access_token)).toBe(false)
  expect(await isActive(tokens.refresh_token)).toBe(false)
})

test('at most one racing exchange of a code succeeds, and its tokens are useless', {
  tags: 'database',
}, async () => {
  const code = await newCode()
  const responses = await Promise.all(RACERS.map(() => victim.post('token', code)))
  const succeeded = responses.filter(({ ok }) => ok)
  expect(succeeded.length).toBeLessThanOrEqual(1)
  for (const response of succeeded) {
    expect(await isActive((await tokensOf(response)).access_token)).toBe(false)
  }
})

test('a replayed refresh token is refused, and ends the whole family', {
  tags: 'database',
}, async () => {
  const browser = await signedIn()
  const first = await victim.signIn(browser)
  const second = await victim.refresh(first.refresh_token ?? '')
  await expect(victim.refresh(first.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  await expect(victim.refresh(second.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect(await isActive(second.access_token)).toBe(false)
  // The attacker cannot end the session: the user signs in again without a page.
  expect((await victim.signIn(browser, { prompt: 'none' })).access_token).toBeDefined()
})

test('at most one racing refresh succeeds, and its tokens are useless', {
  tags: 'database',
}, async () => {
  const { refresh_token: token = '' } = await victim.signIn(await signedIn())
  const results = await Promise.allSettled(RACERS.map(() => victim.refresh(token)))
  const succeeded = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(succeeded.length).toBeLessThanOrEqual(1)
  for (const each of succeeded) {
    await expect(victim.refresh(each.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect(await isActive(each.access_token)).toBe(false)
  }
})

/** Longer than a client may repeat a refresh. */
const AFTER_GRACE_MS = 11_000

const openConfidential = () =>
  lenderApplication(world, { clientId: 'confidential', secret: SECRET, redirectUri: CALLBACK })

test('control: an authenticated client that refreshes twice within seconds gets the same successor', {
  tags: 'database',
}, async () => {
  const confidential = await openConfidential()
  const { refresh_token: first = '' } = await confidential.signIn(await signedIn())
  const lost = await confidential.refresh(first)
  world.clock.pass(5000)
  const repeated = await confidential.refresh(first)
  expect(repeated.refresh_token).toBe(lost.refresh_token)
  expect(repeated.refresh_token).not.toBe(first)
  expect(repeated.access_token).not.toBe(lost.access_token)
  for (const { access_token: token } of [lost, repeated]) {
    expect(await confidential.introspect(token)).toMatchObject({ active: true })
  }
  world.clock.pass(AFTER_GRACE_MS)
  const next = await confidential.refresh(repeated.refresh_token ?? '')
  expect(next.refresh_token).not.toBe(repeated.refresh_token)
})

test('control: racing refreshes of an authenticated client all get one successor, which works', {
  tags: 'database',
}, async () => {
  const confidential = await openConfidential()
  const { refresh_token: first = '' } = await confidential.signIn(await signedIn())
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: first })
  const responses = await Promise.all(
    RACERS.map((index) =>
      fetch(`${world.nodes[index % world.nodes.length]?.url}/oidc/token`, {
        method: 'POST',
        headers: basic('confidential', SECRET),
        body,
      }),
    ),
  )
  expect(responses.map(({ status }) => status)).toEqual(RACERS.map(() => 200))
  const successors = await Promise.all(
    responses.map(async (response) => (await tokensOf(response)).refresh_token),
  )
  expect(new Set(successors).size).toBe(1)
  world.clock.pass(AFTER_GRACE_MS)
  expect(await confidential.refresh(successors[0] ?? '')).toBeDefined()
})

test.each<[string, (application: LenderApplication, successor: string) => unknown]>([
  ['seconds later', () => world.clock.pass(AFTER_GRACE_MS)],
  ['after its successor was used', (application, successor) => application.refresh(successor)],
])(
  'a stolen refresh token that is used %s ends the whole family',
  {
    tags: 'database',
  },
  async (_, pass) => {
    const confidential = await openConfidential()
    const first = await confidential.signIn(await signedIn())
    const second = await confidential.refresh(first.refresh_token ?? '')
    await pass(confidential, second.refresh_token ?? '')
    for (const token of [first.refresh_token, second.refresh_token]) {
      await expect(confidential.refresh(token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    }
    expect(await confidential.introspect(second.access_token)).toEqual({ active: false })
  },
)

test('a used refresh token is repeated by its authenticated client alone', async () => {
  const confidential = await openConfidential()
  const { refresh_token: first = '' } = await confidential.signIn(await signedIn())
  const second = await confidential.refresh(first)
  const refresh = { grant_type: 'refresh_token', refresh_token: first }
  expect(await confidential.introspect(first)).toEqual({ active: false })
  const stranger = await victim.post('token', { ...refresh, client_id: 'confidential' })
  expect(stranger.status).toBe(401)
  const wrong = basic('confidential', 'another secret')
  expect((await victim.post('token', refresh, wrong)).status).toBe(401)
  const foreign = await victim.post('token', { ...refresh, client_id: 'victim' })
  expect(await tokensOf(foreign)).toMatchObject({ error: 'invalid_grant' })
  const wider = { ...refresh, scope: 'openid email wallet' }
  expect((await confidential.post('token', wider)).status).toBe(400)
  expect((await confidential.refresh(first)).refresh_token).toBe(second.refresh_token)
})

test('what is stored of a repeatable refresh yields no token', { tags: 'database' }, async () => {
  const confidential = await openConfidential()
  const { refresh_token: first = '' } = await confidential.signIn(await signedIn())
  const { refresh_token: second = '' } = await confidential.refresh(first)
  const stored = JSON.stringify(await world.query('select * from openid_records'))
  expect(stored).toContain('successor')
  expect(stored).not.toContain(first)
  expect(stored).not.toContain(second)
})

test('mix-up: every response names the issuer, and the library refuses another one', async () => {
  const begun = await victim.begin()
  const callback = new URL(await follow(await signedIn(), begun.url))
  expect(callback.searchParams.get('iss')).toBe(`${world.origin}/oidc`)
  const refused = await answerTo({ scope: 'openid unknown', prompt: 'none', max_age: '-1' })
  expect(refused.searchParams.get('error')).toBeTruthy()
  expect(refused.searchParams.get('iss')).toBe(`${world.origin}/oidc`)
  callback.searchParams.set('iss', 'https://evil.example/oidc')
  await expect(victim.exchange(begun, callback)).rejects.toBeInstanceOf(Error)
})

test.each<[string, Record<string, string | undefined>]>([
  ['missing', { code_challenge: undefined, code_challenge_method: undefined }],
  ['plain', { code_challenge_method: 'plain' }],
  ['of no method, which means plain', { code_challenge_method: undefined }],
])('a PKCE challenge that is %s is refused', async (_, changes) => {
  const { location } = await authorize((query) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) query.delete(name)
      else query.set(name, value)
    }
  })
  expect(new URL(location).searchParams.get('error')).toBe('invalid_request')
  expect(location).not.toContain('code=')
})

test('a code is useless without its PKCE verifier, or with another one', async () => {
  const { code_verifier: verifier, ...code } = await newCode()
  for (const wrong of [{}, { code_verifier: 'x'.repeat(43) }, { code_verifier: '' }]) {
    expect((await victim.post('token', { ...code, ...wrong })).status).toBe(400)
  }
  expect((await victim.post('token', { ...code, code_verifier: verifier })).status).toBe(200)
})

test("another client's code and tokens are useless to a client", async () => {
  const code = await newCode()
  expect((await other.post('token', { ...code, client_id: 'other' })).status).toBe(400)
  const tokens = await victim.signIn(await signedIn())
  const form = { client_id: 'other', token: tokens.access_token }
  expect(await (await other.post('introspect', form)).json()).toEqual({ active: false })
  await other.post('revoke', form)
  await other.post('revoke', { client_id: 'other', token: tokens.refresh_token ?? '' })
  expect(await isActive(tokens.access_token)).toBe(true)
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
  expect((await other.post('token', { ...refresh, client_id: 'other' })).status).toBe(400)
  expect((await victim.post('token', { ...refresh, client_id: 'victim' })).status).toBe(200)
})

test('no page of another site logs a user out', async () => {
  const browser = await signedIn()
  const stillIn = async () => expect(await browser.call(readIdentity, {})).toBeDefined()
  const foreign = (await victim.signIn(await signedIn(PEOPLE.individual))).id_token ?? ''
  const older = (await victim.signIn(await signedIn())).id_token ?? ''
  for (const query of [
    '',
    '?client_id=victim',
    `?id_token_hint=${foreign}`,
    `?id_token_hint=${older}`,
  ]) {
    const response = await browser.fetch(`/oidc/logout${query}`)
    expect(await response.text()).toContain('Do you want to log out?')
    await stillIn()
  }
  const body = new URLSearchParams({ confirmed: 'true' })
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const response = await browser.fetch('/oidc/logout', { method: 'POST', headers, body })
  expect(response.status).toBe(403)
  await stillIn()
})

test('control: the user can agree to log out, and returns to the application', async () => {
  const browser = await signedIn()
  const query = `client_id=victim&post_logout_redirect_uri=${encodeURIComponent(GOODBYE)}&state=s`
  const question = await browser.fetch(`/oidc/logout?${query}`)
  expect(question.headers.get('content-security-policy')).toContain(
    "form-action 'self' https://app.lender.example",
  )
  const body = new URLSearchParams(`${query}&confirmed=true`)
  const response = await browser.fetch('/oidc/logout', { method: 'POST', body })
  expect(response.headers.get('location')).toBe(`${GOODBYE}?state=s`)
  expect(browser.cookies.has('portico-session')).toBe(false)
})

test.each([
  EVIL,
  `${GOODBYE}/more`,
  `${GOODBYE}#`,
  CALLBACK,
  '//evil.example/',
  'javascript:alert(1)',
])('a logout does not lead to %s', async (uri) => {
  for (const query of [{ client_id: 'victim' }, {}]) {
    const params = new URLSearchParams({ ...query, post_logout_redirect_uri: uri })
    const response = await world.browser().fetch(`/oidc/logout?${params}`)
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
  }
})

test('a refresh token stolen before a new password is useless after it', async () => {
  const who = PEOPLE.organizations
  const tokens = await victim.signIn(await signedIn(who))
  const owner = await signedIn(who)
  await owner.confirm(who)
  await owner.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  await expect(victim.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect(await isActive(tokens.access_token)).toBe(false)
})

test('a code stolen before the logout is useless after it', async () => {
  const browser = await signedIn()
  const begun = await victim.begin()
  const callback = new URL(await follow(browser, begun.url))
  await browser.logOut()
  const response = await victim.post('token', {
    grant_type: 'authorization_code',
    client_id: 'victim',
    redirect_uri: CALLBACK,
    code: callback.searchParams.get('code') ?? '',
    code_verifier: begun.verifier,
  })
  expect((await tokensOf(response)).error).toBe('invalid_grant')
})

test('a refresh widens no scope, and a token in the address of a request is not read', async () => {
  const tokens = await victim.signIn(await signedIn(), { scope: 'openid' })
  const refresh = {
    grant_type: 'refresh_token',
    client_id: 'victim',
    refresh_token: tokens.refresh_token ?? '',
  }
  const wider = await victim.post('token', { ...refresh, scope: 'openid email' })
  expect((await tokensOf(wider)).error).toBe('invalid_scope')
  const inAddress = await victim.post(`token?${new URLSearchParams(refresh)}`, {})
  expect(inAddress.status).toBe(400)
  const query = `access_token=${tokens.access_token}`
  expect((await fetch(`${world.origin}/oidc/userinfo?${query}`)).status).toBe(400)
  expect((await victim.post('token', refresh)).status).toBe(200)
})

test.each([
  'client_credentials',
  'password',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:grant-type:device_code',
])('the grant %s yields no token', async (grant) => {
  const { email: username, password } = PEOPLE.plain
  const response = await fetch(`${world.origin}/oidc/token`, {
    method: 'POST',
    headers: basic('confidential', SECRET),
    body: new URLSearchParams({ grant_type: grant, username, password, scope: 'openid' }),
  })
  expect(response.status).toBe(400)
  expect((await tokensOf(response)).error).toBe('unsupported_grant_type')
})

const unsigned = (claims: object) =>
  [{ alg: 'none' }, claims]
    .map((part) => encode(part))
    .join('.')
    .concat('.')
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

test.each([
  ['request', () => unsigned({ client_id: 'victim', redirect_uri: EVIL, scope: 'openid' })],
  ['request_uri', () => 'https://evil.example/request.jwt'],
  ['request_uri', () => 'urn:ietf:params:oauth:request_uri:invented'],
  ['registration', () => JSON.stringify({ redirect_uris: [EVIL] })],
])('%s is not accepted', async (name, value) => {
  const { response, location } = await authorize((query) => query.set(name, value()))
  expect(location).not.toContain('code=')
  expect(location.startsWith(EVIL)).toBe(false)
  expect(response.status === 400 || location.includes('error=')).toBe(true)
})

test('the claims parameter adds no claims, and another user cannot be requested', async () => {
  const modest = await openClient('modest')
  const claims = JSON.stringify({
    id_token: { email: { essential: true }, sub: { value: randomUUID() } },
    userinfo: { email: null, wallet_address: null },
  })
  const tokens = await modest.signIn(await signedIn(), { scope: 'openid', claims })
  expect(tokens.claims()).not.toHaveProperty('email')
  const info = await modest.userInfo(tokens.access_token, tokens.claims()?.sub ?? '')
  expect(info).not.toHaveProperty('email')
  const refused = await answerTo({ scope: 'openid email' }, modest)
  expect(refused.searchParams.get('error')).toBe('invalid_scope')
})

test.each([
  { response_mode: 'fragment' },
  { response_mode: 'form_post' },
  { response_mode: 'web_message' },
  { response_mode: 'query.jwt' },
  { response_type: 'token' },
  { response_type: 'id_token' },
  { response_type: 'code id_token' },
  { response_type: 'none' },
])('%j yields neither a code nor a token', async (params) => {
  const { response, location } = await authorize((query) => {
    for (const [name, value] of Object.entries(params)) query.set(name, value)
  })
  const all = `${location} ${await response.text()}`
  expect(all).toMatch(/unsupported_response|invalid_request|unauthorized_client|cannot continue/)
  expect(all).not.toMatch(/[?#&]code=|access_token|id_token=|name="code"/)
})

test('prompt=none without a session is answered with login_required', async () => {
  const begun = await victim.begin({ prompt: 'none' })
  const answer = new URL(await follow(world.browser(), begun.url))
  expect(answer.searchParams.get('error')).toBe('login_required')
  // A planted cookie is not a session.
  const planted = world.browser()
  planted.cookies.set('portico-openid-session', randomUUID())
  const again = new URL(await follow(planted, begun.url))
  expect(again.searchParams.get('error')).toBe('login_required')
})

test('a client of another organization learns nothing from a session', async () => {
  const harbor = await openClient('harbor')
  const browser = await signedIn()
  const silent = await harbor.begin({ prompt: 'none' })
  const answer = new URL(await follow(browser, silent.url))
  expect(answer.searchParams.get('error')).toBe('login_required')
  const page = new URL(await follow(browser, (await harbor.begin()).url))
  expect(page.pathname).toBe('/auth/login')
  expect(page.searchParams.get('orgCode')).toBe('HARBORLINE')
  expect(page.searchParams.get('prompt')).toBe('login')
  // Control: the user logs in on a page of that organization.
  const begun = await harbor.begin()
  const opened = new URL(await follow(browser, begun.url))
  const there = world.browser({ headers: { [ORGANIZATION_HEADER]: 'HARBORLINE' } })
  for (const [name, value] of browser.cookies) there.cookies.set(name, value)
  await there.signIn(PEOPLE.plain)
  const back = `${world.origin}${opened.searchParams.get('redirectUrl')}`
  const tokens = await harbor.exchange(begun, await follow(there, back))
  expect(tokens.claims()).toMatchObject({ organization: 'FIGURE' })
})

test.each(['redirect_uri', 'client_id', 'state', 'code_challenge', 'scope', 'prompt'])(
  'a repeated %s is refused',
  async (name) => {
    const { response, location } = await authorize((query) => query.append(name, EVIL))
    expect(location).not.toContain('code=')
    expect(response.status === 400 || location.includes('error=invalid_request')).toBe(true)
  },
)

test('a repeated code is refused', async () => {
  const form = new URLSearchParams(await newCode())
  form.append('code', 'other')
  const response = await fetch(`${world.url}/oidc/token`, { method: 'POST', body: form })
  expect(response.status).toBe(400)
})

test('a disabled client is refused, and the tokens of one that is disabled are useless', async () => {
  const begun = await victim.begin({ client_id: 'disabled' })
  const response = await (await signedIn()).fetch(begun.url)
  expect(response.status).toBe(400)
  expect(response.headers.get('location')).toBeNull()

  await using own = await aWorld().withClients([
    publicClient('victim', { redirectUris: [CALLBACK] }),
  ])
  const application = await lenderApplication(own, {
    clientId: 'victim',
    secret: undefined,
    redirectUri: CALLBACK,
  })
  const browser = own.browser()
  await browser.signIn(PEOPLE.plain)
  const tokens = await application.signIn(browser)
  await own.server.close()
  const data = own.parts.data
  if (data === undefined) throw new Error('The world has no data')
  const clients = data.clients.filter(({ clientId }) => clientId !== 'victim')
  const restarted = await buildServer(own.config, { ...own.parts, data: { ...data, clients } })
  try {
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const info = await restarted.app.inject({ url: '/oidc/userinfo', headers })
    expect(info.statusCode).toBe(401)
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
    const refresh = await restarted.app.inject({
      method: 'POST',
      url: '/oidc/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...form, client_id: 'victim' }).toString(),
    })
    expect(refresh.statusCode).toBe(401)
  } finally {
    await restarted.close()
  }
})

function assertion(header: object, signature: (text: string) => string, claims: object = {}) {
  const at = Math.floor(Date.now() / 1000)
  const payload = {
    iss: 'signing',
    sub: 'signing',
    aud: `${world.origin}/oidc`,
    jti: randomUUID(),
    iat: at,
    exp: at + 60,
    ...claims,
  }
  const text = `${encode(header)}.${encode(payload)}`
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${text}.${signature(text)}`,
  }
}
const es256 = (key: KeyObject) => (text: string) =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
const hs256 = (text: string) =>
  createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
    .update(text)
    .digest('base64url')

test('a client assertion without or with another signature, for others, or used before, is refused', async () => {
  const introspect = (form: Record<string, string>) =>
    victim.post('introspect', { token: 'unknown', ...form })
  const honest = assertion({ alg: 'ES256', kid: 'key' }, es256(privateKey))
  expect((await introspect(honest)).status).toBe(200)
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  for (const forged of [
    honest,
    assertion({ alg: 'none' }, () => ''),
    assertion({ alg: 'HS256', kid: 'key' }, hs256),
    assertion({ alg: 'ES256', kid: 'key' }, es256(stranger)),
    assertion({ alg: 'ES256', jwk: KEY }, es256(stranger)),
    assertion({ alg: 'ES256', kid: 'key' }, es256(privateKey), { aud: EVIL }),
    assertion({ alg: 'ES256', kid: 'key' }, es256(privateKey), { sub: 'victim' }),
    assertion({ alg: 'ES256', kid: 'key' }, es256(privateKey), { exp: 1 }),
  ]) {
    expect((await introspect(forged)).status).not.toBe(200)
  }
})

test('a secret is accepted as the secret only: not its hash, another, none, or in the address', async () => {
  const send = (headers: HeadersInit, form: Record<string, string> = {}, query = '') =>
    fetch(`${world.url}/oidc/introspect${query}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ token: 'unknown', ...form }),
    })
  const hash = createHash('sha256').update(SECRET).digest('hex')
  expect((await send(basic('confidential', encodeURIComponent(SECRET)))).status).toBe(200)
  for (const response of [
    await send(basic('confidential', hash)),
    await send(basic('confidential', '')),
    await send({}, { client_id: 'confidential' }),
    await send({}, { client_id: 'confidential' }, `?client_secret=${encodeURIComponent(SECRET)}`),
    await send(basic('victim', '')),
  ]) {
    expect([400, 401]).toContain(response.status)
  }
})

test('a pushed request is for its own client, once, and some clients must push', async () => {
  const begun = new URL((await victim.begin()).url)
  const pushed = await victim.post('par', Object.fromEntries(begun.searchParams))
  const { request_uri: uri } = (await pushed.json()) as { request_uri: string }
  const use = async (clientId: string) =>
    follow(
      await signedIn(),
      `${world.origin}/oidc/authorize?${new URLSearchParams({ client_id: clientId, request_uri: uri })}`,
    )
  expect(await use('other')).not.toContain('code=')
  expect(await use('victim')).toContain('code=')
  expect(await use('victim')).not.toContain('code=')
  const pushing = await openClient('pushing')
  expect((await answerTo({}, pushing)).searchParams.get('error')).toBe('invalid_request')
})

/** Begins a request that needs a login, up to our page. Returns the address of the interaction, as the page has it and alone. */
async function beginInteraction(
  browser: ReturnType<typeof world.browser>,
  params: Readonly<Record<string, string>> = {},
) {
  const begun = await victim.begin(params)
  const page = new URL(await follow(browser, begun.url))
  const returnTo = new URL(page.searchParams.get('redirectUrl') ?? '', world.origin)
  // Without the query, which only matters after the interaction has expired.
  return { begun, page, returnTo: returnTo.href, back: `${returnTo.origin}${returnTo.pathname}` }
}

test('an interaction that another browser began cannot be completed', async () => {
  const { back } = await beginInteraction(world.browser())
  const response = await (await signedIn()).fetch(back)
  expect(response.status).toBe(410)
  expect(await response.text()).toContain('This sign-in has expired')
})

test('a sign-in that another browser began continues only after a press on our page, and nothing that was proven for it counts', {
  tags: 'database',
}, async () => {
  const attacker = world.browser()
  const { back, begun } = await beginInteraction(attacker, { prompt: 'login' })
  await attacker.signIn(PEOPLE.individual)
  const resumed = (await attacker.fetch(back)).headers.get('location') ?? ''
  world.clock.pass(1000)
  const user = await signedIn()
  await beginInteraction(user, { prompt: 'login' })
  world.clock.pass(1000)
  for (const opened of [back, resumed]) {
    const page = await follow(user, new URL(opened, world.origin).href)
    expect(page).toBe(back)
  }
  const foreign = { method: 'POST', headers: { origin: EVIL } }
  expect((await user.fetch(back, foreign)).status).toBe(403)
  expect(await follow(user, back)).toBe(back)
  // Neither browser has a code, also if both press at once; only a new login gets one.
  await Promise.all(RACERS.map(() => user.fetch(back, { method: 'POST' })))
  const login = new URL(await follow(user, back))
  expect(login.pathname).toBe('/auth/login')
  expect(login.searchParams.get('prompt')).toBe('login')
  expect(await follow(attacker, new URL(resumed, world.origin).href)).not.toContain('code=')
  await user.signIn(PEOPLE.plain)
  const tokens = await victim.exchange(begun, await follow(user, back))
  expect(tokens.claims()).toMatchObject({ email: PEOPLE.plain.email })
  // It is over for both.
  for (const browser of [user, attacker]) {
    expect((await browser.fetch(back, { method: 'POST' })).status).toBe(303)
    expect((await browser.fetch(back)).status).toBe(410)
  }
})

const HALF_HOUR_MS = 30 * 60 * 1000

/** The button of the page of an expired sign-in. */
async function readExpiredPage(response: Response) {
  const html = await response.text()
  expect(response.status).toBe(410)
  expect(html).toContain('This sign-in has expired')
  const links = [...html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)]
  return links.map(([, href = '', text = '']) => ({ href: href.replaceAll('&#38;', '&'), text }))
}

test.each([31, 65, 24 * 60])(
  'a sign-in that expired %d minutes after it was opened begins anew with the request, by one press',
  {
    tags: 'database',
  },
  async (minutes) => {
    const browser = world.browser()
    const { begun, page, returnTo } = await beginInteraction(browser, { state: 'ünï&=+/?#%' })
    world.clock.pass(minutes * 60 * 1000)
    // The page says so before the password is typed.
    const reopened = await browser.fetch(page.href)
    expect(reopened.status).toBe(302)
    expect(new URL(reopened.headers.get('location') ?? '', world.origin).href).toBe(returnTo)
    const asked = await readExpiredPage(await browser.fetch(returnTo))
    expect(asked).toEqual([
      { href: expect.stringMatching(/^\/oidc\/authorize\?/), text: 'Start again' },
    ])
    // A password that was typed all the same is not asked for again.
    await browser.signIn(PEOPLE.plain)
    const [button] = await readExpiredPage(await browser.fetch(returnTo))
    const callback = new URL(await follow(browser, `${world.origin}${button?.href}`))
    expect(callback.searchParams.get('state')).toBe('ünï&=+/?#%')
    expect(
      (await victim.exchange({ ...begun, state: 'ünï&=+/?#%' }, callback)).claims(),
    ).toMatchObject({
      email: PEOPLE.plain.email,
    })
  },
)

test('a page that is opened in time says when its sign-in expires, also on the way to a second step', async () => {
  const { page } = await beginInteraction(world.browser())
  const html = await (await world.browser().fetch(page.href)).text()
  const [, remaining] = /expiresAt = Date\.now\(\) \+ (\d+)/.exec(html) ?? []
  expect(Number(remaining)).toBeGreaterThan(HALF_HOUR_MS - 60_000)
  expect(Number(remaining)).toBeLessThanOrEqual(HALF_HOUR_MS)
  const confirm = `/auth/confirm?${new URLSearchParams({ redirectUrl: page.searchParams.get('redirectUrl') ?? '' })}`
  const wrapped = `/auth/login?${new URLSearchParams({ orgCode: 'FIGURE', redirectUrl: confirm })}`
  expect(await (await world.browser().fetch(wrapped)).text()).toContain('expiresAt = Date.now()')
  world.clock.pass(HALF_HOUR_MS)
  expect((await world.browser().fetch(wrapped)).status).toBe(302)
  const plain = await (await world.browser().fetch('/auth/login?redirectUrl=%2Faccount')).text()
  expect(plain).not.toContain('expiresAt = Date.now()')
})

test.each<[string, Record<string, string>, () => Promise<LenderApplication>]>([
  ['is long', { state: 's'.repeat(1500) }, async () => victim],
  ['is of a client that must push it', {}, () => openClient('pushing')],
])('an expired sign-in whose request %s leads back to the application', async (_, params, open) => {
  const application = await open()
  const browser = world.browser()
  let { url } = await application.begin(params)
  if (application !== victim) {
    const pushed = Object.fromEntries(new URL(url).searchParams)
    const response = await application.post('par', pushed)
    const { request_uri: uri } = (await response.json()) as { request_uri: string }
    url = `${world.origin}/oidc/authorize?${new URLSearchParams({ client_id: 'pushing', request_uri: uri })}`
  }
  const page = new URL(await follow(browser, url))
  expect(page.pathname).toBe('/auth/login')
  world.clock.pass(HALF_HOUR_MS)
  const returnTo = page.searchParams.get('redirectUrl') ?? ''
  expect(await readExpiredPage(await browser.fetch(returnTo))).toEqual([
    { href: 'https://app.lender.example/', text: expect.stringMatching(/^Go to /) },
  ])
})

test('the page of an expired sign-in leads only to our own endpoint, with the parameters of a request', async () => {
  const page = (query: Record<string, string>) =>
    world.browser().fetch(`/oidc/interaction/unknown?${new URLSearchParams(query)}`)
  const forged = { client_id: 'victim', redirect_uri: EVIL, state: '"><script>', request: 'x' }
  const [button, ...others] = await readExpiredPage(await page({ ...forged, post_logout: EVIL }))
  expect(others).toEqual([])
  expect(button?.href).toMatch(/^\/oidc\/authorize\?client_id=victim&redirect_uri=/)
  expect(button?.href).not.toMatch(/[<>]|request=|post_logout/)
  const refused = await world.browser().fetch(button?.href ?? '')
  expect([refused.status, refused.headers.get('location')]).toEqual([400, null])
  for (const client of ['disabled', 'unknown', 'toString']) {
    expect(await readExpiredPage(await page({ ...forged, client_id: client }))).toEqual([])
  }
  expect(await readExpiredPage(await page({}))).toEqual([])
  // An ID token names the user, so no address carries it.
  const tokens = await victim.signIn(await signedIn())
  const { page: login } = await beginInteraction(world.browser(), {
    id_token_hint: tokens.id_token ?? '',
  })
  expect(login.href).not.toContain('id_token_hint')
  expect(login.searchParams.get('redirectUrl')).toMatch(/\?client_id=victim$/)
})

test('an interaction is completed once', { tags: 'database' }, async () => {
  const browser = world.browser()
  const { back } = await beginInteraction(browser)
  await browser.signIn(PEOPLE.plain)
  const cookies = new Map(browser.cookies)
  const resumed = (await browser.fetch(back)).headers.get('location') ?? ''
  expect(await follow(browser, resumed)).toContain('code=')
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  expect((await browser.fetch(back)).status).toBe(410)
  expect((await browser.fetch(resumed)).headers.get('location') ?? '').not.toContain('code=')
})

test('sign-ins that are left open keep one cookie, and the first of them still completes', async () => {
  const browser = world.browser()
  const first = await beginInteraction(browser)
  const kept = browser.cookies.size
  for (let open = 0; open < 20; open += 1) await browser.fetch((await victim.begin()).url)
  expect(browser.cookies.size).toBe(kept)
  expect([...browser.cookies.keys()].filter((name) => /openid/.test(name))).toHaveLength(1)
  await browser.signIn(PEOPLE.plain)
  expect(await follow(browser, first.back)).toContain('code=')
})

test('an account that is changed while a sign-in is completed gets its own code, not an error', async () => {
  const browser = world.browser()
  const { begun, back } = await beginInteraction(browser)
  await browser.signIn(PEOPLE.plain)
  const resumed = (await browser.fetch(back)).headers.get('location') ?? ''
  await browser.signIn(PEOPLE.individual)
  const tokens = await victim.exchange(begun, await follow(browser, resumed))
  expect(tokens.claims()).toMatchObject({ email: PEOPLE.individual.email })
})

test.each([
  ['a prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }, 503],
  ['an old prefetch', { headers: { purpose: 'prefetch' } }, 503],
  ['a link checker', { method: 'HEAD' }, 503],
])('%s stores nothing', async (_, request, status) => {
  const before = await records()
  const browser = world.browser()
  const response = await browser.fetch((await victim.begin()).url, request)
  expect(response.status).toBe(status)
  expect(browser.cookies.size).toBe(0)
  expect(await records()).toEqual(before)
})

test('requests without an account store little, and not for long', {
  tags: 'database',
}, async () => {
  const before = await records()
  const { location } = await authorizeAsStranger({ state: 's'.repeat(9000) })
  expect(new URL(location).searchParams.get('error')).toBe('invalid_request')
  expect(await records()).toEqual(before)

  await authorizeAsStranger({ state: 's'.repeat(4000) })
  const [stored] = await world.query(
    `select expires_at - created_at as lifetime from openid_records where kind = 'Interaction' order by created_at desc limit 1`,
  )
  expect(Number(stored?.['lifetime'])).toBe(30 * 60 * 1000)
})

test.each([{ max_age: '60' }, { prompt: 'login' }, { max_age: '0' }])(
  'an old login does not pass %j, whatever the user opens next',
  async (params) => {
    const browser = await signedIn()
    world.clock.pass(5 * 60 * 1000)
    const { begun, page, back } = await beginInteraction(browser, params)
    expect(page.pathname).toBe('/auth/login')
    expect(page.searchParams.get('prompt')).toBe('login')
    expect(new URL(await follow(browser, back)).pathname).toBe('/auth/login')
    // Control: a new login does.
    await browser.signIn(PEOPLE.plain)
    const tokens = await victim.exchange(begun, await follow(browser, back))
    expect(tokens.claims()?.auth_time).toBeGreaterThan(0)
  },
)

test('a login with one factor does not pass acr_values=two-factor', async () => {
  const browser = await signedIn()
  const { begun, page, back } = await beginInteraction(browser, { acr_values: 'two-factor' })
  expect(page.pathname).toBe('/auth/confirm')
  expect(new URL(await follow(browser, back)).pathname).toBe('/auth/confirm')
  const silent = await victim.begin({ acr_values: 'two-factor', prompt: 'none' })
  expect(await follow(browser, silent.url)).toContain('error=login_required')
  // Control: a second proof does.
  const { loginUuid } = await browser.call(sendConfirmation, {})
  const token = await world.passcode(PEOPLE.plain.email)
  await browser.call(confirmIdentity, { body: { loginUuid, token } })
  const tokens = await victim.exchange(begun, await follow(browser, back))
  expect(tokens.claims()).toMatchObject({ acr: 'two-factor', amr: ['pwd', 'otp', 'mfa'] })
})

test('tokens of one kind are useless as another', async () => {
  const browser = await signedIn()
  const tokens = await victim.signIn(browser)
  const session = browser.jwt.read()?.replace('Bearer ', '') ?? ''
  for (const token of [session, tokens.id_token ?? '', tokens.refresh_token ?? '']) {
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${world.url}/oidc/userinfo`, { headers })).status).toBe(401)
  }
  const inAddress = `${world.url}/oidc/userinfo?access_token=${tokens.access_token}`
  expect((await fetch(inAddress)).status).not.toBe(200)
  for (const token of [tokens.access_token, tokens.id_token ?? '']) {
    browser.jwt.write(token)
    const calls = await outcomes([browser.call(readIdentity, {})])
    expect(calls).not.toHaveProperty('answered')
  }
})

test("an ID token of another user as a hint does not yield this user's code", async () => {
  const hint = (await victim.signIn(await signedIn(PEOPLE.individual))).id_token ?? ''
  const silent = await answerTo({ id_token_hint: hint, prompt: 'none' })
  expect(silent.searchParams.get('error')).toBe('login_required')
  const browser = await signedIn()
  const { begun, back } = await beginInteraction(browser, { id_token_hint: hint })
  await browser.signIn(PEOPLE.plain)
  const answer = new URL(await follow(browser, back))
  expect(answer.searchParams.get('error')).toBe('login_required')
  expect(answer.searchParams.get('state')).toBe(begun.state)
})

test('pages of other origins cannot read tokens and claims', async () => {
  const headers = { origin: 'https://evil.example' }
  const body = new URLSearchParams(await newCode())
  const tokens = await fetch(`${world.url}/oidc/token`, { method: 'POST', headers, body })
  expect(tokens.headers.get('access-control-allow-origin')).toBeNull()
  const { access_token: token } = await victim.signIn(await signedIn())
  const authorization = `Bearer ${token}`
  const info = await fetch(`${world.url}/oidc/userinfo`, { headers: { ...headers, authorization } })
  expect(info.headers.get('access-control-allow-origin')).toBeNull()
  // Control: the page of the client can.
  const own = { origin: 'https://app.lender.example', authorization }
  const read = await fetch(`${world.url}/oidc/userinfo`, { headers: own })
  expect(read.headers.get('access-control-allow-origin')).toBe(own.origin)
})

test('4.4 a login at an identity provider has the provider’s organization, never that of a cookie, header or query', {
  tags: 'database',
}, async () => {
  const { customer, known } = PROVIDER_PEOPLE
  const harbor = await lenderApplication(world, {
    clientId: 'harbor',
    secret: undefined,
    redirectUri: CALLBACK,
  })
  const loginCodes = () =>
    world.query(
      `select distinct organization_code from sessions where method = 'provider' and ended_at is null`,
    )
  const cookie = ['portico-organization', 'HARBORLINE'] as const

  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', customer)
  browser.cookies.set(...cookie)
  const response = await browser.fetch(`${callback}&orgCode=HARBORLINE`, {
    headers: { [ORGANIZATION_HEADER]: 'HARBORLINE' },
  })
  expect(response.headers.get('location')).toContain('orgCode=NORTHGALE')
  const { jwt = '' } = await browser.call(BROKER.customer.redeemLogin, { body: { state } })
  browser.jwt.write(jwt)
  expect(await loginCodes()).toEqual([{ organization_code: 'NORTHGALE' }])
  const { url } = await harbor.begin()
  expect(await follow(browser, url)).toMatch(/\/auth\/login\?orgCode=HARBORLINE&/)

  // An account is connected: the same holds for the call with the mailed passcode.
  const owner = world.browser()
  const begun = await beginAt(owner, 'customer', { email: known.email })
  await owner.fetch(await signInAtProvider(owner, begun.redirect ?? '', known))
  owner.cookies.set(...cookie)
  const linked = await owner.call(BROKER.customer.linkAccount, {
    body: { state: begun.state ?? '', token: await world.passcode(known.email) },
    headers: { [ORGANIZATION_HEADER]: 'HARBORLINE' },
  })
  owner.jwt.write(linked.jwt)
  expect(await loginCodes()).toEqual([{ organization_code: 'NORTHGALE' }])
  expect(await follow(owner, (await harbor.begin()).url)).toMatch(
    /\/auth\/login\?orgCode=HARBORLINE&/,
  )
})

test('4.4 a provider’s callback is refused on a host that does not serve the provider’s organization', async () => {
  const browser = world.browser()
  const { callback } = await upToCallback(browser, 'customer', PROVIDER_PEOPLE.customer)
  const { pathname, search } = new URL(callback)
  const lines = [
    `GET ${pathname}${search} HTTP/1.1`,
    'Host: login.amberfield.example',
    `Cookie: ${[...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
    'Connection: close',
  ]
  const answer = await rawRequest(world.url, `${lines.join('\r\n')}\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 410 /)
  expect(answer).not.toMatch(/portico-session=/)
  // The login was not consumed.
  expect((await browser.fetch(callback)).status).toBe(302)
})
