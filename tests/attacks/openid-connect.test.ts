/** Attacks on logins at identity providers: none logs anyone in, the page explains it in plain words, and the log has the details. */
import { randomUUID } from 'node:crypto'
import { BROKER, type UserType } from '@portico/contracts/broker'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { PROVIDER_PEOPLE, upToCallback } from '../support/identity-provider.ts'
import { aWorld, refusal } from '../support/world.ts'
import {
  type Forgery,
  type ForgingProvider,
  forgingProvider,
  signedWithSecret,
  tampered,
  unsigned,
} from './support/forging-provider.ts'

const DOMAIN = 'cedar-point.example'
const VICTIM = `victim@${DOMAIN}`
const ORGANIZATION = { [ORGANIZATION_HEADER]: 'CEDAR_POINT' }
const MINUTE_MS = 60 * 1000

let world: Awaited<ReturnType<typeof aWorld>>
let provider: ForgingProvider
/** The set-up of the provider under attack; each test has its own, so that nothing is cached. */
let id = ''

beforeAll(async () => {
  world = await aWorld().withSettings({ IDENTITY_PROVIDER_HOSTS: '127.0.0.1' }).withLog('info')
})
afterAll(() => world[Symbol.asyncDispose]())

beforeEach(async () => {
  provider = await forgingProvider()
  id = await setUp(provider)
  return () => provider[Symbol.asyncDispose]()
})

async function setUp(
  { issuer }: Pick<ForgingProvider, 'issuer'>,
  {
    clientId = 'portico',
    userType = 'customer',
    requiredGroup = null,
  }: { clientId?: string; userType?: UserType; requiredGroup?: string | null } = {},
): Promise<string> {
  const { providers } = world.server.stores
  world.clock.pass(1)
  const at = world.clock.now()
  const created = randomUUID()
  await providers.insert({
    id: created,
    organizationCode: 'CEDAR_POINT',
    userType,
    protocol: 'oidc',
    name: 'Cedar ID',
    settings: JSON.stringify({ issuer, clientId }),
    secret: null,
    attributeMapping: '{}',
    requiredGroup,
    enabledAt: at,
    createdAt: at,
    updatedAt: at,
  })
  await providers.insertDomain({ providerId: created, domain: DOMAIN, verifiedAt: at })
  return created
}

async function begin(
  browser: Browser,
  email?: string,
): Promise<{ redirect: string; state: string }> {
  const body = email === undefined ? {} : { email }
  const { redirect, state } = await browser.call(BROKER.customer.beginLogin, {
    body,
    headers: ORGANIZATION,
  })
  if (redirect === undefined || state === undefined) throw new Error('No login began')
  return { redirect, state }
}

/** The victim's claims, of a new person for each test. */
const victim = () => ({ sub: randomUUID(), email: VICTIM, email_verified: true })

/** The number of rows that a login would create. */
const counts = () =>
  world.query(
    'select (select count(*) from sessions) as sessions, (select count(*) from identities) as identities, (select count(*) from provider_subjects) as subjects',
  )

/** Opens the callback and asserts that it signs no one in, in plain words and with details in the log. */
async function expectRefused(
  browser: Browser,
  url: URL | string,
  reason: string,
  status = 403,
): Promise<void> {
  const before = await counts()
  const logged = world.log.length
  const response = await browser.fetch(url.toString())
  expect(response.status).toBe(status)
  const page = /<main>.*<\/main>/s.exec(await response.text())?.[0]
  expect(page).toContain('Go to the login page')
  // Nothing technical reaches the user.
  expect(page).not.toMatch(/issuer|nonce|token|claim|signature|JWT|undefined/i)
  expect(browser.cookies.has('portico-session')).toBe(false)
  expect(await counts()).toEqual(before)
  const log = world.log.slice(logged).join('\n')
  if (reason !== '') expect(log).toContain(`"reason":"${reason}"`)
  expect(log).not.toMatch(/eyJ|@cedar-point/)
}

