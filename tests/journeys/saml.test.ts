/** Logins by SAML: the request, the provider's form across sites, and the session. */
import { randomUUID } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { BROKER, USER_TYPES } from '@portico/contracts/broker'
import { readIdentity } from '@portico/contracts/identity'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'
import {
  assertionXml,
  encoded,
  type ResponseOptions,
  responseXml,
  samlKey,
  signXml,
} from '@portico/server/saml-responses'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import {
  beginSaml,
  logInBySaml,
  SAML_PEOPLE,
  sendForm,
  sentForm,
} from '../support/identity-provider.ts'
import { DIRECTORY_PROVIDERS } from '../support/scim.ts'
import { aWorld, refusal } from '../support/world.ts'

const ISSUER = 'https://idp.cedar-point.example'
const ORGANIZATION = { [ORGANIZATION_HEADER]: 'CEDAR_POINT' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const key = samlKey()

let world: Awaited<ReturnType<typeof aWorld>>
let providerId: string

beforeAll(async () => {
  world = await aWorld().withLog('info')
  providerId = randomUUID()
  const at = world.clock.now()
  const { providers } = world.server.stores
  await providers.insert({
    id: providerId,
    organizationCode: 'CEDAR_POINT',
    userType: 'customer',
    protocol: 'saml',
    name: 'Cedar Point ID',
    settings: JSON.stringify({
      issuer: ISSUER,
      signInUrl: `${ISSUER}/sso`,
      certificates: [key.publicKey],
    }),
    secret: null,
    attributeMapping: '{}',
    requiredGroup: null,
    enabledAt: at,
    createdAt: at,
    updatedAt: at,
  })
  await providers.insertDomain({ providerId, domain: 'cedar-point.example', verifiedAt: at })
})

afterAll(() => world[Symbol.asyncDispose]())

const callback = () => `/identity-broker/customer/callback/${providerId}`

/** Begins a login and reads the request that the provider receives. */
async function begin(browser: Browser) {
  const { redirect = '', state = '' } = await browser.call(BROKER.customer.beginLogin, {
    body: {},
    headers: ORGANIZATION,
  })
  const { searchParams } = new URL(redirect)
  const request = inflateRawSync(
    Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64'),
  ).toString()
  const valueOf = (pattern: RegExp) => pattern.exec(request)?.[1] ?? ''
  expect(searchParams.get('RelayState')).toBe(state)
  return {
    state,
    requestId: valueOf(/ ID="([^"]+)"/),
    recipient: valueOf(/AssertionConsumerServiceURL="([^"]+)"/),
    audience: valueOf(/Issuer[^>]*>([^<]+)</),
  }
}

/** The form of the provider's page for a person. */
function formOf(
  { state, ...request }: Awaited<ReturnType<typeof begin>>,
  email: string,
  changed: Partial<ResponseOptions> = {},
): URLSearchParams {
  const options = {
    issuer: ISSUER,
    ...request,
    subject: email,
    attributes: { mail: [email] },
    ...changed,
  }
  const response = signXml(responseXml(options, assertionXml(options)), key)
  return new URLSearchParams({ SAMLResponse: encoded(response), RelayState: state })
}

const send = (browser: Browser, form: URLSearchParams) =>
  browser.fetch(callback(), { method: 'POST', headers: FORM, body: form.toString() })

test('4.4 a person logs in; the form of another site is sent again by our own page, with the cookie', {
  tags: 'database',
}, async () => {
  const browser = world.browser()
  const login = await begin(browser)
  expect(login.audience).toBe(`${world.origin}/identity-broker/customer/metadata/${providerId}`)
  const form = formOf(login, 'ada@cedar-point.example')

  // A browser leaves out the cookie of a login in a form of another site.
  const page = await send(world.browser(), form)
  const text = await page.text()
  expect(page.status).toBe(200)
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
  expect(field('RelayState')).toBe(login.state)
  const policy = page.headers.get('content-security-policy')
  expect(policy).toMatch(/script-src 'sha256-/)
  const again = new URLSearchParams({
    SAMLResponse: field('SAMLResponse').replaceAll('&#61;', '='),
    RelayState: field('RelayState'),
    'sent-again': 'true',
  })
  expect(again.get('SAMLResponse')).toBe(form.get('SAMLResponse'))

  const arrived = await send(browser, again)
  expect(arrived.status).toBe(303)
  const { state } = login
  expect(arrived.headers.get('location')).toBe(`/auth/login?state=${state}&orgCode=CEDAR_POINT`)
  const { jwt = '' } = await browser.call(BROKER.customer.redeemLogin, { body: { state } })
  browser.jwt.write(jwt)
  expect(await browser.call(BROKER.customer.readIdentity, {})).toMatchObject({
    email: 'ada@cedar-point.example',
    organizationCode: 'CEDAR_POINT',
    userType: 'customer',
  })
})

test('one of many copies of a response, sent at once, logs in', {
  tags: 'database',
}, async () => {
  const browser = world.browser()
  const login = await begin(browser)
  const form = formOf(login, 'bea@cedar-point.example')
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => (await send(browser, form)).status),
  )
  expect(statuses.filter((status) => status === 303)).toHaveLength(1)
  expect(statuses.filter((status) => status === 410)).toHaveLength(7)
})

