/** Attacks on setting up identity providers: links, the administrator's session, addresses, metadata and domains. */
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'
import * as calls from '@portico/contracts/sso-setup'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServer, dnsServer } from '../support/dns-server.ts'
import {
  administrator,
  mailedToken,
  openedSetup,
  verifiedDomain,
} from '../support/provider-setup.ts'
import { outcomes } from '../support/race.ts'
import { CERTIFIED_KEY } from '../support/saml-certificate.ts'
import { aWorld, refusal } from '../support/world.ts'
import { forgingProvider } from './support/forging-provider.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let world: Awaited<ReturnType<typeof aWorld>>
let dns: DnsServer

beforeAll(async () => {
  dns = await dnsServer()
  world = await aWorld().withSettings({ DNS_SERVERS: dns.address })
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await dns[Symbol.asyncDispose]()
})

test('a link opens once, in one browser, which can open it again', {
  tags: 'database',
}, async () => {
  const token = await mailedToken(world)
  const browsers = Array.from({ length: 6 }, () => world.browser())
  const open = browsers.map((browser) => administrator(browser)(calls.openSetup, { token }))
  expect(await outcomes(open)).toEqual({ answered: 1, 'setup-link-refused': 5 })
  const winner = browsers.find((browser) =>
    browser.cookies.has('portico-setup-CEDAR_POINT-customer'),
  )
  if (winner === undefined) throw new Error('No browser opened the link')
  await administrator(winner)(calls.openSetup, { token })
  await administrator(winner)(calls.readSetup)
  const loser = browsers.find((browser) => browser !== winner) ?? winner
  expect((await refusal(administrator(loser)(calls.readSetup))).code).toBe('setup-ended')
})

test('a link of another organization, or an expired, guessed or changed one, is refused', async () => {
  const token = await mailedToken(world)
  const refused = { status: 403, code: 'setup-link-refused' }
  const atOther = administrator(world.browser(), 'NORTHGALE')
  expect(await refusal(atOther(calls.openSetup, { token }))).toMatchObject(refused)
  const admin = administrator(world.browser())
  for (const wrong of ['x'.repeat(43), `${token}&utm_source=${'mail'.repeat(30)}`]) {
    expect(await refusal(admin(calls.openSetup, { token: wrong }))).toMatchObject(refused)
  }
  // The attempts did not consume it.
  await admin(calls.openSetup, { token })
  const late = await mailedToken(world)
  world.clock.pass(7 * DAY_MS)
  const inTime = administrator(world.browser())(calls.openSetup, { token: late })
  expect(await refusal(inTime)).toMatchObject(refused)
})

test('a setup session expires, and is valid only for its organization and its provider', async () => {
  const { browser, admin, setup } = await openedSetup(world)
  const elsewhere = administrator(browser, 'NORTHGALE')
  for (const call of [calls.readSetup, calls.enableProvider] as const) {
    const body = call === calls.readSetup ? undefined : { version: setup.version }
    expect((await refusal(elsewhere(call, body))).code).toBe('setup-ended')
  }
  // A provider cannot be chosen: requests that name one are refused.
  const providerId = 'd9f0c52-8f0e-4c5e-9a51-6f1d2a7c0b01'
  const named = { version: setup.version, product: 'okta', protocol: 'oidc', providerId }
  expect((await refusal(admin(calls.chooseProvider, named))).code).toBe('invalid-request')
  world.clock.pass(DAY_MS)
  expect((await refusal(admin(calls.readSetup))).code).toBe('setup-ended')
})

test('two setups in one browser: each tab changes its own', async () => {
  const { browser, admin, setup, token } = await openedSetup(world, 'HARBORLINE')
  const agents = administrator(browser, 'HARBORLINE', 'agent')
  await agents(calls.openSetup, { token: await mailedToken(world, 'HARBORLINE', 'agent') })
  const other = await mailedToken(world, 'NORTHGALE', 'agent')
  await administrator(browser, 'NORTHGALE', 'agent')(calls.openSetup, { token: other })
  const { version } = setup
  const saved = await admin(calls.chooseProvider, { version, product: 'okta', protocol: 'oidc' })
  expect(saved).toMatchObject({ userType: 'customer', protocol: 'oidc' })
  expect(await agents(calls.readSetup)).toMatchObject({ userType: 'agent', protocol: null })
  // The first link still opens the first setup.
  expect((await admin(calls.openSetup, { token })).userType).toBe('customer')
})

