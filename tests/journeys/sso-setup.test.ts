/** An administrator sets up the identity provider of an organization, alone, with a mailed link. */
import { X509Certificate } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { BROKER } from '@portico/contracts/broker'
import { MAX_PROVIDER_DOMAINS, ORGANIZATION_HEADER } from '@portico/contracts/limits'
import * as calls from '@portico/contracts/sso-setup'
import { requestSetupLink } from '@portico/server/create-setup-link'
import {
  assertionXml,
  encoded,
  responseXml,
  type SamlKey,
  samlKey,
  signXml,
} from '@portico/server/saml-responses'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { forgingProvider } from '../attacks/support/forging-provider.ts'
import { type DnsServer, dnsServer } from '../support/dns-server.ts'
import { beginAt, sendForm, sentForm } from '../support/identity-provider.ts'
import {
  type Administrator,
  administrator,
  mailedToken,
  openedSetup,
  verifiedDomain,
} from '../support/provider-setup.ts'
import { outcomes } from '../support/race.ts'
import { CERTIFIED_KEY } from '../support/saml-certificate.ts'
import { scimCaller } from '../support/scim.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, refusal } from '../support/world.ts'

const EXPIRES_AT = new X509Certificate(CERTIFIED_KEY.certificate).validToDate.getTime()

let world: Awaited<ReturnType<typeof aWorld>>
let dns: DnsServer

beforeAll(async () => {
  dns = await dnsServer()
  world = await aWorld()
    .withSettings({ IDENTITY_PROVIDER_HOSTS: '127.0.0.1', DNS_SERVERS: dns.address })
    .withLog('info')
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await dns[Symbol.asyncDispose]()
})

/** The metadata that a SAML provider offers for download. */
function samlMetadata(provider: { issuer: string; signInUrl: string; certificate: string }) {
  const base64 = provider.certificate.replaceAll(/-----[^-]+-----|\s/g, '')
  return `<?xml version="1.0"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${provider.issuer}">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
      <X509Certificate>${base64}</X509Certificate>
    </X509Data></KeyInfo></KeyDescriptor>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${provider.signInUrl}"/>
  </IDPSSODescriptor>
</EntityDescriptor>`
}

/** Chooses a protocol and saves an OpenID Connect provider. */
async function connected(admin: Administrator, issuer: string) {
  const { version } = await admin(calls.readSetup)
  const chosen = await admin(calls.chooseProvider, { version, product: 'okta', protocol: 'oidc' })
  return admin(calls.saveOpenId, {
    version: chosen.version,
    name: 'Cedar ID',
    issuer,
    clientId: 'portico',
    clientSecret: 'the-secret-of-the-client',
    scope: 'openid email',
  })
}