test.each<[string, Partial<ResponseOptions>, number, string]>([
  ['of another issuer', { issuer: 'https://idp.other.example' }, 403, 'The issuer is https'],
  ['for another recipient', { recipient: 'https://portico.example/other' }, 403, 'not made for'],
  ['to another request', { requestId: '_other' }, 403, 'InResponseTo'],
  ['that has expired', { notOnOrAfter: -120_000 }, 403, 'No valid subject confirmation'],
  [
    'of an address outside the verified domain',
    { attributes: { mail: ['x@other.example'] } },
    403,
    'unverified-email',
  ],
])(
  'a response %s signs no one in, with the reason in the log alone',
  async (_, changed, status, reason) => {
    const browser = world.browser()
    const logged = world.log.length
    const response = await send(
      browser,
      formOf(await begin(browser), 'cleo@cedar-point.example', changed),
    )
    expect(response.status).toBe(status)
    expect(world.log.slice(logged).join()).toContain(reason)
    const page = await response.text()
    expect(page).toContain('Go to the login page')
    expect(page).not.toMatch(/issuer|assertion|InResponseTo|SAML/)
    expect(browser.cookies.has('portico-session')).toBe(false)
  },
)

test('a form without the cookie of its login is refused after it was sent again', async () => {
  const form = formOf(await begin(world.browser()), 'dora@cedar-point.example')
  form.set('sent-again', 'true')
  const other = world.browser()
  expect((await send(other, form)).status).toBe(410)
  expect(other.cookies.has('portico-session')).toBe(false)
})

