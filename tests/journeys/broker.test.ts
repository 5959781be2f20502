/** Logins at the demonstration's identity provider, a real one, through the callback to the session. */
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  beginEmailChange,
  beginPasskey,
  beginTotp,
  confirmTotp,
  deleteOwnAccount,
  disconnectProvider,
  readSecurity,
  setEmailFactor,
} from '@portico/contracts/account-security'
import { BROKER } from '@portico/contracts/broker'
import { readHostedAccounts } from '@portico/contracts/hosted-wallet'
import {
  readIdentity,
  redeemToken,
  register,
  sendToken,
  setPassword,
} from '@portico/contracts/identity'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'
import { redeemTotp } from '@portico/contracts/two-factor'
import { createHostedAccount, readAccounts, selectAccount } from '@portico/contracts/wallet'
import { expect, test, vi } from 'vitest'
import { authenticatorCode } from '../support/authenticator.ts'
import type { Browser } from '../support/browser.ts'
import {
  beginAt,
  logInByProvider,
  PROVIDER_PEOPLE,
  signInAtProvider,
  upToCallback,
} from '../support/identity-provider.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, refusal } from '../support/world.ts'

const { customer, known, guest, agent } = PROVIDER_PEOPLE
const MINUTE_MS = 60 * 1000
const SHIPPED = fileURLToPath(new URL('../../config/', import.meta.url))

/** The identities with an address. */
const identitiesOf = ({ email }: { email: string }) =>
  `select id from identities where email = '${email}'`

/** The heading of a page. */
async function headingOf(response: Response): Promise<string> {
  return /<h1>([^<]*)/.exec(await response.text())?.[1] ?? ''
}

test('7.5 a customer logs in with the identity provider; the first login creates the account', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const browser = world.browser()
  await logInByProvider(browser, 'customer', customer)
  const info = await browser.call(BROKER.customer.readIdentity, {})
  expect(info).toEqual({
    identityUuid: expect.any(String),
    organizationCode: 'NORTHGALE',
    userType: 'customer',
    email: customer.email,
    updatedAt: expect.any(String),
    isManageable: true,
    activeLegacyCustomerOrgs: [],
  })
  const { identity } = await browser.call(readIdentity, {})
  expect(identity).toMatchObject({ uuid: info.identityUuid, profileType: 'CUSTOMER' })
  const page = await (await browser.fetch('/dashboard')).text()
  expect(page).toContain('"method":"provider"')

  // The person is recognized, on another device too.
  const second = world.browser()
  await logInByProvider(second, 'customer', customer)
  const again = await second.call(BROKER.customer.readIdentity, {})
  expect(again.identityUuid).toBe(info.identityUuid)
  // The account has no password here, so the mail about the new browser does not ask for another one.
  const [mail] = await world.mail(customer.email)
  expect(mail?.subject).toContain('New login')
  expect(mail?.text).toContain('change your password at Northgale ID')
  expect(mail?.text).not.toMatch(/reset/i)
})

test('3 the identity has the account that the session acts as, with its group', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  await logInByProvider(browser, 'customer', customer)
  const { address } = await browser.call(createHostedAccount, { body: { name: 'Everyday' } })
  await browser.call(selectAccount, { body: { walletAddress: address } })
  const { walletContext } = await browser.call(BROKER.customer.readIdentity, {})
  expect(walletContext).toEqual({ accountAddress: address })

  const signer = world.browser()
  await signer.signIn(PEOPLE.organizations)
  const accounts = await signer.call(readAccounts, {})
  const group = accounts.find(({ account }) => account.name === 'Larch Partners')
  const [wallet] = group?.authorizedWallets ?? []
  const groupPolicyAddress = group?.account.address ?? ''
  const body = { walletAddress: wallet?.address ?? '', groupPolicyAddress }
  await signer.call(selectAccount, { body })
  expect((await signer.call(BROKER.customer.readIdentity, {})).walletContext).toEqual({
    accountAddress: body.walletAddress,
    groupPolicyAddress,
  })
})

test('6 the endpoints of customers refuse agents, and vice versa', async () => {
  await using world = await aWorld()
  const [theAgent, theCustomer] = [world.browser(), world.browser()]
  await logInByProvider(theAgent, 'agent', agent)
  await logInByProvider(theCustomer, 'customer', customer)
  expect(await theAgent.call(BROKER.agent.readIdentity, {})).toMatchObject({
    userType: 'agent',
    organizationCode: 'FIGURE_WHOLESALE',
  })
  expect((await theAgent.call(readIdentity, {})).identity.profileType).toBe('AGENT')
  const refused = { status: 403, code: 'user-type-refused' }
  for (const [browser, other] of [
    [theAgent, BROKER.customer],
    [theCustomer, BROKER.agent],
  ] as const) {
    expect(await refusal(browser.call(other.readIdentity, {}))).toMatchObject(refused)
    expect(await refusal(browser.call(other.logOut, {}))).toMatchObject(refused)
    // The refused logout ended nothing.
    await browser.call(readIdentity, {})
  }
  // The token of a login is not handed out at the other endpoint either, which does not consume it.
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'agent', agent)
  await browser.fetch(callback)
  const body = { state }
  expect(await refusal(browser.call(BROKER.customer.redeemLogin, { body }))).toMatchObject(refused)
  await browser.call(BROKER.agent.redeemLogin, { body })
})

