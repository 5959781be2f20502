import { setTimeout } from 'node:timers/promises'
import {
  AccountExport,
  beginEmailChange,
  beginTotp,
  confirmEmailChange,
  confirmIdentity,
  deleteOwnAccount,
  exportAccountData,
  readSecurity,
} from '@portico/contracts/account-security'
import { requestApproval } from '@portico/contracts/hosted-wallet'
import { login, readIdentity, redeemToken, sendToken } from '@portico/contracts/identity'
import { storeBorrowerQueryParams } from '@portico/contracts/lead-portal'
import { beginOrganization } from '@portico/contracts/organization-account'
import { redeemTotp } from '@portico/contracts/two-factor'
import { createHostedAccount } from '@portico/contracts/wallet'
import { expect, test } from 'vitest'
import { authenticatorCode } from '../support/authenticator.ts'
import type { Browser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, PASSWORD, refusal } from '../support/world.ts'

const MINUTE_MS = 60_000

type World = Awaited<ReturnType<typeof aWorld>>

const code = async (call: Promise<unknown>) => (await refusal(call)).code
const otherThan = (right: string) => (right === '111111' ? '222222' : '111111')
const subjects = async (world: World, to: string) =>
  (await world.mail(to)).map(({ subject }) => subject).join()

async function signedIn(name: string) {
  const owner = newPerson(name)
  const world = await aWorld()
    .withNodes(ON_POSTGRES ? 2 : 1)
    .withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  await browser.confirm(owner)
  return { world, browser, owner }
}

/** Starts a change of email address; returns the codes mailed to both. */
async function begin(world: World, browser: Browser, from: string, to: string) {
  const { changeUuid } = await browser.call(beginEmailChange, { body: { email: to } })
  return {
    changeUuid,
    currentToken: await world.passcode(from),
    newToken: await world.passcode(to),
  }
}

test('10 the address changes with the codes of both mailboxes, once, and the new one signs in', {
  tags: 'database',
}, async () => {
  const { world, browser, owner } = await signedIn('moving')
  await using _ = world
  const { email } = newPerson('moved')
  const other = world.browser()
  await other.signIn(owner)
  const late = await other.call(sendToken, { body: { email: owner.email } })
  const lateToken = await world.passcode(owner.email)

  const codes = await begin(world, browser, owner.email, email)
  const confirm = (body: typeof codes) => browser.call(confirmEmailChange, { body })
  for (const wrong of [
    { ...codes, currentToken: otherThan(codes.currentToken) },
    { ...codes, newToken: otherThan(codes.newToken) },
    { ...codes, currentToken: codes.newToken, newToken: codes.currentToken },
  ]) {
    expect(await code(confirm(wrong))).toBe('code-wrong')
  }
  const ends = await outcomes(Array.from({ length: 4 }, () => confirm(codes)))
  expect(ends['answered']).toBe(1)

  const { identity } = await browser.call(readIdentity, {})
  expect(identity.aliases).toEqual([
    { uuid: expect.any(String), type: 'Email', value: email, verified: true, auth: true },
  ])
  expect((await refusal(other.call(readIdentity, {}))).status).toBe(401)
  expect(await code(world.browser().signIn(owner))).toBe('wrong-credentials')
  await world.browser().signIn({ email, password: PASSWORD })
  // A code sent before is refused and does not create an account at the old address.
  const redeem = world
    .browser()
    .call(redeemToken, { body: { loginUuid: late.uuid, token: lateToken } })
  expect(await code(redeem)).toBe('code-expired')
  for (const to of [owner.email, email]) {
    expect(await subjects(world, to)).toContain('The email address of your Figure account')
  }
  const kinds = (await browser.call(readSecurity, {})).events.map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['email-change-begun', 'email-changed']))
})

test('10 an address with an account gets the same answer and is not taken over', async () => {
  const { world, browser, owner } = await signedIn('greedy')
  await using _ = world
  const taken = PEOPLE.passwordless.email
  const { changeUuid } = await browser.call(beginEmailChange, { body: { email: taken } })
  const [mail] = await world.mail(taken)
  expect(mail?.text).toContain('You already have an account')
  expect(mail?.text).not.toMatch(/^\d{6}$/m)
  const currentToken = await world.passcode(owner.email)
  const body = { changeUuid, currentToken, newToken: '123456' }
  expect(await code(browser.call(confirmEmailChange, { body }))).toBe('code-wrong')
  const own = browser.call(beginEmailChange, { body: { email: owner.email } })
  expect(await code(own)).toBe('email-unchanged')

  // Another person registers the new address while its code is pending.
  const candidate = newPerson('wanted')
  const codes = await begin(world, browser, owner.email, candidate.email)
  await world.browser().register(candidate)
  expect(await code(browser.call(confirmEmailChange, { body: codes }))).toBe('code-used')
  await world.browser().signIn(candidate)
  await world.browser().signIn(owner)
})