test('control: a correct response logs in', async () => {
  const browser = world.browser()
  const { redirect, state } = await begin(browser, `control@${DOMAIN}`)
  const claims = { ...victim(), email: `control@${DOMAIN}` }
  const response = await browser.fetch(provider.answerTo(redirect, claims).href)
  expect(response.status).toBe(302)
  const { jwt = '' } = await browser.call(BROKER.customer.redeemLogin, { body: { state } })
  browser.jwt.write(jwt)
  expect((await browser.call(BROKER.customer.readIdentity, {})).email).toBe(`control@${DOMAIN}`)
  // A provider without a logout page.
  expect(await browser.call(BROKER.customer.logOut, {})).toEqual({ redirect: '/auth/login' })
})

const other = { iss: 'https://issuer.attacker.example' }

test.each<[string, () => Forgery]>([
  ['a token for another audience', () => ({ claims: { aud: 'another-client' } })],
  [
    'a token for several audiences, issued to another',
    () => ({ claims: { aud: ['portico', 'another'], azp: 'another' } }),
  ],
  ['a token of another issuer', () => ({ claims: other })],
  ['a token with another nonce', () => ({ claims: { nonce: 'of another login' } })],
  ['a token without a nonce', () => ({ claims: { nonce: undefined } })],
  ['a token without a subject', () => ({ claims: { sub: undefined } })],
  ['an expired token', () => ({ claims: { exp: Math.floor(Date.now() / 1000) - 120 } })],
  ['a token that never expires', () => ({ claims: { exp: undefined } })],
  ['an unsigned token', () => ({ token: unsigned })],
  ['a token without its signature', () => ({ token: (token) => token.replace(/[^.]*$/, '') })],
  ['a tampered token', () => ({ token: (token) => tampered(token, { sub: 'the boss' }) })],
  ['a token signed with an unpublished key', () => ({ key: provider.otherKey })],
  [
    'a token signed with an unpublished key of another name',
    () => ({ key: provider.otherKey, header: { kid: 'other' } }),
  ],
  [
    'a token signed with a key in its own header',
    () => ({ key: provider.otherKey, header: { kid: undefined, jwk: {} } }),
  ],
  [
    'a token signed with the public key as a secret',
    () => ({
      token: (token) =>
        signedWithSecret(
          token,
          provider.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        ),
    }),
  ],
  ['no token', () => ({ token: () => undefined })],
  ['text in place of a token', () => ({ token: () => 'a.b.c' })],
  ['text in place of an answer', () => ({ answer: () => ({ body: '<html>' }) })],
  [
    'an endless answer',
    () => ({ answer: () => ({ body: `{"access_token":"${'a'.repeat(1_000_000)}"}` }) }),
  ],
])('OpenID Connect: %s', async (_, forgery) => {
  const browser = world.browser()
  const { redirect } = await begin(browser)
  await expectRefused(browser, provider.answerTo(redirect, victim(), forgery()), 'invalid-answer')
})

test('OpenID Connect: a callback is replayed', async () => {
  const browser = world.browser()
  const { redirect } = await begin(browser)
  const claims = { ...victim(), email: `replayed@${DOMAIN}` }
  const { href } = provider.answerTo(redirect, claims)
  const thief = world.browser()
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
  expect((await browser.fetch(href)).status).toBe(302)
  await expectRefused(thief, href, 'expired', 410)
})

test('OpenID Connect: a callback is opened in the browser of another user (login CSRF)', async () => {
  const { redirect } = await begin(world.browser())
  const answer = provider.answerTo(redirect, victim())
  await expectRefused(world.browser(), answer, 'expired', 410)
  // A browser with its own pending login does not help either.
  const second = world.browser()
  await begin(second)
  await expectRefused(second, answer, 'expired', 410)
})

test("OpenID Connect: an attacker's code in the state of another user's login (code injection)", async () => {
  const [attacker, user] = [world.browser(), world.browser()]
  const [stolen, own] = [await begin(attacker), await begin(user)]
  const answer = provider.answerTo(stolen.redirect, victim())
  answer.searchParams.set('state', own.state)
  await expectRefused(user, answer, 'invalid-answer')
})

test('OpenID Connect: the state is missing, doubled, or too long', async () => {
  const browser = world.browser()
  const { redirect, state } = await begin(browser)
  const answer = provider.answerTo(redirect, victim())
  for (const search of [
    '',
    `?state=${state}&state=${state}&code=x`,
    `?state=${'x'.repeat(5000)}`,
  ]) {
    const url = new URL(answer)
    url.search = search
    await expectRefused(browser, url, 'expired', 410)
  }
})