test('an administrator connects a provider, verifies a domain, tests and turns it on; then people log in', {
  tags: 'database',
}, async () => {
  await using provider = await forgingProvider()
  const { browser, admin, setup } = await openedSetup(world)
  expect(setup).toMatchObject({ protocol: null, domains: [], test: null, enabledAt: null })
  const saved = await connected(admin, `${provider.issuer}/.well-known/openid-configuration`)
  expect(saved.oidc).toEqual({
    issuer: provider.issuer,
    clientId: 'portico',
    scope: 'openid email',
    hasSecret: true,
  })
  expect(JSON.stringify(saved)).not.toContain('the-secret-of-the-client')
  const { version } = saved
  expect((await refusal(admin(calls.enableProvider, { version }))).code).toBe('setup-incomplete')

  // The record is missing, then wrong, then right.
  await admin(calls.addDomain, { domain: 'Cedar-Point.example ' })
  const check = () => admin(calls.checkDomain, { domain: 'cedar-point.example' })
  const missing = await check()
  expect(missing.check).toEqual({ result: 'missing', found: [] })
  const record = missing.setup.domains[0]?.record ?? { name: '', value: '' }
  dns.records.set(record.name, ['sso-verification=other'])
  expect((await check()).check).toEqual({ result: 'different', found: ['sso-verification=other'] })
  dns.records.set(record.name, ['v=spf1 -all', record.value])
  expect((await check()).check).toEqual({ result: 'verified', found: [] })
  expect((await refusal(admin(calls.enableProvider, { version }))).code).toBe('setup-incomplete')

  // The test shows the claims, and logs no one in.
  const { redirect = '' } = await admin(calls.beginTest, { version })
  expect(new URL(redirect).searchParams.get('redirect_uri')).toBe(saved.service.callbackUrl)
  expect((await admin(calls.readSetup)).test?.status).toBe('begun')
  const claims = { sub: 'ida', email: 'ida@cedar-point.example', given_name: 'Ida', groups: ['it'] }
  const returned = await browser.fetch(provider.answerTo(redirect, claims).href)
  expect(returned.headers.get('location')).toBe(
    '/auth/sso-setup?orgCode=CEDAR_POINT&userType=customer&step=test',
  )
  const { test: passed } = await admin(calls.readSetup)
  expect(passed).toMatchObject({
    status: 'passed',
    person: {
      subject: 'ida',
      email: 'ida@cedar-point.example',
      firstName: 'Ida',
      groups: ['it'],
      isDomainVerified: true,
    },
  })
  expect(passed?.claims).toContainEqual({ name: 'groups', value: '["it"]' })
  expect(browser.cookies.has('portico-session')).toBe(false)
  expect(await world.query("select id from identities where email like 'ida@%'")).toEqual([])

  const enabled = await admin(calls.enableProvider, { version })
  expect(enabled).toMatchObject({ isApplied: true, enabledAt: expect.any(Number) })
  const customer = world.browser()
  const headers = { [ORGANIZATION_HEADER]: 'CEDAR_POINT' }
  const login = await customer.call(BROKER.customer.beginLogin, {
    body: { email: 'bo@cedar-point.example' },
    headers,
  })
  const answer = provider.answerTo(login.redirect ?? '', {
    sub: 'bo',
    email: 'bo@cedar-point.example',
  })
  expect((await customer.fetch(answer.href)).headers.get('location')).toContain(
    '/auth/login?state=',
  )
  expect(customer.cookies.has('portico-session')).toBe(true)

  // Changes wait until they are tested and applied; people log in with the earlier settings until then.
  const changed = await admin(calls.saveAttributes, { version, requiredGroup: 'it' })
  expect(changed).toMatchObject({ isApplied: false, test: null })
  expect((await refusal(admin(calls.enableProvider, { version: changed.version }))).code).toBe(
    'setup-incomplete',
  )
  expect(
    await world.query(
      "select id from identity_providers where required_group is not null and organization_code = 'CEDAR_POINT'",
    ),
  ).toEqual([])

  await admin(calls.disableProvider, { version: changed.version })
  expect(await customer.call(BROKER.customer.beginLogin, { body: {}, headers })).toEqual({})
})