test('another site cannot change a setup, and the cookie is not sent to it', async () => {
  const { browser, setup } = await openedSetup(world)
  const response = await browser.fetch(`${calls.enableProvider.path}?userType=customer`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: 'https://evil.example',
      [ORGANIZATION_HEADER]: 'CEDAR_POINT',
    },
    body: JSON.stringify({ version: setup.version }),
  })
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ code: 'foreign-origin' })
})

test('a version or an ID that the database cannot look up is refused, not a defect', {
  tags: 'database',
}, async () => {
  const { browser, admin } = await openedSetup(world)
  for (const version of [1.5, 1e300, -1]) {
    const { code } = await refusal(admin(calls.disableProvider, { version }))
    expect(code).toBe(version === -1 ? 'setup-changed' : 'invalid-request')
  }
  for (const path of ['metadata', 'callback']) {
    expect((await browser.fetch(`/identity-broker/agent/${path}/%00`)).status).toBeLessThan(500)
  }
})

test.each([
  'http://idp.lender.example',
  'https://127.0.0.1',
  'https://[::1]/',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.1',
  'https://2130706433',
  'https://user:pass@idp.lender.example',
  'https://idp.lender.example:8443',
  'file:///etc/passwd',
  'not an address',
])('the server sends no request to %s', async (address) => {
  const { admin, setup } = await openedSetup(world, 'NORTHGALE', 'agent')
  const { version } = setup
  const openId = { version, name: 'x', issuer: address, clientId: 'x', scope: 'openid' }
  const refused = { code: 'provider-address-refused' }
  expect(await refusal(admin(calls.saveOpenId, openId))).toMatchObject(refused)
  const saml = { version, name: 'x', provider: { metadataUrl: address } }
  expect(await refusal(admin(calls.saveSaml, saml))).toMatchObject(refused)
})

test('metadata that is too large, redirects or abuses XML is refused in plain words', async () => {
  const { admin, setup } = await openedSetup(world, 'NORTHGALE', 'agent')
  const save = (metadata: string) =>
    refusal(admin(calls.saveSaml, { version: setup.version, name: 'x', provider: { metadata } }))
  const entities = Array.from({ length: 20 }, (_, at) => `<!ENTITY e${at + 1} "&e${at};&e${at};">`)
  for (const metadata of [
    `<!DOCTYPE x [<!ENTITY e0 "lol">${entities.join('')}]><x>&e20;</x>`,
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
    `<x>${'<y>'.repeat(50_000)}`,
    '<x xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd"/></x>',
    'a'.repeat(600 * 1024),
  ]) {
    expect(await save(metadata)).toMatchObject({ status: 400, code: 'metadata-unusable' })
  }
  expect((await save('a'.repeat(1200 * 1024))).status).toBe(413)
  expect((await admin(calls.readSetup)).saml).toBeNull()
})

test('a saved secret is never sent to another provider, or shown', async () => {
  await using world = await aWorld().withSettings({ IDENTITY_PROVIDER_HOSTS: '127.0.0.1' })
  await using provider = await forgingProvider()
  const { admin, setup } = await openedSetup(world)
  const values = { name: 'x', clientId: 'portico', scope: 'openid' }
  const saved = await admin(calls.saveOpenId, {
    ...values,
    version: setup.version,
    issuer: 'http://127.0.0.1:9',
    clientSecret: 'the-saved-secret',
  })
  const kept = await admin(calls.saveOpenId, {
    ...values,
    version: saved.version,
    issuer: 'http://127.0.0.1:9',
  })
  expect(kept.oidc?.hasSecret).toBe(true)
  const moved = await admin(calls.saveOpenId, {
    ...values,
    version: kept.version,
    issuer: provider.issuer,
  })
  expect(moved.oidc?.hasSecret).toBe(false)
  expect(JSON.stringify([saved, kept, moved])).not.toContain('the-saved-secret')
})