test('4.4 an address leads to the provider only within a verified domain, whether or not it has an account', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  for (const email of [known.email, 'unknown@northgale.example']) {
    const { redirect = '' } = await beginAt(browser, 'customer', { email })
    expect(new URL(redirect).searchParams.get('login_hint')).toBe(email)
  }
  for (const email of [guest.email, 'a@sub.northgale.example', 'a@northgale.example.com']) {
    expect(await beginAt(browser, 'customer', { email })).toEqual({})
  }
  // An organization without a provider, and a provider for other users.
  const headers = { [ORGANIZATION_HEADER]: 'CEDAR_POINT' }
  expect(await browser.call(BROKER.customer.beginLogin, { body: {}, headers })).toEqual({})
  const atNorthgale = { [ORGANIZATION_HEADER]: 'NORTHGALE' }
  expect(await browser.call(BROKER.agent.beginLogin, { body: {}, headers: atNorthgale })).toEqual(
    {},
  )
})

test('4.4 an existing account is linked only with the emailed code, once', async () => {
  await using world = await aWorld()
  const before = await world.query(identitiesOf(known))
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', known)
  const location = (await browser.fetch(callback)).headers.get('location') ?? ''
  expect(location).toBe(`/auth/login?state=${state}&orgCode=NORTHGALE&step=link`)
  // There is no session yet.
  expect([...browser.cookies.keys()]).not.toContain('portico-session')
  expect((await refusal(redeem(browser, state))).code).toBe('session-ended')

  const token = await world.passcode(known.email)
  const link = (from: Browser, code = token) =>
    from.call(BROKER.customer.linkAccount, { body: { state, token: code } })
  const wrong = token === '000000' ? '000001' : '000000'
  expect((await refusal(link(browser, wrong))).code).toBe('code-wrong')
  // Another browser does not have the login, even with the code.
  expect((await refusal(link(world.browser()))).code).toBe('code-expired')
  expect(
    (await refusal(browser.call(BROKER.agent.linkAccount, { body: { state, token } }))).code,
  ).toBe('user-type-refused')

  const ends = await outcomes(Array.from({ length: 8 }, () => link(browser)))
  expect(ends).toEqual({ answered: 1, 'code-used': 7 })
  expect(await world.query('select subject from provider_subjects')).toHaveLength(1)

  // From now on no code is needed.
  const later = world.browser()
  await logInByProvider(later, 'customer', known)
  const info = await later.call(BROKER.customer.readIdentity, {})
  expect(info).toMatchObject({
    identityUuid: before[0]?.['id'],
    isManageable: false,
    activeLegacyCustomerOrgs: ['NORTHGALE'],
  })
  // The password still works.
  await world.browser().signIn(known)
})

test('4.4 another code to connect an account can be requested; it replaces the earlier one', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', known)
  await browser.fetch(callback)
  const first = await world.passcode(known.email)
  const again = (from: Browser) => from.call(BROKER.customer.sendLinkCode, { body: { state } })
  expect((await refusal(again(world.browser()))).code).toBe('code-expired')
  await again(browser)
  const token = await world.passcode(known.email)
  const link = (code: string) =>
    browser.call(BROKER.customer.linkAccount, { body: { state, token: code } })
  if (first !== token) expect((await refusal(link(first))).code).toBe('code-wrong')
  await link(token)
  expect((await refusal(again(browser))).code).toBe('code-expired')
})