test('a test says exactly what is wrong', async () => {
  await using provider = await forgingProvider()
  const { browser, admin } = await openedSetup(world, 'CEDAR_POINT', 'agent')
  const { version } = await connected(admin, provider.issuer)
  const tested = async (claims: Record<string, unknown>, forgery = {}) => {
    const { redirect = '' } = await admin(calls.beginTest, { version })
    await browser.fetch(provider.answerTo(redirect, claims, forgery).href)
    return (await admin(calls.readSetup)).test
  }
  const ida = { sub: 'ida', email: 'ida@cedar-point.example' }
  expect(await tested(ida, { claims: { iss: 'https://other.example' } })).toMatchObject({
    status: 'failed',
    problem: 'invalid-answer',
    mismatch: { field: 'iss', expected: provider.issuer, found: 'https://other.example' },
  })
  expect(await tested(ida, { claims: { nonce: 'another' } })).toMatchObject({
    status: 'failed',
    mismatch: { field: 'nonce', found: 'another' },
  })
  expect(await tested(ida, { claims: { aud: 'another' } })).toMatchObject({
    status: 'failed',
    mismatch: { field: 'aud', found: 'another' },
  })
  expect(await tested(ida, { key: provider.otherKey })).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(/signature/),
  })
  const refused = (status: number, body: object) => ({
    answer: () => ({ status, body: JSON.stringify(body) }),
  })
  const wrongSecret = { error: 'invalid_client', error_description: 'The secret has expired.' }
  expect(await tested(ida, refused(401, wrongSecret))).toMatchObject({
    status: 'failed',
    problem: 'invalid-answer',
    detail: expect.stringContaining('invalid_client The secret has expired.'),
  })
  expect(await tested({ sub: 'ida' })).toMatchObject({ status: 'failed', problem: 'email-missing' })
  expect(await tested({ ...ida, email_verified: false })).toMatchObject({
    status: 'failed',
    problem: 'email-unverified',
  })
  expect(await tested(ida)).toMatchObject({ status: 'passed', person: { isDomainVerified: false } })
  provider.serveUserInfo({ sub: 'ida', email: ida.email }, { key: provider.otherKey })
  provider.publish({ userinfo_endpoint: `${provider.issuer}/userinfo` })
  const again = await connected(admin, provider.issuer)
  const { redirect = '' } = await admin(calls.beginTest, { version: again.version })
  await browser.fetch(provider.answerTo(redirect, { sub: 'ida' }).href)
  expect((await admin(calls.readSetup)).test).toMatchObject({
    status: 'failed',
    problem: 'invalid-answer',
    detail: expect.stringMatching(/^The user info could not be read: .*signature/),
  })
  provider.publish({})

  // Without usable metadata of the expected issuer, the browser does not even leave.
  const testedAt = async (issuer: string, metadata: Record<string, unknown>) => {
    provider.publish(metadata)
    const other = await connected(admin, issuer)
    const begun = await admin(calls.beginTest, { version: other.version })
    expect(begun.redirect).toBeUndefined()
    return begun.setup.test
  }
  expect(
    await testedAt(`${provider.issuer}/`, { issuer: 'https://issuer.found.example' }),
  ).toMatchObject({
    status: 'failed',
    problem: 'unavailable',
    mismatch: { field: 'issuer', found: 'https://issuer.found.example' },
  })
  expect(await testedAt(provider.issuer, { authorization_endpoint: undefined })).toMatchObject({
    status: 'failed',
    problem: 'invalid-answer',
    detail: expect.stringMatching(/authorization_endpoint/),
  })
})

test('a test says that the provider left out the groups of a person who is in too many', async () => {
  await using provider = await forgingProvider()
  const { browser, admin } = await openedSetup(world, 'CEDAR_POINT', 'agent')
  const tested = async (version: number) => {
    const { redirect = '' } = await admin(calls.beginTest, { version })
    const claims = { sub: 'ida', email: 'ida@cedar-point.example' }
    const overage = { _claim_names: { groups: 'src1' } }
    await browser.fetch(provider.answerTo(redirect, { ...claims, ...overage }).href)
    return (await admin(calls.readSetup)).test
  }
  const { version } = await connected(admin, provider.issuer)
  const noticed = { person: { groups: [], groupsOmitted: true } }
  expect(await tested(version)).toMatchObject({ status: 'passed', ...noticed })
  const required = await admin(calls.saveAttributes, { version, requiredGroup: 'it' })
  expect(await tested(required.version)).toMatchObject({
    status: 'failed',
    problem: 'groups-omitted',
    ...noticed,
  })
  const free = await admin(calls.saveAttributes, { version: required.version })
  expect(await tested(free.version)).toMatchObject({ status: 'passed', ...noticed })
})