test('10 codes for a change of address last ten minutes and work only for their session’s account', async () => {
  const { world, browser, owner } = await signedIn('slow')
  await using _ = world
  const codes = await begin(world, browser, owner.email, newPerson('later').email)
  const stranger = world.browser()
  await stranger.signIn(PEOPLE.individual)
  await stranger.confirm(PEOPLE.individual)
  expect(await code(stranger.call(confirmEmailChange, { body: codes }))).toBe('code-wrong')
  world.clock.pass(11 * MINUTE_MS)
  await browser.signIn(owner)
  await browser.confirm(owner)
  expect(await code(browser.call(confirmEmailChange, { body: codes }))).toBe('code-expired')
})

test('10 a change of address cancels every other pending one, with codes sent to the old address', async () => {
  const { world, browser, owner } = await signedIn('twice')
  await using _ = world
  const confirm = (body: Awaited<ReturnType<typeof begin>>) =>
    browser.call(confirmEmailChange, { body })
  const candidate = [newPerson('one').email, newPerson('two').email] as const
  const first = await begin(world, browser, owner.email, candidate[0])
  const second = await begin(world, browser, owner.email, candidate[1])
  const third = await begin(world, browser, owner.email, newPerson('three').email)
  expect((await outcomes([confirm(first), confirm(second)]))['answered']).toBe(1)
  expect(await code(confirm(third))).toBe('code-used')
  // The address for signing in and the displayed one are the same.
  const { aliases } = (await browser.call(readIdentity, {})).identity
  const [alias] = aliases
  await world.browser().signIn({ email: alias?.value ?? '', password: PASSWORD })
  expect(candidate).toContain(alias?.value)
})

// On the embedded database no one can register between the check and the change.
test.runIf(ON_POSTGRES)(
  '10 an address that is registered at the moment of the change is refused without an error',
  { tags: 'database' },
  async () => {
    const { world, browser, owner } = await signedIn('slower')
    await using _ = world
    const { email } = newPerson('faster')
    const codes = await begin(world, browser, owner.email, email)
    const columns = 'organization_code, profile_type, credential_version, created_at, updated_at'
    const registering = world.query(`begin;
      insert into identities (id, email, ${columns})
        select gen_random_uuid()::text, '${email}', ${columns} from identities where email = '${owner.email}';
      select pg_sleep(2);
      commit`)
    await setTimeout(700)
    expect(await code(browser.call(confirmEmailChange, { body: codes }))).toBe('code-used')
    await registering
    await world.browser().signIn(owner)
  },
)

/** Calls of the owner's other tabs that write rows of the account. */
const BEGINNINGS: readonly ((tab: Browser, address: string) => Promise<unknown>)[] = [
  (tab) => tab.call(beginEmailChange, { body: { email: newPerson('next').email } }),
  (tab) => tab.call(beginTotp, {}),
  (tab) => tab.call(confirmIdentity, { body: { password: PASSWORD } }),
  (tab) => tab.call(storeBorrowerQueryParams, { body: { queryParams: { label: 'apollo' } } }),
  (tab) => tab.call(createHostedAccount, { body: { name: 'Another' } }),
  (tab, address) =>
    tab.call(requestApproval, { body: { kind: 'sign', address, messageHex: '68656c6c6f' } }),
  (tab, walletAddress) =>
    tab.call(beginOrganization, { body: { walletAddress, name: 'Willow Partners' } }),
]

test('10 calls of other tabs during the deletion of the account end with it, and none fails', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  for (let round = 0; round < 3; round += 1) {
    const owner = newPerson(`leaving${round}`)
    const first = world.browser()
    await first.register(owner)
    // The password of a registration confirms nothing for a day.
    world.clock.pass(24 * 60 * 60_000)
    await first.signIn(owner)
    const { address } = await first.call(createHostedAccount, { body: { name: 'Everyday' } })
    const tabs = world.nodes.map((node) => world.browser({ node: () => node }))
    await first.confirmByMail(owner.email)
    for (const tab of tabs) {
      await tab.signIn(owner)
      await tab.confirm(owner)
    }
    const begin = () => tabs.flatMap((tab) => BEGINNINGS.map((each) => each(tab, address)))
    const body = { email: owner.email, deleteHostedWallets: true }
    const ends = await outcomes([
      ...begin(),
      first.call(deleteOwnAccount, { body }),
      ...begin(),
      ...begin(),
    ])
    expect([
      'answered',
      'session-ended',
      // The session was open but the wallet is already deleted, or too many codes were sent.
      'wallet-not-verified',
      'account-not-authorized',
      // The calls that were repeated create an account of the same name.
      'account-name-used',
      'too-many-requests',
    ]).toEqual(expect.arrayContaining(Object.keys(ends)))
    const left = await world.query(`select id from identities where email = '${owner.email}'`)
    expect(left).toEqual([])
  }
})

async function alma(world: World): Promise<Browser> {
  const browser = world.browser()
  const { email, password } = PEOPLE.all
  const { twoFactorOptions } = await browser.call(login, { body: { email, password } })
  const shown = authenticatorCode(PEOPLE.totp.secret, world.clock.now())
  const body = { loginUuid: twoFactorOptions?.loginUuid ?? '', code: shown }
  browser.jwt.write((await browser.call(redeemTotp, { body })).jwt)
  await browser.confirm(PEOPLE.all)
  return browser
}