test('3 an account that the provider manages logs in there alone', async () => {
  await using world = await aWorld()
  const { email } = customer
  // A code from before the account existed.
  const stranger = world.browser()
  await stranger.call(register, { body: { email } })
  const { uuid: loginUuid } = await stranger.call(sendToken, { body: { email } })
  const token = await world.passcode(email)
  const browser = world.browser()
  await logInByProvider(browser, 'customer', customer)
  expect((await refusal(stranger.call(redeemToken, { body: { loginUuid, token } }))).code).toBe(
    'code-wrong',
  )

  // Instead of a code, the mail says how to log in.
  await stranger.call(sendToken, { body: { email } })
  const [mail] = await world.mail(email)
  expect(mail?.subject).toBe('How you log in to Northgale Mortgage')
  expect(mail?.text).toContain('Log in with Northgale ID')
  // Opening the link, as mail scanners do, begins no login: the page offers the provider.
  const link = /https?:\S+provider=customer\S*/.exec(mail?.text ?? '')?.[0] ?? ''
  const begun = () => world.query('select count(*) as count from provider_logins')
  const before = await begun()
  const scanner = world.browser()
  const opened = await scanner.fetch(new URL(link).pathname + new URL(link).search)
  expect(await opened.text()).toContain('"name":"Northgale ID"')
  expect(await begun()).toEqual(before)

  for (const attempt of [
    () => browser.call(setPassword, { body: { newPassword: 'cobalt-meadow-58-outpost' } }),
    () => browser.call(beginPasskey, {}),
    () => browser.call(beginEmailChange, { body: { email: 'other@elsewhere.example' } }),
  ]) {
    expect(await refusal(attempt())).toMatchObject({ status: 403, code: 'account-managed' })
  }
  const [provider] = (await browser.call(readSecurity, {})).providers
  expect(provider).toMatchObject({ name: 'Northgale ID', manages: true })
  await browser.confirmByMail(email)
  await browser.call(disconnectProvider, { body: { uuid: provider?.uuid ?? '' } })
  expect((await browser.call(readSecurity, {})).providers).toEqual([provider])

  // Even a correct password is refused like a wrong one.
  const { identities } = world.server.stores
  const [managed, other] = [
    await identities.findByEmail(email),
    await identities.findByEmail(known.email),
  ]
  await identities.updatePassword({
    id: managed?.id ?? '',
    passwordHash: other?.passwordHash ?? '',
    at: world.clock.now(),
  })
  await world.browser().signIn(known)
  const { password } = known
  expect((await refusal(world.browser().signIn({ email, password }))).code).toBe(
    'wrong-credentials',
  )
})

/** Connects the account from before with the mailed code; the browser is then signed in. */
async function connect(world: Awaited<ReturnType<typeof aWorld>>): Promise<Browser> {
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', known)
  await browser.fetch(callback)
  const token = await world.passcode(known.email)
  const { jwt } = await browser.call(BROKER.customer.linkAccount, { body: { state, token } })
  browser.jwt.write(jwt)
  return browser
}

test('4.4 our second step follows a login at a provider that does not manage the account, and its session ends at the provider', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const owner = await connect(world)
  await owner.confirm(known)
  const { secret } = await owner.call(beginTotp, {})
  const shown = () => authenticatorCode(secret, world.clock.now())
  await owner.call(confirmTotp, { body: { code: shown() } })
  world.clock.pass(MINUTE_MS)

  // The provider's administrator has the person's login there, and nothing else.
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', known)
  await browser.fetch(callback)
  expect([...browser.cookies.keys()]).not.toContain('portico-session')
  const redeemIt = (from: Browser) => from.call(BROKER.customer.redeemLogin, { body: { state } })
  expect((await refusal(redeemIt(world.browser()))).code).toBe('session-ended')
  const { jwt, twoFactorOptions } = await redeemIt(browser)
  expect(jwt).toBeUndefined()
  expect(twoFactorOptions).toMatchObject({ totpEnabled: true, emailFactorSupported: false })
  const { loginUuid = '' } = twoFactorOptions ?? {}
  // A reload asks again.
  expect((await redeemIt(browser)).twoFactorOptions?.loginUuid).toBe(loginUuid)
  const page = await browser.fetch(`/auth/login?state=${state}&orgCode=NORTHGALE`)
  expect(await page.text()).toContain('"isProviderReturn":true')
  // The session has the provider's organization, whatever the call names.
  const proved = await browser.call(redeemTotp, {
    body: { loginUuid, code: shown() },
    headers: { [ORGANIZATION_HEADER]: 'HARBORLINE' },
  })
  browser.jwt.write(proved.jwt)
  expect(
    await world.query(
      `select organization_code from sessions where method = 'provider' and second_method = 'totp'`,
    ),
  ).toEqual([{ organization_code: 'NORTHGALE' }])
  expect((await browser.call(readSecurity, {})).sessions.find((each) => each.current)?.method).toBe(
    'provider',
  )
  expect((await refusal(browser.call(beginTotp, {}))).code).toBe('confirmation-needed')
  expect((await browser.call(BROKER.customer.logOut, {})).redirect).toContain('/idp/session/end')
})

test('4.4 after a login at a provider a passkey alone is required, and an emailed code only without another factor', async () => {
  await using world = await aWorld()
  const owner = await connect(world)
  const { identities, passkeys } = world.server.stores
  const { id: identityId = '' } = (await identities.findByEmail(known.email)) ?? {}
  const options = async () => {
    const browser = world.browser()
    const { callback, state } = await upToCallback(browser, 'customer', known)
    await browser.fetch(callback)
    return browser.call(BROKER.customer.redeemLogin, { body: { state } })
  }
  expect(await options()).toEqual({ jwt: expect.any(String) })
  await owner.confirm(known)
  await owner.call(setEmailFactor, { body: { enabled: true } })
  expect((await options()).twoFactorOptions?.emailFactorSupported).toBe(true)
  const at = world.clock.now()
  await identities.insertAlias({
    identityId,
    type: 'Phone',
    value: '+12015550199',
    verifiedAt: at,
    at,
  })
  const byPhone = (await options()).twoFactorOptions
  expect(byPhone?.aliases.map(({ type }) => type)).toEqual(['Phone'])
  await identities.deleteAliases(identityId, 'Phone')
  await owner.call(setEmailFactor, { body: { enabled: false } })
  await passkeys.insert({
    id: '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a11',
    identityId,
    credentialId: 'key',
    publicKey: '',
    counter: 0,
    transports: [],
    name: 'Key',
    at,
    origin: { addedIn: null, provedBy: null },
  })
  expect((await options()).twoFactorOptions).toMatchObject({ aliases: [], passkeyEnabled: true })
})