test('after a test that refused a person, the provider is asked for a new choice, by a prompt that it supports', async () => {
  await using provider = await forgingProvider()
  const { browser, admin } = await openedSetup(world, 'CEDAR_POINT', 'agent')
  const promptAfter = async (claims: object, metadata: Record<string, unknown>) => {
    provider.publish(metadata)
    const { version } = await connected(admin, provider.issuer)
    const { redirect: first = '' } = await admin(calls.beginTest, { version })
    expect(new URL(first).searchParams.has('prompt')).toBe(false)
    await browser.fetch(provider.answerTo(first, { sub: 'ida', ...claims }).href)
    const { redirect = '' } = await admin(calls.beginTest, { version })
    return new URL(redirect).searchParams.get('prompt')
  }
  const supporting = (...values: string[]) => ({ prompt_values_supported: values })
  expect(await promptAfter({}, {})).toBe('login')
  expect(await promptAfter({}, supporting('none', 'login', 'select_account'))).toBe(
    'select_account',
  )
  expect(await promptAfter({}, supporting('none', 'consent'))).toBeNull()
  expect(await promptAfter({ email: 'ida@cedar-point.example' }, {})).toBeNull()
})

test('saving without the secret keeps it, even if the client ID is pasted with spaces', async () => {
  await using provider = await forgingProvider()
  const { admin } = await openedSetup(world, 'WREN_HOLLOW')
  const { version } = await connected(admin, provider.issuer)
  const again = { version, name: 'Wren ID', issuer: provider.issuer, scope: 'openid' }
  const saved = await admin(calls.saveOpenId, { ...again, clientId: ' portico ' })
  expect(saved.oidc).toMatchObject({ clientId: 'portico', hasSecret: true })
})

/** In the next transaction, nothing can be written to the audit log. */
function breakAuditLog() {
  const { stores } = world.server
  const { atomically } = stores
  const record = () => Promise.reject(new Error('The audit log is not available'))
  vi.spyOn(stores, 'atomically').mockImplementationOnce((work) =>
    atomically((transaction) => work({ ...transaction, audit: { ...transaction.audit, record } })),
  )
}

test.runIf(ON_POSTGRES)(
  'mail from a command waits for the running server to send it',
  {
    tags: 'database',
  },
  async () => {
    const email = 'ida.admin@juniper.example'
    const config = { ...world.config, smtpUrl: 'smtp://127.0.0.1:1' }
    await requestSetupLink(config, ['HARBORLINE', 'agent', email])
    const mails = await world.query(`select sent_at from messages where recipient = '${email}'`)
    expect(mails).toEqual([{ sent_at: null }])
  },
)

test('an operator ends the open sessions and links of a setup', { tags: 'database' }, async () => {
  const { admin } = await openedSetup(world, 'HARBORLINE', 'customer')
  const unopened = await mailedToken(world, 'HARBORLINE', 'customer')
  await admin(calls.readSetup)
  await world.server.mailSetupLink(['HARBORLINE', 'customer', 'end'])
  expect((await refusal(admin(calls.readSetup))).code).toBe('setup-ended')
  const late = administrator(world.browser(), 'HARBORLINE', 'customer')
  expect((await refusal(late(calls.openSetup, { token: unopened }))).code).toBe(
    'setup-link-refused',
  )
  // Control: another link works.
  await openedSetup(world, 'HARBORLINE', 'customer')
})

test('a setup link can be opened again after opening it failed', async () => {
  const token = await mailedToken(world)
  const admin = administrator(world.browser())
  breakAuditLog()
  expect((await refusal(admin(calls.openSetup, { token }))).status).toBe(500)
  expect((await admin(calls.openSetup, { token })).domains).toBeDefined()
})

test('a directory token is not created without its audit log entry', async () => {
  const { admin } = await openedSetup(world)
  const tokens = () => world.query('select id from directory_tokens order by id')
  const before = await tokens()
  breakAuditLog()
  expect((await refusal(admin(calls.createDirectoryToken))).status).toBe(500)
  expect(await tokens()).toEqual(before)
})