test('OpenID Connect mix-up: one provider’s response at the callback of another', async () => {
  await using second = await forgingProvider()
  const secondId = await setUp(second)
  const browser = world.browser()
  // The provider that was set up last is used, so this login goes to the second one.
  const { redirect } = await begin(browser)
  const answer = second.answerTo(redirect, victim())
  expect(answer.pathname).toContain(secondId)
  answer.pathname = answer.pathname.replace(secondId, id)
  await expectRefused(browser, answer, 'expired', 410)
})

test('OpenID Connect mix-up: the response names another issuer', async () => {
  const browser = world.browser()
  const { redirect } = await begin(browser)
  const answer = provider.answerTo(redirect, victim())
  answer.searchParams.set('iss', 'https://issuer.attacker.example')
  await expectRefused(browser, answer, 'invalid-answer')
})

test('OpenID Connect: the issuer changes between the login and the response', async () => {
  // The demonstration's issuer is below the origin of the request.
  const browser = world.browser()
  const { callback } = await upToCallback(browser, 'customer', PROVIDER_PEOPLE.customer)
  const logged = world.log.length
  await expectRefused(browser, callback.replace('127.0.0.1', 'localhost'), 'invalid-answer')
  const log = world.log.slice(logged).join('\n')
  expect(log).toContain(`${world.url}/idp`)
  expect(log).toContain(`${world.url.replace('127.0.0.1', 'localhost')}/idp`)
})

test('OpenID Connect: the metadata names another issuer; expected and found are in the log', async () => {
  provider.publish({ issuer: 'https://issuer.attacker.example' })
  expect(await refusal(begin(world.browser()))).toMatchObject({
    status: 503,
    code: 'provider-not-available',
  })
  expect(world.log.join('\n')).toContain(
    `"mismatch":{"field":"issuer","expected":"${provider.issuer}/","found":"https://issuer.attacker.example"}`,
  )
})

test('OpenID Connect: a login survives an outage of the metadata, but not of the provider', async () => {
  const browser = world.browser()
  const { redirect } = await begin(browser)
  world.clock.pass(11 * MINUTE_MS)
  provider.publish({ issuer: 'https://issuer.attacker.example' })
  // The last good copy, even while the provider does not respond: at most one login a minute waits for it.
  await begin(world.browser())
  provider.silence()
  const startedAt = performance.now()
  await begin(world.browser())
  expect(performance.now() - startedAt).toBeLessThan(2000)
  const late = world.browser()
  const second = await begin(late)
  const answer = provider.answerTo(second.redirect, victim())
  provider.stop()
  await expectRefused(late, answer, 'unavailable', 503)
  expect(redirect).not.toBe('')
})

test.each([
  ['500 with rubbish', { status: 500, body: '<html>' }, 'unavailable', 503],
  ['205 with a body', { status: 205, body: '{}' }, 'invalid-answer', 403],
])('OpenID Connect: the provider answers %s', async (_, rubbish, reason, status) => {
  const browser = world.browser()
  const { redirect } = await begin(browser)
  const answer = provider.answerTo(redirect, victim(), { answer: () => rubbish })
  await expectRefused(browser, answer, reason, status)
})

test.each(['a\u0000b', 'a\u200bb', 'x'.repeat(257)])(
  'OpenID Connect: a subject that no database can look up, or that looks like another: %j',
  async (sub) => {
    const browser = world.browser()
    const { redirect } = await begin(browser)
    await expectRefused(
      browser,
      provider.answerTo(redirect, { ...victim(), sub }),
      'invalid-answer',
    )
  },
)

test('OpenID Connect: a late response', async () => {
  const browser = world.browser()
  const { redirect } = await begin(browser)
  const answer = provider.answerTo(redirect, victim())
  world.clock.pass(10 * MINUTE_MS)
  await expectRefused(browser, answer, 'expired', 410)
})

test('OpenID Connect: the key was rotated and the old one signs', async () => {
  const browser = world.browser()
  const { redirect } = await begin(browser)
  provider.rotate('other')
  await expectRefused(browser, provider.answerTo(redirect, victim()), 'invalid-answer')
})