test('2.8 a login at a provider does not open the hosted wallet; a confirmation does', async () => {
  await using world = await aWorld()
  const owner = await connect(world)
  expect((await refusal(owner.call(readHostedAccounts, {}))).code).toBe('wallet-locked')
  await owner.confirm(known)
  await owner.call(readHostedAccounts, {})
})

test('4.4 the mail to connect an account says who can then log in', async () => {
  await using world = await aWorld()
  await connect(world)
  const texts = (await world.mail(known.email)).map(({ text }) => text.replace(/\s+/g, ' '))
  expect(texts.join()).toContain(
    'The people who run Northgale ID will then be able to log in to your account, too.',
  )
})

test('4.4 a proof of the mailbox ends every other person of the provider on the account, with their sessions', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { identities, providers } = world.server.stores
  const { id: identityId = '' } = (await identities.findByEmail(known.email)) ?? {}
  // A colleague, for whom the provider named this address first.
  const colleague = await connect(world)
  const [linked] = await providers.listOfIdentity(identityId)
  const providerId = linked?.id ?? ''
  await providers.deleteSubjects(identityId, providerId)
  const at = world.clock.now()
  const subject = { providerId, subject: 'colleague', identityId }
  await providers.insertSubject({ ...subject, managedAt: at, createdAt: at })
  await colleague.call(readIdentity, {})

  const owner = await connect(world)
  expect((await refusal(colleague.call(readIdentity, {}))).code).toBe('session-ended')
  await owner.call(readIdentity, {})
  const left = await world.query('select subject, managed_at from provider_subjects')
  expect(left).toEqual([{ subject: expect.not.stringContaining('colleague'), managed_at: at }])
  const texts = (await world.mail(known.email)).map(({ text }) => text.replace(/\s+/g, ' '))
  expect(texts.join()).toContain('another person at Northgale ID could log in to your account.')
})

test('4.4 the first code from the mailbox ends the access of people whom a provider let in before, and is what verifies the address', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const colleague = world.browser()
  await logInByProvider(colleague, 'customer', customer)
  const verified = async (browser: Browser) =>
    (await browser.call(readIdentity, {})).identity.aliases.map((alias) => alias.verified)
  expect(await verified(colleague)).toEqual([false])
  // The provider is off for a while, so that it does not manage its accounts.
  const { providers } = world.server.stores
  const [linked] = await world.query('select provider_id from provider_subjects')
  await providers.update(String(linked?.['provider_id']), { enabledAt: null })

  const owner = world.browser()
  await owner.signInByPasscode(customer.email)
  expect(await verified(owner)).toEqual([true])
  expect((await refusal(colleague.call(readIdentity, {}))).code).toBe('session-ended')
  const [left] = await world.query('select subject, managed_at from provider_subjects')
  expect(left).toMatchObject({ subject: expect.stringMatching(/^retired /) })
  const texts = (await world.mail(customer.email)).map(({ text }) => text.replace(/\s+/g, ' '))
  expect(texts.join()).toContain('asks for a code that we mail to you')
  // A second code changes nothing.
  await world.browser().signInByPasscode(customer.email)
  await owner.call(readIdentity, {})
})

test('4.4 disconnecting within a provider’s session, or adding a second step, ends the other sessions that began there', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const mine = await connect(world)
  const ofProvider = async () => {
    const browser = world.browser()
    await logInByProvider(browser, 'customer', known)
    await browser.call(readIdentity, {})
    return browser
  }
  const own = world.browser()
  await own.signIn(known)
  await mine.confirm(known)
  const ends = async (other: Browser) => {
    expect((await refusal(other.call(readIdentity, {}))).code).toBe('session-ended')
    for (const browser of [mine, own]) await browser.call(readIdentity, {})
  }

  const beforeEmail = await ofProvider()
  await mine.call(setEmailFactor, { body: { enabled: true } })
  await ends(beforeEmail)
  await mine.call(setEmailFactor, { body: { enabled: false } })
  const beforeDisconnection = await ofProvider()
  const [provider] = (await mine.call(readSecurity, {})).providers
  await mine.call(disconnectProvider, { body: { uuid: provider?.uuid ?? '' } })
  await ends(beforeDisconnection)

  const beforeTotp = await connect(world)
  const { secret } = await mine.call(beginTotp, {})
  const code = authenticatorCode(secret, world.clock.now())
  await mine.call(confirmTotp, { body: { code } })
  await ends(beforeTotp)
})