test('domains added at the same moment do not exceed the maximum', {
  tags: 'database',
}, async () => {
  const { admin } = await openedSetup(world, 'HARBORLINE', 'agent')
  for (let count = 1; count < MAX_PROVIDER_DOMAINS; count++) {
    await admin(calls.addDomain, { domain: `host-${count}.example` })
  }
  const names = ['one.example', 'two.example', 'three.example', 'four.example']
  const ends = await outcomes(names.map((domain) => admin(calls.addDomain, { domain })))
  expect(ends).toEqual({ answered: 1, 'too-many-domains': 3 })
})

type ForgingProvider = Awaited<ReturnType<typeof forgingProvider>>

const AGENTS_DOMAIN = 'fernhollow-agents.example'

/** The administrator of the agents' provider of an organization, with a verified domain. */
async function agentsSetup() {
  const { browser, admin } = await openedSetup(world, 'FERNHOLLOW', 'agent')
  await verifiedDomain(admin, dns, AGENTS_DOMAIN)
  return {
    admin,
    /** Connects a provider and passes the test. Returns the version to apply. */
    async tested(provider: ForgingProvider): Promise<number> {
      const { version } = await connected(admin, provider.issuer)
      const { redirect = '' } = await admin(calls.beginTest, { version })
      const claims = { sub: 'ida', email: `ida@${AGENTS_DOMAIN}` }
      await browser.fetch(provider.answerTo(redirect, claims).href)
      return version
    },
  }
}

type Claims = Parameters<ForgingProvider['answerTo']>[1] & { readonly email: string }

/** Logs in up to the page that continues: with the step `link`, a mailed code connects the account. */
async function arrivedFrom(provider: ForgingProvider, claims: Claims) {
  const agent = world.browser()
  const { redirect = '', state = '' } = await beginAt(agent, 'agent', {}, 'FERNHOLLOW')
  const response = await agent.fetch(provider.answerTo(redirect, claims).href)
  const step = new URLSearchParams(response.headers.get('location') ?? '').get('step')
  return { agent, state, step }
}

async function connectAccount(
  { agent, state }: Awaited<ReturnType<typeof arrivedFrom>>,
  { email }: Claims,
) {
  const token = await world.passcode(email)
  return agent.call(BROKER.agent.linkAccount, { body: { state, token } })
}

async function logInAgent(provider: ForgingProvider, claims: Claims) {
  const arrived = await arrivedFrom(provider, claims)
  const { agent, state, step } = arrived
  const { jwt = '' } =
    step === 'link'
      ? await connectAccount(arrived, claims)
      : await agent.call(BROKER.agent.redeemLogin, { body: { state } })
  agent.jwt.write(jwt)
  const { identityUuid, isManageable } = await agent.call(BROKER.agent.readIdentity, {})
  return { identityUuid, isManageable, step }
}

test('at another issuer the same subject is another person; the owner connects the account again by passcode', async () => {
  await using former = await forgingProvider()
  await using provider = await forgingProvider()
  const email = `ida@${AGENTS_DOMAIN}`
  const { admin, tested } = await agentsSetup()
  await admin(calls.enableProvider, { version: await tested(former) })
  const ida = await logInAgent(former, { sub: '1001', email })
  await admin(calls.enableProvider, { version: await tested(provider) })
  const other = await logInAgent(provider, { sub: '1001', email: `max@${AGENTS_DOMAIN}` })
  expect(other.identityUuid).not.toBe(ida.identityUuid)
  expect(await logInAgent(provider, { sub: '7', email })).toEqual({ ...ida, step: 'link' })
  expect(await logInAgent(provider, { sub: '7', email })).toEqual(ida)
})