test('OpenID Connect: the provider declines', async () => {
  const browser = world.browser()
  const { redirect } = await begin(browser)
  const answer = provider.answerTo(redirect, victim())
  answer.searchParams.delete('code')
  answer.searchParams.set('error', 'access_denied')
  answer.searchParams.set('error_description', '<b>token</b>')
  await expectRefused(browser, answer, 'declined')
})

test.each([
  ['another address than the one entered', `other@${DOMAIN}`, {}, 'other-email'],
  [
    'an address of another domain',
    undefined,
    { email: 'ceo@elsewhere.example' },
    'unverified-email',
  ],
  ['an address below the domain', undefined, { email: `ceo@sub.${DOMAIN}` }, 'unverified-email'],
  [
    'an address with an invisible character',
    undefined,
    { email: `ceo\u200B@${DOMAIN}` },
    'unverified-email',
  ],
  ['an unverified address', undefined, { email_verified: false }, 'unverified-email'],
  ['an unverified address, as text', undefined, { email_verified: 'false' }, 'unverified-email'],
  ['a list of addresses', undefined, { email: [VICTIM] }, 'unverified-email'],
  ['no address', undefined, { email: undefined }, 'unverified-email'],
])('OpenID Connect: %s', async (_, entered, claims, reason) => {
  const browser = world.browser()
  const { redirect } = await begin(browser, entered)
  const answer = provider.answerTo(redirect, { ...victim(), ...claims })
  await expectRefused(browser, answer, reason)
})

/** The outcome of a login: the status of the callback, and what the log says. */
async function logIn(claims: Record<string, unknown>) {
  const browser = world.browser()
  const { redirect } = await begin(browser)
  const logged = world.log.length
  const { status } = await browser.fetch(provider.answerTo(redirect, claims).href)
  return { status, log: world.log.slice(logged).join('\n') }
}

const graphOf = (name: string) => ({
  _claim_names: { [name]: 'src1' },
  _claim_sources: {
    src1: { endpoint: 'https://graph.windows.net/tenant/users/id/getMemberObjects' },
  },
})

test.each<[string, Record<string, unknown>, string]>([
  ['in claims of another source', graphOf('groups'), 'groups-omitted'],
  ['by the claim hasgroups', { hasgroups: true }, 'groups-omitted'],
  ['by the claim hasgroups, as text', { hasgroups: 'true' }, 'groups-omitted'],
  ['and sent some others', { ...graphOf('groups'), groups: ['staff'] }, 'groups-omitted'],
  ['of another claim', graphOf('roles'), 'group-missing'],
  ['by a claim that says there are none', { hasgroups: 'false' }, 'group-missing'],
])(
  'OpenID Connect: no one is in the required group because the provider left groups out %s',
  async (_, claims, reason) => {
    await setUp(provider, { requiredGroup: 'lending' })
    const browser = world.browser()
    const { redirect } = await begin(browser)
    const logged = world.log.length
    await expectRefused(browser, provider.answerTo(redirect, { ...victim(), ...claims }), reason)
    const log = world.log.slice(logged).join('\n')
    expect(log.includes('the person is in too many of them')).toBe(reason === 'groups-omitted')
    const [event] = await world.query(
      "select details from audit_events where kind = 'provider-refused' order by created_at desc limit 1",
    )
    expect(JSON.stringify(event).includes('in too many of them')).toBe(reason === 'groups-omitted')
  },
)

test('control: a member of the required group logs in, also if other groups were left out', async () => {
  await setUp(provider, { requiredGroup: 'lending' })
  const member = { ...victim(), email: `member@${DOMAIN}`, groups: ['lending'] }
  expect((await logIn({ ...member, ...graphOf('groups') })).status).toBe(302)
})

test('control: signed user info is verified and read, although the metadata name no algorithm', async () => {
  await setUp(provider, { requiredGroup: 'lending' })
  const sub = randomUUID()
  provider.serveUserInfo({ sub, aud: 'portico', email: `signed@${DOMAIN}`, groups: ['lending'] })
  expect((await logIn({ sub })).status).toBe(302)
  const member = randomUUID()
  provider.serveUserInfo(
    { sub: member, groups: ['lending'] },
    { type: 'application/jwt; charset=utf-8' },
  )
  const names = { email: `groups@${DOMAIN}`, given_name: 'Ada' }
  expect((await logIn({ sub: member, ...names })).status).toBe(302)
})

