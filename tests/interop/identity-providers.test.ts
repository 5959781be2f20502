/** Logins at third-party identity providers, running the real programs: nothing here is tuned to one of them. */
import { randomUUID } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { BROKER } from '@portico/contracts/broker'
import { readIdentity } from '@portico/contracts/identity'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'
import { readSamlMetadata } from '@portico/server/saml-metadata'
import { openVault } from '@portico/server/vault'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { aWorld, refusal } from '../support/world.ts'
import { hasGlewlwyd, startGlewlwyd } from './support/glewlwyd.ts'
import { formIn, openPage, sendForm } from './support/provider-pages.ts'
import { hasSimpleSamlPhp, startSimpleSamlPhp } from './support/simplesamlphp.ts'

const DOMAIN = 'cedar-point.example'
const ORGANIZATION = { [ORGANIZATION_HEADER]: 'CEDAR_POINT' }

let world: Awaited<ReturnType<typeof aWorld>>

beforeAll(async () => {
  world = await aWorld().withSettings({ IDENTITY_PROVIDER_HOSTS: '127.0.0.1' }).withLog('info')
})
afterAll(() => world[Symbol.asyncDispose]())

/** Adds a provider of the organization's customers; the one added last is used. */
async function addProvider(settings: {
  protocol: 'oidc' | 'saml'
  settings: object
  secret?: string
}): Promise<string> {
  const { providers } = world.server.stores
  world.clock.pass(1)
  const at = world.clock.now()
  const id = randomUUID()
  await providers.insert({
    id,
    organizationCode: 'CEDAR_POINT',
    userType: 'customer',
    protocol: settings.protocol,
    name: 'Cedar Point ID',
    settings: JSON.stringify(settings.settings),
    secret:
      settings.secret === undefined
        ? null
        : openVault(world.config).wrap('provider secret', settings.secret),
    attributeMapping: '{}',
    requiredGroup: null,
    enabledAt: at,
    createdAt: at,
    updatedAt: at,
  })
  await providers.insertDomain({ providerId: id, domain: DOMAIN, verifiedAt: at })
  return id
}

async function begin(browser: Browser): Promise<{ redirect: string; state: string }> {
  const { redirect, state } = await browser.call(BROKER.customer.beginLogin, {
    body: {},
    headers: ORGANIZATION,
  })
  if (redirect === undefined || state === undefined) throw new Error('No login began')
  return { redirect, state }
}

async function redeem(browser: Browser, state: string) {
  const { jwt = '' } = await browser.call(BROKER.customer.redeemLogin, { body: { state } })
  browser.jwt.write(jwt)
  return browser.call(BROKER.customer.readIdentity, {})
}

/** A request to respond without asking the user, which the provider must refuse. */
function passive(redirect: string): string {
  const url = new URL(redirect)
  const request = Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')
  const changed = inflateRawSync(request).toString().replace(' ID=', ' IsPassive="true" ID=')
  url.searchParams.set('SAMLRequest', deflateRawSync(changed).toString('base64'))
  return url.href
}

/** Sends the provider's form, which arrives from another site, so that our own page sends it again. */
async function arrive(browser: Browser, page: Parameters<typeof formIn>[0]): Promise<Response> {
  const { action, fields } = formIn(page)
  const again = formIn(await sendForm(world.browser(), action, fields))
  return browser.fetch(action, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(again.fields).toString(),
  })
}