test('a form with markup is sent again as text, and a form that is too long is refused', async () => {
  const markup = new URLSearchParams({ RelayState: '"><script>alert(1)</script>' })
  expect(await (await send(world.browser(), markup)).text()).not.toContain('<script>alert')
  const long = new URLSearchParams({ SAMLResponse: 'a'.repeat(500_000) })
  expect((await send(world.browser(), long)).status).toBe(413)
  // A person sees a page.
  const headers = { ...FORM, accept: 'text/html' }
  const seen = await world
    .browser()
    .fetch(callback(), { method: 'POST', headers, body: long.toString() })
  expect([seen.status, seen.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8'])
  expect(await seen.text()).toContain('<h1>')
})

test('our metadata is public; other providers and users have none', async () => {
  const browser = world.browser()
  const metadata = await browser.fetch(`/identity-broker/customer/metadata/${providerId}`)
  expect(metadata.headers.get('content-type')).toContain('application/samlmetadata+xml')
  expect(await metadata.text()).toContain(`${world.origin}${callback()}`)
  for (const path of [`agent/metadata/${providerId}`, `customer/metadata/${randomUUID()}`]) {
    expect((await browser.fetch(`/identity-broker/${path}`)).status).toBe(404)
  }
})

test.each(USER_TYPES)(
  '7.5 a new %s logs in with the demonstration’s SAML provider, and the second time without a password',
  async (userType) => {
    const browser = world.browser()
    await logInBySaml(browser, userType, SAML_PEOPLE[userType])
    const info = await browser.call(BROKER[userType].readIdentity, {})
    expect(info).toMatchObject({ email: SAML_PEOPLE[userType].email, userType, isManageable: true })

    // The provider has a session, so it answers at once; another address ends that.
    const { redirect, state } = await beginSaml(browser, userType)
    const { action, fields } = sentForm(await (await browser.fetch(redirect)).text())
    await sendForm(browser, action, fields)
    const { jwt = '' } = await browser.call(BROKER[userType].redeemLogin, { body: { state } })
    browser.jwt.write(jwt)
    const again = await browser.call(BROKER[userType].readIdentity, {})
    expect(again.identityUuid).toBe(info.identityUuid)
    const email = `other@${SAML_PEOPLE[userType].email.split('@')[1]}`
    const other = await beginSaml(browser, userType, { email })
    const page = await (await browser.fetch(other.redirect)).text()
    expect(page).toContain(`value="${email}"`)
  },
)

test('4.4 logout ends the session here first, then at the SAML provider, which sends the browser back', async () => {
  const browser = world.browser()
  await logInBySaml(browser, 'customer', SAML_PEOPLE.customer)
  // A logout request that arrives here ends no session.
  const arriving = `${world.url}/identity-broker/customer/logout/${DIRECTORY_PROVIDERS.customer}`
  const SAMLRequest = Buffer.from('<LogoutRequest/>').toString('base64')
  await browser.fetch(`${arriving}?${new URLSearchParams({ SAMLRequest })}`)
  await sendForm(browser, arriving, { SAMLRequest })
  await browser.call(readIdentity, {})
  const { redirect } = await browser.call(BROKER.customer.logOut, {})
  expect((await refusal(browser.call(readIdentity, {}))).code).toBe('unauthenticated')
  const ended = await browser.fetch(redirect)
  expect(new URL(ended.headers.get('location') ?? '').pathname).toMatch(
    /^\/identity-broker\/customer\/logout\//,
  )
  const back = await browser.fetch(ended.headers.get('location') ?? '')
  expect(back.headers.get('location')).toBe('/auth/login')
  // The provider asks for the password again.
  const page = await browser.fetch((await beginSaml(browser, 'customer')).redirect)
  expect(await page.text()).toContain('Sign in to Fernhollow ID')
})

test('at the SAML provider a wrong password stays there, and a canceled login starts no session', async () => {
  const browser = world.browser()
  const { redirect } = await beginSaml(browser, 'customer')
  const wrong = await sendForm(browser, redirect, { ...SAML_PEOPLE.customer, password: 'wrong' })
  expect(await wrong.text()).toContain('The email or password is incorrect.')
  const { action, fields } = sentForm(
    await (await sendForm(browser, redirect, { cancel: 'yes' })).text(),
  )
  const response = await sendForm(browser, action, fields)
  expect(response.status).toBe(403)
  expect(await response.text()).toContain('You are not logged in')
  expect(browser.cookies.has('portico-session')).toBe(false)
})

test('4.4 after a canceled login the SAML provider is asked for a new choice: ForceAuthn', async () => {
  const browser = world.browser()
  await logInBySaml(browser, 'customer', SAML_PEOPLE.customer)
  // The provider knows the person and answers at once, so a person with two accounts there could not choose.
  const { redirect } = await beginSaml(browser, 'customer')
  expect(sentForm(await (await browser.fetch(redirect)).text()).fields).toHaveProperty(
    'SAMLResponse',
  )
  const canceled = await sendForm(browser, redirect, { cancel: 'yes' })
  const { action, fields } = sentForm(await canceled.text())
  expect((await sendForm(browser, action, fields)).status).toBe(403)

  const again = (await beginSaml(browser, 'customer')).redirect
  const request = new URL(again).searchParams.get('SAMLRequest') ?? ''
  expect(inflateRawSync(Buffer.from(request, 'base64')).toString()).toContain('ForceAuthn="true"')
  expect(await (await browser.fetch(again)).text()).toContain('Sign in to Fernhollow ID')
  await logInBySaml(browser, 'customer', SAML_PEOPLE.customer)
  const afterwards = (await beginSaml(browser, 'customer')).redirect
  expect(await (await browser.fetch(afterwards)).text()).toContain('SAMLResponse')
})

test('the SAML provider answers requests of this server alone, and publishes its metadata', async () => {
  const browser = world.browser()
  const { redirect } = await beginSaml(browser, 'customer')
  const url = new URL(redirect)
  expect(
    (await browser.fetch(redirect.replace('fernhollow-customers', 'quarry-brokers'))).status,
  ).toBe(400)
  for (const request of [
    '',
    'AAAA',
    deflateRawSync(`<a>${' '.repeat(100_000)}</a>`).toString('base64'),
  ]) {
    url.searchParams.set('SAMLRequest', request)
    expect((await browser.fetch(url.href)).status).toBe(400)
  }
  expect((await browser.fetch('/saml-idp/unknown/metadata')).status).toBe(404)
  const metadata = await (await browser.fetch('/saml-idp/fernhollow-customers/metadata')).text()
  expect(metadata).toContain(`Location="${world.origin}/saml-idp/fernhollow-customers/sign-in"`)
})

test('4.4 SAML: no one is in the required group because Entra ID sent a link instead of groups', async () => {
  const { providers } = world.server.stores
  await providers.update(providerId, { requiredGroup: 'lending' })
  try {
    const logIn = async (email: string, groups: Record<string, readonly string[]>) => {
      const browser = world.browser()
      const login = await begin(browser)
      const logged = world.log.length
      const { status } = await send(
        browser,
        formOf(login, email, { attributes: { mail: [email], ...groups } }),
      )
      return { status, log: world.log.slice(logged).join('\n') }
    }
    const link = {
      'http://schemas.microsoft.com/claims/groups.link': ['https://graph.windows.net/tenant/id'],
    }
    const refused = await logIn('many@cedar-point.example', link)
    expect(refused.status).toBe(403)
    expect(refused.log).toContain('"reason":"groups-omitted"')
    expect(refused.log).toContain('the person is in too many of them')
    expect((await logIn('none@cedar-point.example', {})).log).toContain('"reason":"group-missing"')
    const member = await logIn('member@cedar-point.example', { ...link, groups: ['lending'] })
    expect(member.status).toBe(303)
  } finally {
    await providers.update(providerId, { requiredGroup: null })
  }
})