/** Makes PostgreSQL wait where a person is removed from an account, after it has locked the account. */
const SLOW_REMOVAL = `
  create function slow_removal() returns trigger language plpgsql as $$
    begin perform pg_sleep(2); return old; end $$;
  create trigger slow_removal before delete on provider_subjects for each row execute function slow_removal()`

/** Starts a removal, and the callback while the removal has not committed. Returns the removal's response and the callback's. */
async function callBackDuring<T>(
  world: Awaited<ReturnType<typeof aWorld>>,
  remove: () => Promise<T>,
  callBack: () => Promise<Response>,
): Promise<readonly [T, Response]> {
  if (!ON_POSTGRES) return Promise.all([remove(), callBack()])
  await world.query(SLOW_REMOVAL)
  const waiting = (event: string) =>
    vi.waitFor(async () => {
      const found = `select pid from pg_stat_activity where datname = current_database() and ${event}`
      expect(await world.query(found)).toHaveLength(1)
    }, 30_000)
  const removing = remove()
  await waiting(`wait_event = 'PgSleep'`)
  const callingBack = callBack()
  await waiting(`wait_event_type = 'Lock'`)
  return Promise.all([removing, callingBack])
}

test('4.4 a login under way is decided again if the owner disconnects the provider meanwhile', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  await connect(world)
  const owner = world.browser()
  await owner.signIn(known)
  await owner.confirm(known)
  const [provider] = (await owner.call(readSecurity, {})).providers
  const body = { uuid: provider?.uuid ?? '' }
  const late = world.browser()
  const { callback, state } = await upToCallback(late, 'customer', known)
  const [, response] = await callBackDuring(
    world,
    () => owner.call(disconnectProvider, { body }),
    () => late.fetch(callback),
  )
  expect(response.status).toBe(302)
  expect((await refusal(redeem(late, state))).code).toBe('session-ended')
  expect((await refusal(late.call(readIdentity, {}))).status).toBe(401)
  expect(await world.query('select subject from provider_subjects')).toEqual([])
})

test('4.4 a colleague’s login under way does not survive the owner’s proof of the mailbox', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { identities, providerLogins, providers } = world.server.stores
  const { id: identityId = '' } = (await identities.findByEmail(known.email)) ?? {}
  // The provider named this address for the colleague first, and then for its owner.
  await connect(world)
  const [colleague] = await world.query('select provider_id, subject from provider_subjects')
  const late = world.browser()
  const { callback, state } = await upToCallback(late, 'customer', known)
  const providerId = String(colleague?.['provider_id'])
  await providers.deleteSubjects(identityId, providerId)
  const owner = world.browser()
  const begun = await upToCallback(owner, 'customer', known)
  await owner.fetch(begun.callback)
  const token = await world.passcode(known.email)
  const [waiting] = await world.query(
    'select state_hash, link_code_mac from provider_logins where link_subject is not null and redeemed_at is null',
  )
  await providerLogins.updateLink(String(waiting?.['state_hash']), {
    linkCodeMac: String(waiting?.['link_code_mac']),
    linkSubject: 'owner',
  })
  const at = world.clock.now()
  const subject = String(colleague?.['subject'])
  await providers.insertSubject({ providerId, subject, identityId, managedAt: at, createdAt: at })
  const [{ jwt }] = await callBackDuring(
    world,
    () => owner.call(BROKER.customer.linkAccount, { body: { state: begun.state, token } }),
    () => late.fetch(callback),
  )
  owner.jwt.write(jwt)
  await owner.call(readIdentity, {})
  expect((await refusal(redeem(late, state))).code).toBe('session-ended')
  expect((await refusal(late.call(readIdentity, {}))).status).toBe(401)
  expect(await world.query('select subject from provider_subjects')).toEqual([{ subject: 'owner' }])
})

test('4.4 an account of another organization is not connected', async () => {
  await using world = await aWorld()
  const { identities, people } = world.server.stores
  const { id = '' } = (await identities.findByEmail(known.email)) ?? {}
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', known)
  await browser.fetch(callback)
  const token = await world.passcode(known.email)
  // Moved while the code was on its way.
  await people.updateOrganization(id, 'CEDAR_POINT', world.clock.now())
  const late = browser.call(BROKER.customer.linkAccount, { body: { state, token } })
  expect((await refusal(late)).code).toBe('code-expired')
  const again = world.browser()
  const response = await again.fetch((await upToCallback(again, 'customer', known)).callback)
  expect(response.status).toBe(403)
  expect(await response.text()).toContain('belongs to another company')
  expect(await world.query('select subject from provider_subjects')).toEqual([])
})