describe.skipIf(!hasSimpleSamlPhp())('SAML with SimpleSAMLphp', () => {
  let provider: Awaited<ReturnType<typeof startSimpleSamlPhp>>
  let providerId: string

  beforeAll(async () => {
    provider = await startSimpleSamlPhp()
    // Each side is set up by the other's metadata.
    providerId = await addProvider({
      protocol: 'saml',
      settings: readSamlMetadata(await provider.metadata()),
    })
    const metadata = await fetch(`${world.url}/identity-broker/customer/metadata/${providerId}`)
    provider.trust(await metadata.text())
  })
  afterAll(() => provider[Symbol.asyncDispose]())

  test('7.5 a new person logs in, a second time with the same account, and logs out at both', async () => {
    const browser = world.browser()
    const first = await begin(browser)
    expect((await arrive(browser, await provider.signIn(browser, first.redirect))).status).toBe(303)
    const identity = await redeem(browser, first.state)
    expect(identity).toMatchObject({ email: provider.person.mail, isManageable: true })

    // The provider still has the user's session.
    const second = await begin(browser)
    const page = await provider.open(browser, second.redirect)
    expect((await arrive(browser, page)).status).toBe(303)
    expect((await redeem(browser, second.state)).identityUuid).toBe(identity.identityUuid)

    const { redirect } = await browser.call(BROKER.customer.logOut, {})
    expect((await refusal(browser.call(readIdentity, {}))).code).toBe('unauthenticated')
    const ended = await provider.open(browser, redirect)
    expect(ended.url + formIn(ended).action).toContain(
      `/identity-broker/customer/logout/${providerId}`,
    )
    // Now it asks for the password again.
    const third = await provider.open(browser, (await begin(browser)).redirect)
    expect(third.text).toContain('name="password"')
  })

  test('a wrong password stays at the provider, and a login that was left can begin again', async () => {
    const browser = world.browser()
    const { redirect } = await begin(browser)
    const wrong = await provider.signIn(browser, redirect, 'wrong')
    expect(wrong.text).toContain('Incorrect username or password')
    expect(browser.cookies.has('portico-session')).toBe(false)
    const again = await begin(browser)
    await arrive(browser, await provider.signIn(browser, again.redirect))
    expect(await redeem(browser, again.state)).toMatchObject({ email: provider.person.mail })
  })

  test('a login that the provider cannot complete is reported as not completed', async () => {
    const browser = world.browser()
    const { redirect } = await begin(browser)
    const response = await arrive(browser, await provider.open(browser, passive(redirect)))
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('You are not logged in')
  })
})

describe.skipIf(!hasSimpleSamlPhp())(
  'SAML with SimpleSAMLphp that signs the response alone',
  () => {
    test('7.5 a new person logs in: the signature on the response covers the assertion', async () => {
      await using provider = await startSimpleSamlPhp({ signs: 'response', name: 'cleo' })
      const settings = readSamlMetadata(`\n${await provider.metadata()}\n`)
      const id = await addProvider({ protocol: 'saml', settings })
      const metadata = await fetch(`${world.url}/identity-broker/customer/metadata/${id}`)
      // The provider would sign the assertion too if our metadata asked for it.
      provider.trust((await metadata.text()).replace(/ WantAssertionsSigned="true"/, ''))
      const browser = world.browser()
      const { redirect, state } = await begin(browser)
      const page = await provider.signIn(browser, redirect)
      const response = Buffer.from(formIn(page).fields['SAMLResponse'] ?? '', 'base64').toString()
      expect(response.match(/<ds:Signature[ >]/g)).toHaveLength(1)
      expect(response.indexOf('<ds:Signature')).toBeLessThan(response.indexOf('<saml:Assertion'))
      expect((await arrive(browser, page)).status).toBe(303)
      expect((await redeem(browser, state)).email).toBe(provider.person.mail)
    })
  },
)

describe.skipIf(!hasGlewlwyd())('OpenID Connect with Glewlwyd', () => {
  let provider: Awaited<ReturnType<typeof startGlewlwyd>>

  beforeAll(async () => {
    provider = await startGlewlwyd()
    const { issuer, clientId, secret } = provider
    const id = await addProvider({
      protocol: 'oidc',
      settings: { issuer, clientId, scope: 'openid' },
      secret,
    })
    await provider.trust(`${world.url}/identity-broker/customer/callback/${id}`)
  })
  afterAll(() => provider[Symbol.asyncDispose]())

  test('7.5 a new person logs in, a second time with the same account, and logs out', async () => {
    const browser = world.browser()
    const first = await begin(browser)
    const callback = await provider.signIn(browser, first.redirect)
    expect((await browser.fetch(callback ?? '')).status).toBe(302)
    const identity = await redeem(browser, first.state)
    expect(identity).toMatchObject({ email: provider.person.mail, isManageable: true })

    const second = await begin(browser)
    await browser.fetch((await provider.signIn(browser, second.redirect)) ?? '')
    expect((await redeem(browser, second.state)).identityUuid).toBe(identity.identityUuid)

    // It has no logout page.
    expect(await browser.call(BROKER.customer.logOut, {})).toEqual({ redirect: '/auth/login' })
    expect((await refusal(browser.call(readIdentity, {}))).code).toBe('unauthenticated')
  })

  test('a wrong password stays at the provider', async () => {
    const browser = world.browser()
    const { redirect } = await begin(browser)
    expect(
      await provider.signIn(browser, redirect, { ...provider.person, password: 'wrong' }),
    ).toBeUndefined()
    expect(browser.cookies.has('portico-session')).toBe(false)
  })

  test('a login that the provider cannot complete is reported as not completed', async () => {
    const browser = world.browser()
    const { redirect } = await begin(browser)
    const { url } = await openPage(browser, `${redirect}&prompt=none`)
    const response = await browser.fetch(url)
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('You are not logged in')
  })
})