test('a code that connects an account is not valid once another issuer is applied, even at the same moment', {
  tags: 'database',
}, async () => {
  const { admin, tested } = await agentsSetup()
  for (const round of [0, 1, 2, 3]) {
    await using former = await forgingProvider()
    await using provider = await forgingProvider()
    const owner = { sub: `owner-${round}`, email: `owner-${round}@${AGENTS_DOMAIN}` }
    const at = world.clock.now()
    await world.server.stores.identities.insert({
      email: owner.email,
      organizationCode: 'FERNHOLLOW',
      profileType: 'AGENT',
      at,
    })
    await admin(calls.enableProvider, { version: await tested(former) })
    const arrived = await arrivedFrom(former, owner)
    const unfinished = await beginAt(arrived.agent, 'agent', {}, 'FERNHOLLOW')
    expect(arrived.step).toBe('link')
    const version = await tested(provider)
    const apply = () => admin(calls.enableProvider, { version })
    if (round === 0) {
      await apply()
      expect((await refusal(connectAccount(arrived, owner))).code).toBe('code-expired')
      const { state } = arrived
      const again = arrived.agent.call(BROKER.agent.sendLinkCode, { body: { state } })
      expect((await refusal(again)).code).toBe('code-expired')
    } else {
      const ends = await outcomes([connectAccount(arrived, owner), apply()])
      expect([{ answered: 2 }, { answered: 1, 'code-expired': 1 }]).toContainEqual(ends)
    }
    // A login that began at the former issuer does not continue, and the new issuer's subject does not have the account.
    const late = former.answerTo(unfinished.redirect ?? '', owner)
    expect((await arrived.agent.fetch(late.href)).status).toBe(410)
    expect((await arrivedFrom(provider, owner)).step).toBe('link')
  }
})

test('applying a version twice does not disconnect people who logged in between the two', {
  tags: 'database',
}, async () => {
  await using former = await forgingProvider()
  await using provider = await forgingProvider()
  const { admin, tested } = await agentsSetup()
  await admin(calls.enableProvider, { version: await tested(former) })
  const version = await tested(provider)
  const apply = () => admin(calls.enableProvider, { version })
  const person = { sub: 'eve', email: `eve@${AGENTS_DOMAIN}` }
  const { stores } = world.server
  const { atomically } = stores
  // The second application has read the provider, and waits for its transaction.
  vi.spyOn(stores, 'atomically').mockImplementationOnce(async (work) => {
    await apply()
    await logInAgent(provider, person)
    return atomically(work)
  })
  await apply()
  expect((await logInAgent(provider, person)).step).not.toBe('link')
})

test('the names that a provider gives are stored and follow it, until its directory gives them', async () => {
  await using provider = await forgingProvider()
  const { admin, tested } = await agentsSetup()
  const { version } = await connected(admin, provider.issuer)
  await admin(calls.saveAttributes, { version, firstName: 'forename' })
  await admin(calls.enableProvider, { version: await tested(provider) })
  const person = { sub: 'nina', email: `nina@${AGENTS_DOMAIN}` }
  const namesAfter = async (claims: object) => {
    await logInAgent(provider, { ...person, ...claims })
    const [row] = await world.query(
      "select given_name, family_name from provider_subjects where subject = 'nina'",
    )
    return [row?.['given_name'], row?.['family_name']]
  }
  expect(await namesAfter({ forename: ' Ni\u0000na ', given_name: 'No', family_name: 7 })).toEqual([
    'Nina',
    null,
  ])
  expect(await namesAfter({ forename: 'Nina', family_name: 'North' })).toEqual(['Nina', 'North'])
  const send = scimCaller(world.url, (await admin(calls.createDirectoryToken)).token)
  const user = { userName: person.email, name: { givenName: 'Nora', familyName: 'Vale' } }
  expect((await send('POST', '/Users', user)).status).toBe(201)
  expect(await namesAfter({ forename: 'Nina', family_name: 'North' })).toEqual([null, null])
})

test('when two administrators change the same version, the second is refused and overwrites nothing', {
  tags: 'database',
}, async () => {
  const [first, second] = [await openedSetup(world), await openedSetup(world)]
  const { version } = await first.admin(calls.readSetup)
  const ends = await outcomes(
    [first, second, first, second].map(({ admin }, index) =>
      admin(calls.saveAttributes, { version, groups: `groups-${index}` }),
    ),
  )
  expect(ends).toEqual({ answered: 1, 'setup-changed': 3 })
  expect((await second.admin(calls.readSetup)).version).toBe(version + 1)
})