test('3 a connected provider can be disconnected; the next login there asks for a code again', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', known)
  await browser.fetch(callback)
  const token = await world.passcode(known.email)
  const { jwt } = await browser.call(BROKER.customer.linkAccount, { body: { state, token } })
  browser.jwt.write(jwt)
  const [provider] = (await browser.call(readSecurity, {})).providers
  expect(provider).toMatchObject({ name: 'Northgale ID', manages: false })
  await browser.confirm(known)
  await browser.call(disconnectProvider, { body: { uuid: provider?.uuid ?? '' } })
  expect((await browser.call(readSecurity, {})).providers).toEqual([])
  const other = world.browser()
  const again = await upToCallback(other, 'customer', known)
  const location = (await other.fetch(again.callback)).headers.get('location')
  expect(location).toContain('step=link')
})

test('4.4 the code to connect an account does not survive a new password or a second step', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', known)
  await browser.fetch(callback)
  const link = (token: string) =>
    browser.call(BROKER.customer.linkAccount, { body: { state, token } })
  const first = await world.passcode(known.email)
  const { stores } = world.server
  const id = (await stores.identities.findByEmail(known.email))?.id ?? ''
  await stores.identities.incrementCredentialVersion(id)
  expect((await refusal(link(first))).code).toBe('code-wrong')

  const again = () => browser.call(BROKER.customer.sendLinkCode, { body: { state } })
  await again()
  const second = await world.passcode(known.email)
  const at = world.clock.now()
  await stores.identities.insertAlias({
    identityId: id,
    type: 'Phone',
    value: '4155550123',
    verifiedAt: at,
    at,
  })
  expect((await refusal(link(second))).code).toBe('code-expired')
  expect((await refusal(again())).code).toBe('code-expired')
  expect(await world.query('select subject from provider_subjects')).toEqual([])
})

test('4.4 a login that would send too many codes is refused on a page that says so', async () => {
  await using world = await aWorld()
  const last = async () => {
    const browser = world.browser()
    const { callback } = await upToCallback(browser, 'customer', known)
    return browser.fetch(callback)
  }
  for (let count = 0; count < 5; count += 1) expect((await last()).status).toBe(302)
  const response = await last()
  expect(response.status).toBe(429)
  expect(await response.text()).toContain('Too many codes were requested')
})

test('4.4 the code to connect an account expires', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', known)
  await browser.fetch(callback)
  const token = await world.passcode(known.email)
  world.clock.pass(10 * MINUTE_MS)
  const link = browser.call(BROKER.customer.linkAccount, { body: { state, token } })
  expect((await refusal(link)).code).toBe('code-expired')
})

test('4.4 a person outside the verified domains is refused on a page that says what to do', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { callback } = await upToCallback(browser, 'customer', guest)
  const response = await browser.fetch(callback)
  expect(response.status).toBe(403)
  const page = await response.text()
  expect(page).toContain('You cannot log in with this account')
  expect(page).toContain('href="/auth/login?orgCode=NORTHGALE"')
  expect(await world.query(identitiesOf(guest))).toEqual([])
})

test('4.4 after a refusal the provider is asked for a new choice, with the entered address as the hint', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const promptOf = async (userType: 'customer' | 'agent' = 'customer') => {
    const { redirect } = await beginAt(browser, userType)
    return new URL(redirect ?? '').searchParams.get('prompt')
  }
  expect(await promptOf()).toBeNull()
  // The person enters one address and signs in with another.
  const { redirect } = await beginAt(browser, 'customer', { email: customer.email })
  const page = await browser.fetch(await signInAtProvider(browser, redirect ?? '', guest))
  expect(await page.text()).toContain(
    'href="/auth/login?email=nora.north%40northgale.example&#38;orgCode=NORTHGALE"',
  )
  expect(await promptOf('agent')).toBeNull()
  expect(await promptOf()).toBe('login')

  // Without the choice, the provider would answer about the same person again.
  const headers = { [ORGANIZATION_HEADER]: 'NORTHGALE' }
  const body = { queryParams: { email: customer.email } }
  const again = await browser.call(BROKER.customer.beginLogin, { body, headers })
  const asked = new URL(again.redirect ?? '').searchParams
  expect([asked.get('prompt'), asked.get('login_hint')]).toEqual(['login', customer.email])
  // The provider's own page for changing people submits a form by script.
  for (const name of browser.cookies.keys()) {
    if (name.startsWith('_session')) browser.cookies.delete(name)
  }
  const callback = await signInAtProvider(browser, again.redirect ?? '', customer)
  expect((await browser.fetch(callback)).status).toBe(302)
  expect(await promptOf()).toBeNull()
})

test('8 a locked account is refused', async () => {
  await using world = await aWorld()
  await logInByProvider(world.browser(), 'customer', customer)
  await world.lock(customer.email)
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', customer)
  const response = await browser.fetch(callback)
  expect([response.status, await headingOf(response)]).toEqual([403, 'Your account is locked'])
  expect((await refusal(redeem(browser, state))).code).toBe('session-ended')
})