test('a domain belongs to the first organization that verifies it, and a record proves it for one provider', async () => {
  const domain = 'contested.example'
  const first = await openedSetup(world)
  const second = await openedSetup(world, 'NORTHGALE', 'agent')
  // One provider's record, which everyone can read, does not verify the domain for another.
  const { domains } = await first.admin(calls.addDomain, { domain })
  const record = domains.find((each) => each.domain === domain)?.record
  await second.admin(calls.addDomain, { domain })
  dns.records.set(record?.name ?? '', [record?.value ?? ''])
  expect((await second.admin(calls.checkDomain, { domain })).check.result).toBe('different')
  expect((await first.admin(calls.checkDomain, { domain })).check.result).toBe('verified')
  expect((await refusal(verifiedDomain(second.admin, dns, domain))).code).toBe('domain-taken')

  // The same organization may use it for its agents too.
  const agents = await openedSetup(world, 'CEDAR_POINT', 'agent')
  expect((await verifiedDomain(agents.admin, dns, domain)).check.result).toBe('verified')
  await first.admin(calls.removeDomain, { domain })
  expect((await refusal(verifiedDomain(second.admin, dns, domain))).code).toBe('domain-taken')

  // An old record does not verify a domain that was removed: it has another challenge now.
  dns.records.set(record?.name ?? '', [record?.value ?? ''])
  await first.admin(calls.addDomain, { domain })
  expect((await first.admin(calls.checkDomain, { domain })).check.result).toBe('different')
  await first.admin(calls.removeDomain, { domain })
  await agents.admin(calls.removeDomain, { domain })
  expect((await verifiedDomain(second.admin, dns, domain)).check.result).toBe('verified')
})

test('one of two organizations that verify a domain at the same time gets it', {
  tags: 'database',
}, async () => {
  const domain = 'raced.example'
  const setups = [await openedSetup(world), await openedSetup(world, 'NORTHGALE', 'agent')]
  const values: string[] = []
  for (const { admin } of setups) {
    const { domains } = await admin(calls.addDomain, { domain })
    const record = domains.find((each) => each.domain === domain)?.record
    values.push(record?.value ?? '')
    dns.records.set(record?.name ?? '', [...values])
  }
  const ends = await outcomes(
    setups.flatMap(({ admin }) => [1, 2].map(() => admin(calls.checkDomain, { domain }))),
  )
  expect(ends).toEqual({ answered: 2, 'domain-taken': 2 })
})

test('nothing is verified if the name servers do not respond', async () => {
  const { admin } = await openedSetup(world)
  await admin(calls.addDomain, { domain: 'silent.example' })
  dns.silent = true
  const { check } = await admin(calls.checkDomain, { domain: 'silent.example' })
  dns.silent = false
  expect(check).toEqual({ result: 'unavailable', found: [] })
})

test('a test’s response counts once, in the browser that began, and never signs anyone in', async () => {
  await using world = await aWorld().withSettings({ IDENTITY_PROVIDER_HOSTS: '127.0.0.1' })
  await using provider = await forgingProvider()
  const { browser, admin, setup } = await openedSetup(world)
  const saved = await admin(calls.saveOpenId, {
    version: setup.version,
    name: 'x',
    clientId: 'portico',
    scope: 'openid',
    issuer: provider.issuer,
  })
  const { redirect = '' } = await admin(calls.beginTest, { version: saved.version })
  const claims = { sub: 'ida', email: 'ida@cedar-point.example' }
  const answer = provider.answerTo(redirect, claims).href
  expect((await world.browser().fetch(answer)).status).toBe(410)
  expect((await browser.fetch(answer)).status).toBe(303)
  expect((await browser.fetch(answer)).status).toBe(410)
  expect(browser.cookies.has('portico-session')).toBe(false)
  expect(await world.query('select id from sessions')).toEqual([])
})

test('an invalid certificate, or an address that is not https, is refused', async () => {
  const { admin, setup } = await openedSetup(world, 'NORTHGALE', 'agent')
  const good = {
    issuer: 'https://idp.example',
    signInUrl: 'https://idp.example/sso',
    certificate: CERTIFIED_KEY.certificate,
  }
  for (const changed of [
    { certificate: 'AAAA' },
    { certificate: CERTIFIED_KEY.certificate.slice(0, 300) },
    { signInUrl: 'javascript:alert(1)' },
    { signInUrl: 'http://idp.example/sso' },
  ]) {
    const provider = { ...good, ...changed }
    const saving = admin(calls.saveSaml, { version: setup.version, name: 'x', provider })
    expect((await refusal(saving)).code).toBe('metadata-unusable')
  }
})