test('10 the export contains all data about its owner and no secrets', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const browser = await alma(world)
  const { address } = await browser.call(createHostedAccount, {
    body: { name: 'Everyday', default: true },
  })
  const { identities, providers } = world.server.stores
  const identityId = (await identities.findByEmail(PEOPLE.all.email))?.id ?? ''
  const [provider] = await world.query('select id from identity_providers')
  const providerId = String(provider?.['id'])
  const createdAt = world.clock.now()
  await providers.insertSubject({
    providerId,
    identityId,
    subject: 'person 1',
    managedAt: null,
    createdAt,
  })
  // The provider's issuer was changed twice.
  await providers.retireSubjects(providerId)
  await providers.retireSubjects(providerId)
  const exported = await browser.call(exportAccountData, {})
  expect(AccountExport.parse(exported)).toEqual(exported)
  expect(exported.security.identityProviders).toMatchObject([
    { subject: 'person 1', isCurrent: false },
  ])
  expect(exported).toMatchObject({
    identity: { email: PEOPLE.all.email, hasPassword: true },
    security: { totpEnabled: true, recoveryCodesLeft: 3 },
  })
  expect(exported.wallets.map((wallet) => wallet.address)).toContain(address)
  expect(exported.events.map(({ kind }) => kind)).toContain('signed-in')
  const text = JSON.stringify(exported)
  for (const secret of [
    PEOPLE.totp.secret,
    'argon2',
    'Utrecht',
    'demo-0000',
    'wrapped',
    'secret_hash',
  ]) {
    expect(text).not.toContain(secret)
  }
  expect(await subjects(world, PEOPLE.all.email)).toContain('The data of your Figure account')
})

/** The tables with a column of this name. */
async function tablesWith(world: World, column: string): Promise<readonly string[]> {
  const tables = await world.query(
    ON_POSTGRES
      ? `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = '${column}'`
      : `select m.name from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and c.name = '${column}'`,
  )
  return tables.map(({ name }) => String(name))
}

/** Two lockout links of an address: one opened, one pending. */
async function mailLockoutLinks({ server, clock }: World, email: string): Promise<void> {
  const { lockoutLinks } = server.stores
  const [at, expiresAt] = [clock.now(), clock.now() + MINUTE_MS]
  for (const tokenHash of ['opened', 'waiting']) {
    await lockoutLinks.insert({ tokenHash, email, expiresAt })
  }
  await lockoutLinks.consume({ tokenHash: 'opened', deviceHash: 'device', at, expiresAt })
}

test('10 a deleted account is removed from every table except the security events, and its address is free', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const browser = await alma(world)
  const { email, password } = PEOPLE.all
  const { identity } = await browser.call(readIdentity, {})
  await browser.call(createHostedAccount, { body: { name: 'Everyday', default: true } })
  await browser.call(beginEmailChange, { body: { email: newPerson('unused').email } })
  await mailLockoutLinks(world, email)
  const remove = (body: { email: string; deleteHostedWallets?: boolean }) =>
    browser.call(deleteOwnAccount, { body })
  expect(await code(remove({ email: PEOPLE.totp.email }))).toBe('email-not-yours')
  expect(await code(remove({ email }))).toBe('hosted-wallets-remain')
  const cookie = browser.cookies.get('portico-session') ?? ''
  const others = await world.query('select count(*) as many from identities')
  await remove({ email: email.toUpperCase(), deleteHostedWallets: true })

  expect(browser.cookies.has('portico-session')).toBe(false)
  browser.cookies.set('portico-session', cookie)
  expect((await refusal(browser.call(readIdentity, {}))).status).toBe(401)
  expect(await subjects(world, email)).toContain('Your Figure account was deleted')
  const tables = await tablesWith(world, 'identity_id')
  expect(tables.length).toBeGreaterThan(12)
  // Telemetry keeps the id, which no longer identifies anyone, until it is swept.
  const retained = ['audit_events', 'telemetry_sessions', 'telemetry_events']
  for (const name of tables.filter((table) => !retained.includes(table))) {
    const rows = `select identity_id from ${name} where identity_id = '${identity.uuid}'`
    expect(await world.query(rows), name).toEqual([])
  }
  expect(await world.query(`select id from aliases where value = '${email}'`)).toEqual([])
  const addressed = await tablesWith(world, 'email')
  expect(addressed).toEqual(expect.arrayContaining(['identities', 'passcodes', 'lockout_links']))
  for (const name of addressed) {
    const rows = `select email from ${name} where email = '${email}'`
    expect(await world.query(rows), name).toEqual([])
  }
  const audit = await world.query(
    `select details from audit_events where identity_id = '${identity.uuid}' and kind = 'account-deleted'`,
  )
  expect(audit).toHaveLength(1)
  expect(Number((await world.query('select count(*) as many from identities'))[0]?.['many'])).toBe(
    Number(others[0]?.['many']) - 1,
  )

  expect(await code(world.browser().signIn({ email, password }))).toBe('wrong-credentials')
  const again = world.browser()
  await again.register({ email, password: PASSWORD })
  expect((await again.call(readIdentity, {})).identity.uuid).not.toBe(identity.uuid)
})