test('9 exactly one of many replays of a callback starts a session, even on several nodes', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const browser = world.browser()
  const { callback } = await upToCallback(browser, 'customer', customer)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { pathname, search } = new URL(callback)
  // The login began at the first node's origin, so the second one is called under that name, which `fetch` cannot do.
  const headers = { cookie, host: new URL(world.url).host }
  const replay = async (node: { readonly url: string } | undefined) => {
    const sent = get(`${node?.url}${pathname}${search}`, { headers })
    const [response]: IncomingMessage[] = await once(sent, 'response')
    return response?.resume().statusCode
  }
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => replay(world.nodes[index % world.nodes.length])),
  )
  expect(statuses.filter((status) => status === 302)).toHaveLength(1)
  expect(statuses.filter((status) => status === 410)).toHaveLength(19)
  expect(await world.query("select id from sessions where method = 'provider'")).toHaveLength(1)
})

test('4.4 simultaneous first logins of one person create one account', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const browsers = Array.from({ length: 6 }, () => world.browser())
  const logins = await Promise.all(
    browsers.map(async (browser) => ({
      browser,
      ...(await upToCallback(browser, 'customer', customer)),
    })),
  )
  const responses = await Promise.all(
    logins.map(({ browser, callback }) => browser.fetch(callback)),
  )
  expect(responses.map(({ status }) => status)).toEqual(browsers.map(() => 302))
  expect(await world.query(identitiesOf(customer))).toHaveLength(1)
  expect(await world.query('select subject from provider_subjects')).toHaveLength(1)
})

test('4.4 the token of the session is handed out once, to the browser of the session, within two minutes', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { callback, state } = await upToCallback(browser, 'customer', customer)
  await browser.fetch(callback)
  expect((await refusal(redeem(world.browser(), state))).code).toBe('session-ended')
  const ends = await outcomes(Array.from({ length: 8 }, () => redeem(browser, state)))
  expect(ends).toEqual({ answered: 1, 'code-used': 7 })

  const late = world.browser()
  const second = await upToCallback(late, 'customer', customer)
  await late.fetch(second.callback)
  world.clock.pass(2 * MINUTE_MS)
  expect((await refusal(redeem(late, second.state))).code).toBe('code-used')
})

test('4.4 two logins in one browser do not disturb each other', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const [first, second] = [await beginAt(browser, 'customer'), await beginAt(browser, 'customer')]
  for (const { redirect = '', state = '' } of [first, second]) {
    await browser.fetch(await signInAtProvider(browser, redirect, customer))
    await redeem(browser, state)
  }
})

test('4.4 logins that are left open keep few cookies, and the newest of them complete', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const begun = []
  for (let open = 0; open < 12; open += 1) begun.push(await beginAt(browser, 'customer'))
  const kept = [...browser.cookies.keys()].filter((name) => name.startsWith('portico-login'))
  expect(kept).toHaveLength(8)
  const callback = await signInAtProvider(browser, begun.at(-8)?.redirect ?? '', customer)
  expect((await browser.fetch(callback)).status).toBe(302)
})