test('a SAML provider is connected by values, by the address of its metadata, or by the uploaded file; its test shows the attributes', async () => {
  const issuer = 'https://idp.cedar-point.example'
  const { browser, admin } = await openedSetup(world, 'HARBORLINE')
  const { version } = await admin(calls.readSetup)
  await admin(calls.chooseProvider, { version, product: 'other', protocol: 'saml' })
  const save = async (provider: object) => {
    const before = await admin(calls.readSetup)
    return admin(calls.saveSaml, { version: before.version, name: 'Harbor ID', provider })
  }
  const own = { issuer, signInUrl: `${issuer}/sso` }
  const { certificate } = CERTIFIED_KEY
  const expected = { ...own, certificates: [{ expiresAt: EXPIRES_AT }] }
  expect((await save({ ...own, certificate })).saml).toMatchObject(expected)

  const published = `${world.url}/saml-idp/fernhollow-customers`
  expect((await save({ metadataUrl: `${published}/metadata` })).saml).toMatchObject({
    issuer: 'https://login.fernhollow.example/saml',
    signInUrl: `${published}/sign-in`,
  })

  const saved = await save({ metadata: samlMetadata({ ...own, certificate }) })
  expect(saved.saml).toMatchObject(expected)
  const metadata = await browser.fetch(saved.service.entityId)
  expect(await metadata.text()).toContain(saved.service.callbackUrl)

  const answer = async (key: SamlKey) => {
    const { redirect = '' } = await admin(calls.beginTest, { version: saved.version })
    const { searchParams } = new URL(redirect)
    const request = inflateRawSync(
      Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64'),
    ).toString()
    const options = {
      issuer,
      audience: saved.service.entityId,
      recipient: saved.service.callbackUrl,
      requestId: / ID="([^"]+)"/.exec(request)?.[1] ?? '',
      subject: 'ida',
      attributes: { mail: ['ida@harborline.example'], givenName: ['Ida'] },
    }
    const form = new URLSearchParams({
      SAMLResponse: encoded(signXml(responseXml(options, assertionXml(options)), key)),
      RelayState: searchParams.get('RelayState') ?? '',
    })
    const returned = await browser.fetch(saved.service.callbackUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    })
    expect(returned.headers.get('location')).toContain('/auth/sso-setup?')
    return (await admin(calls.readSetup)).test
  }
  expect(await answer(samlKey())).toMatchObject({
    status: 'failed',
    problem: 'invalid-answer',
    detail: expect.stringMatching(/signature/i),
  })
  expect(await answer(CERTIFIED_KEY)).toMatchObject({
    status: 'passed',
    person: { subject: 'ida', email: 'ida@harborline.example', firstName: 'Ida' },
  })
  expect(browser.cookies.has('portico-session')).toBe(false)
})

test('the demonstration’s SAML provider is connected by its metadata, and a test passes', async () => {
  const { browser, admin } = await openedSetup(world)
  const { version } = await admin(calls.readSetup)
  const chosen = await admin(calls.chooseProvider, { version, product: 'other', protocol: 'saml' })
  const saved = await admin(calls.saveSaml, {
    version: chosen.version,
    name: 'Cedar Point ID',
    provider: { metadataUrl: `${world.url}/saml-idp/cedar-point-customers/metadata` },
  })
  const { redirect = '' } = await admin(calls.beginTest, { version: saved.version })
  const email = 'cora.cedar@cedar-point.example'
  const signedIn = await sendForm(browser, redirect, { email, password: 'amber-lantern-36-orchid' })
  const { action, fields } = sentForm(await signedIn.text())
  const returned = await sendForm(browser, action, fields)
  expect(returned.headers.get('location')).toContain('/auth/sso-setup?')
  expect((await admin(calls.readSetup)).test).toMatchObject({ status: 'passed', person: { email } })
})