test.each<[string, Record<string, unknown>, Parameters<ForgingProvider['serveUserInfo']>[1]]>([
  ['signed with another key', {}, { header: { kid: 'other' } }],
  ['without a signature', {}, { token: unsigned }],
  ['whose algorithm is none', {}, { header: { alg: 'none' } }],
  ['signed with a secret', {}, { token: (token) => signedWithSecret(token, 'portico') }],
  [
    'changed after it was signed',
    {},
    { token: (token) => tampered(token, { email: VICTIM, x: 1 }) },
  ],
  ['of another person', { sub: 'another' }, {}],
  [
    'of another person, as JSON',
    { sub: 'another' },
    { token: () => undefined, type: 'application/json' },
  ],
  ['for another client', { aud: 'another' }, {}],
  ['of another issuer', other, {}],
  ['that has expired', { exp: 1 }, {}],
  ['that is encrypted', {}, { token: (token) => `${token}.x.y` }],
  ['that is no token', {}, { token: () => 'text' }],
])('OpenID Connect: user info %s', async (_, claims, forgery) => {
  const { email, ...person } = victim()
  provider.serveUserInfo({ ...person, email, ...claims }, forgery)
  const browser = world.browser()
  const { redirect } = await begin(browser)
  const logged = world.log.length
  await expectRefused(browser, provider.answerTo(redirect, person), 'invalid-answer')
  expect(world.log.slice(logged).join('\n')).toContain('The user info could not be read')
})

test('OpenID Connect: names that cannot be read refuse no one, and the log says so; required groups do', async () => {
  const unreadable = { token: () => 'text' }
  provider.serveUserInfo({}, unreadable)
  const named = { sub: randomUUID(), email: `nameless@${DOMAIN}` }
  const { status, log } = await logIn(named)
  expect(status).toBe(302)
  expect(log).toContain('the user info of an identity provider could not be read')
  await setUp(provider, { requiredGroup: 'lending' })
  const browser = world.browser()
  const { redirect } = await begin(browser)
  await expectRefused(browser, provider.answerTo(redirect, named), 'invalid-answer')
})

test('OpenID Connect: an account with the same address is not taken over', async () => {
  const email = `owner@${DOMAIN}`
  const owner = world.browser({ headers: ORGANIZATION })
  await owner.register({ email, password: 'marble-kettle-58-outpost' })
  const attacker = world.browser()
  const { redirect, state } = await begin(attacker)
  const response = await attacker.fetch(provider.answerTo(redirect, { ...victim(), email }).href)
  expect(response.headers.get('location')).toContain('step=link')
  expect(attacker.cookies.has('portico-session')).toBe(false)
  for (const token of ['000000', '123456', '999999']) {
    const link = attacker.call(BROKER.customer.linkAccount, { body: { state, token } })
    expect((await refusal(link)).code).toBe('code-wrong')
  }
  expect(
    (await refusal(attacker.call(BROKER.customer.redeemLogin, { body: { state } }))).code,
  ).toBe('session-ended')
})

test('6 OpenID Connect: an agent’s response at a customer’s callback, and vice versa', async () => {
  const pairs = [
    ['agent', 'customer', PROVIDER_PEOPLE.agent],
    ['customer', 'agent', PROVIDER_PEOPLE.customer],
  ] as const
  for (const [own, wrong, who] of pairs) {
    const browser = world.browser()
    const { callback } = await upToCallback(browser, own, who)
    await expectRefused(browser, callback.replace(`/${own}/`, `/${wrong}/`), '', 410)
  }
})

test('6 OpenID Connect: a customer’s account is not opened by a provider of agents', async () => {
  const sub = randomUUID()
  const agentsId = await setUp(provider, { userType: 'agent' })
  const email = `both@${DOMAIN}`
  await world.browser().register({ email, password: 'marble-kettle-58-outpost' })
  const browser = world.browser()
  const { redirect = '' } = await browser.call(BROKER.agent.beginLogin, {
    body: {},
    headers: ORGANIZATION,
  })
  const answer = provider.answerTo(redirect, { sub, email, email_verified: true })
  expect(answer.pathname).toContain(agentsId)
  await expectRefused(browser, answer, 'other-user-type')
})