test('4.4 logout ends the session here first, and returns the provider’s logout URL', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  await logInByProvider(browser, 'customer', customer)
  const cookie = browser.cookies.get('portico-session') ?? ''
  const { redirect } = await browser.call(BROKER.customer.logOut, {})
  expect((await refusal(browser.call(readIdentity, {}))).code).toBe('unauthenticated')
  const url = new URL(redirect)
  expect(url.pathname).toBe('/idp/session/end')
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${world.url}/auth/login`)
  // The cookie that the browser dropped is worthless too.
  const thief = world.browser()
  thief.cookies.set('portico-session', cookie)
  expect((await thief.fetch('/dashboard')).headers.get('location')).toContain('/auth/login')

  const page = await browser.fetch(redirect)
  const form = /action="([^"]+)".*?name="xsrf" value="([^"]+)"/s.exec(await page.text())
  const answer = await browser.fetch(form?.[1] ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ xsrf: form?.[2] ?? '', logout: 'yes' }).toString(),
  })
  expect(answer.headers.get('location')).toBe(`${world.url}/auth/login`)
})

test('4.4 a session that began with a password is logged out without the provider', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  await browser.signIn(known)
  expect(await browser.call(BROKER.customer.logOut, {})).toEqual({ redirect: '/auth/login' })
  expect((await refusal(browser.call(readIdentity, {}))).code).toBe('unauthenticated')
})

test('3 a deleted account leaves no provider data, and the person can register again', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  await logInByProvider(browser, 'customer', customer)
  await browser.confirmByMail(customer.email)
  await browser.call(deleteOwnAccount, { body: { email: customer.email } })
  expect(await world.query('select subject from provider_subjects')).toEqual([])
  await logInByProvider(world.browser(), 'customer', customer)
  expect(await world.query(identitiesOf(customer))).toHaveLength(1)
})

test('4.4 the login page continues a provider login only for a state of this browser', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const continues = async (state: string, from = browser) => {
    const query = new URLSearchParams({ state, orgCode: 'NORTHGALE', step: 'link' })
    return (await (await from.fetch(`/auth/login?${query}`)).text()).includes(
      '"isProviderReturn":true',
    )
  }
  const { callback, state } = await upToCallback(browser, 'customer', customer)
  await browser.fetch(callback)
  expect(await continues(state)).toBe(true)
  const { jwt = '' } = await browser.call(BROKER.customer.redeemLogin, { body: { state } })
  browser.jwt.write(jwt)
  // After a reload or Back, the session belongs to this login.
  expect(await continues(state)).toBe(true)
  const stranger = world.browser()
  const other = world.browser()
  await logInByProvider(other, 'customer', known).catch(() => undefined)
  for (const from of [stranger, other]) expect(await continues(state, from)).toBe(false)
  for (const forged of ['', 'nonce', `${state}x`]) expect(await continues(forged)).toBe(false)
  const twice = await browser.fetch(`/auth/login?state=${state}&state=${state}`)
  expect(twice.status).toBe(200)
})

test('4.4 the page offers the provider of its organization, if the experiment is on', async () => {
  using folder = temporaryFolder()
  cpSync(SHIPPED, folder.path, { recursive: true })
  const experiment = { key: 'broker-agent-login', description: 'Off.', on: false, percent: 100 }
  const file = join(folder.path, 'experiments', 'broker-agent-login.json')
  writeFileSync(file, JSON.stringify(experiment))
  await using world = await aWorld()
  await using withoutAgents = await aWorld().withSettings({ CONFIG_DIR: folder.path })
  const page = async (orgCode: string, { browser } = world) =>
    (await browser().fetch(`/auth/login?orgCode=${orgCode}`)).text()
  expect(await page('NORTHGALE')).toContain(
    '"providers":[{"userType":"customer","name":"Northgale ID","offered":true}]',
  )
  expect(await page('FIGURE_WHOLESALE')).toContain(
    '"providers":[{"userType":"agent","name":"Willow Brokers","offered":true}]',
  )
  expect(await page('FIGURE')).toContain('"providers":[]')
  expect(await page('FIGURE_WHOLESALE', withoutAgents)).toContain('"providers":[]')
  // Every experiment that decides this page is exposed, also if it says no; one without a provider decides nothing.
  expect(await page('NORTHGALE')).toContain('"loginExperiments":["broker-customer-login"]')
  expect(await page('FIGURE')).toContain('"loginExperiments":[]')
  expect(await page('FIGURE_WHOLESALE', withoutAgents)).toContain(
    '"loginExperiments":["broker-agent-login"]',
  )
  // A visitor who is not tracked takes part in no experiment, but can log in like the others.
  const untracked = world.browser({ headers: { 'sec-gpc': '1' } })
  const shown = await (await untracked.fetch('/auth/login?orgCode=NORTHGALE')).text()
  expect(shown).toContain('"broker-customer-login":false')
  expect(shown).toContain('"name":"Northgale ID"')
})

test('4.4 the identity lookup decides for people whom the provider manages; the experiment decides what all others are shown', {
  tags: 'database',
}, async () => {
  using folder = temporaryFolder()
  cpSync(SHIPPED, folder.path, { recursive: true })
  const experiment = { key: 'broker-customer-login', description: 'Off.', on: false, percent: 100 }
  const file = join(folder.path, 'experiments', 'broker-customer-login.json')
  writeFileSync(file, JSON.stringify(experiment))
  await using world = await aWorld().withSettings({ CONFIG_DIR: folder.path })
  const page = async () => (await world.browser().fetch('/auth/login?orgCode=NORTHGALE')).text()
  expect(await page()).toContain('"providers":[]')

  await logInByProvider(world.browser(), 'customer', customer)
  expect(await page()).toContain(
    '"providers":[{"userType":"customer","name":"Northgale ID","offered":false}]',
  )
  // The login page asks for the provider once its own login has refused the address, which it does with the same error for all.
  const { password } = known
  const unknown = 'unknown.person@northgale.example'
  for (const email of [customer.email, unknown]) {
    const browser = world.browser()
    expect((await refusal(browser.signIn({ email, password }))).code).toBe('wrong-credentials')
    expect((await beginAt(browser, 'customer', { email })).redirect).toBeDefined()
  }
  await world.browser().signIn(known)

  await world.browser().call(sendToken, { body: { email: customer.email } })
  const [mail] = await world.mail(customer.email)
  const link = new URL(/https?:\S+\/auth\/login\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  expect(Object.fromEntries(link.searchParams)).toEqual({
    email: customer.email,
    provider: 'customer',
    orgCode: 'NORTHGALE',
  })
})

function redeem(browser: Browser, state: string) {
  return browser.call(BROKER.customer.redeemLogin, { body: { state } })
}
