/** The investor passport (3, 4.9, 4.10, 6, 7.6): its calls, who may make them, and simultaneous changes. */
import { deleteOwnAccount } from '@portico/contracts/account-security'
import { MAX_PASSPORT_MEMBERS, ORGANIZATION_HEADER } from '@portico/contracts/limits'
import {
  createPassport,
  invitePassportMember,
  joinPassport,
  readCreatorPassport,
  readCreatorPassportStatus,
  readPassport,
  readPassportStatus,
  removePassportMember,
  reopenPassportSection,
  savePassportSection,
  submitPassport,
} from '@portico/contracts/passport'
import type { PassportSection } from '@portico/contracts/passport-sections'
import type { PassportStructureType } from '@portico/contracts/passport-status'
import { createHostedAccount, readAccounts, readWalletJwt } from '@portico/contracts/wallet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Credentials } from '../support/browser.ts'
import { logInByProvider, PROVIDER_PEOPLE } from '../support/identity-provider.ts'
import { PERSON } from '../support/passport-answers.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { rawRequest } from '../support/raw-request.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const RACERS = 20
const UNKNOWN = {
  kycStatus: 'UNKNOWN_STATUS',
  attestationStatus: 'UNKNOWN_STATUS',
  attestationVerificationStatus: 'UNKNOWN_STATUS',
} as const

type World = Awaited<ReturnType<typeof aWorld>>
let world: World

beforeAll(async () => {
  world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
})
afterAll(() => world[Symbol.asyncDispose]())

const code = async (call: Promise<unknown>) => (await refusal(call)).code

/** A new person who acts as a hosted wallet of their own. */
async function anInvestor(name = 'investor') {
  const who = newPerson(name)
  const browser = world.browser()
  await browser.register(who)
  const body = { name: 'Everyday', default: true }
  const { address } = await browser.call(createHostedAccount, { body })
  await actAs(browser, { walletAddress: address })
  return { who, browser, address }
}

/** A person of the demonstration who acts as the group of an organization. */
async function actingAsGroup({ email, password }: Credentials) {
  const browser = world.browser()
  await browser.signIn({ email, password })
  const accounts = await browser.call(readAccounts, {})
  const group = accounts.find(
    ({ authorizedWallets: [wallet] }) => wallet?.authorizationType === 'Group',
  )
  const walletAddress = group?.authorizedWallets[0]?.address ?? ''
  const groupPolicyAddress = group?.account.address ?? ''
  await actAs(browser, { walletAddress, groupPolicyAddress })
  return { browser, walletAddress, groupPolicyAddress }
}

async function actAs(
  browser: Browser,
  query: { walletAddress: string; groupPolicyAddress?: string },
): Promise<void> {
  browser.jwt.write((await browser.call(readWalletJwt, { query })).jwt)
}

/** The same session on each node. */
function onEachNode(browser: Browser): readonly Browser[] {
  return world.nodes.map((node) => {
    const same = world.browser({ node: () => node })
    same.jwt.write(browser.jwt.read() ?? '')
    for (const [name, value] of browser.cookies) same.cookies.set(name, value)
    return same
  })
}

const race = (browser: Browser, call: (browser: Browser, index: number) => Promise<unknown>) => {
  const browsers = onEachNode(browser)
  return outcomes(
    Array.from({ length: RACERS }, (_, index) =>
      call(browsers[index % browsers.length] ?? browser, index),
    ),
  )
}

const create = (browser: Browser, passportStructureType: PassportStructureType = 'INDIVIDUAL') =>
  browser.call(createPassport, { body: { passportStructureType } })

const save = (
  browser: Browser,
  passportUuid: string,
  version: number,
  changes: Record<string, string>,
  section: PassportSection = 'kyc',
) => browser.call(savePassportSection, { body: { passportUuid, section, version, changes } })

const submit = (
  browser: Browser,
  passportUuid: string,
  version: number,
  section: PassportSection = 'kyc',
) => browser.call(submitPassport, { body: { passportUuid, sections: [{ section, version }] } })

const invite = (browser: Browser, passportUuid: string, email: string) =>
  browser.call(invitePassportMember, {
    body: { passportUuid, name: 'Mia Member', email, role: 'controller' },
  })

test('7.6 an account without a passport has unknown statuses; with one it is in progress', {
  tags: 'database',
}, async () => {
  const { browser, address } = await anInvestor()
  expect(await browser.call(readPassportStatus, { query: {} })).toEqual({ status: UNKNOWN })
  expect(await code(browser.call(readPassport, { query: {} }))).toBe('not-found')
  expect(await browser.call(readCreatorPassportStatus, {})).toEqual([])

  const { passportUuid } = await create(browser)
  const summary = {
    passportUuid,
    passportStructureType: 'INDIVIDUAL',
    ownerWalletAddress: address,
    status: { ...UNKNOWN, kycStatus: 'IN_PROGRESS' },
  }
  expect(await browser.call(readPassportStatus, { query: {} })).toEqual(summary)
  expect(await browser.call(readPassportStatus, { query: { passportUuid } })).toEqual(summary)
  expect(await browser.call(readCreatorPassportStatus, {})).toEqual([summary])
  const passport = await browser.call(readPassport, { query: {} })
  expect(passport).toMatchObject({ ...summary, access: 'owner', members: [], history: [] })
  expect(await browser.call(readCreatorPassport, {})).toEqual([passport])
})

test('7.6 the passport is found from another device, before an account is chosen there', async () => {
  const { who, browser } = await anInvestor()
  const { passportUuid } = await create(browser)
  await save(browser, passportUuid, 0, { firstName: 'Iris' })
  const phone = world.browser()
  await phone.signIn(who)
  expect(await phone.call(readPassport, { query: {} })).toMatchObject({
    passportUuid,
    sections: [{ section: 'kyc', version: 1, answers: { firstName: 'Iris' } }],
  })
})

test('3 a wallet has the passport of an individual, a group that of an entity or a trust', async () => {
  const { browser } = await anInvestor()
  expect(await code(create(browser, 'ENTITY'))).toBe('passport-type-not-possible')
  const { browser: group, groupPolicyAddress } = await actingAsGroup(PEOPLE.organizations)
  expect(await code(create(group, 'INDIVIDUAL'))).toBe('passport-type-not-possible')
  const { passportUuid } = await create(group, 'ENTITY')
  expect(await create(group, 'ENTITY')).toEqual({ passportUuid })
  expect(await code(create(group, 'TRUST'))).toBe('passport-type-not-possible')
  expect(await group.call(readPassportStatus, { query: {} })).toMatchObject({
    passportStructureType: 'ENTITY',
    ownerWalletAddress: groupPolicyAddress,
  })
  const without = world.browser()
  await without.register(newPerson('walletless'))
  expect(await code(create(without))).toBe('account-not-chosen')
})

test('simultaneous calls: an account has one passport, and all calls return it', {
  tags: 'database',
}, async () => {
  const { browser, address } = await anInvestor('raced')
  const ids = new Set<string>()
  expect(await race(browser, async (each) => ids.add((await create(each)).passportUuid))).toEqual({
    answered: RACERS,
  })
  expect(ids.size).toBe(1)
  const rows = `select * from passports where owner_wallet_address = '${address}'`
  expect(await world.query(rows)).toHaveLength(1)
})

test('simultaneous saves: one is saved, the others get the current answers, and then nothing is lost', {
  tags: 'database',
}, async () => {
  const { browser } = await anInvestor('raced')
  const { passportUuid } = await create(browser)
  const fields = Object.keys(PERSON)
  let saved = 0
  const saveUntilDone = async (each: Browser, index: number) => {
    const field = fields[index % fields.length] ?? ''
    const changes = { [field]: PERSON[field as keyof typeof PERSON] }
    for (let version = 0; ; ) {
      const { isSaved, section } = await save(each, passportUuid, version, changes)
      if (isSaved) {
        saved += 1
        return
      }
      version = section.version
    }
  }
  expect(await race(browser, saveUntilDone)).toEqual({ answered: RACERS })
  const { sections } = await browser.call(readPassport, { query: {} })
  expect(sections).toMatchObject([{ version: saved, answers: { ...PERSON, taxId: '•••••6789' } }])
  expect(saved).toBe(RACERS)
})

test('answers are encrypted, and of a tax number only the last digits are sent back', async () => {
  const { browser } = await anInvestor()
  const { passportUuid } = await create(browser)
  const first = await save(browser, passportUuid, 0, PERSON)
  expect(first.section.answers['taxId']).toBe('•••••6789')
  // The hidden number is sent back by a form that shows it; the stored one stays.
  const again = { firstName: 'Marguerite', taxId: '•••••6789', unknownField: 'x' }
  expect(await save(browser, passportUuid, 1, again)).toMatchObject({
    isSaved: true,
    section: { version: 2, answers: { ...PERSON, firstName: 'Marguerite', taxId: '•••••6789' } },
  })
  const stored = JSON.stringify(await world.query('select * from passport_sections'))
  // Long enough not to occur in encrypted text by chance.
  for (const secret of ['123-45-6789', 'Harbor Street', 'Marguerite']) {
    expect(stored).not.toContain(secret)
  }
  expect(await submit(browser, passportUuid, 2)).toMatchObject({ status: { kycStatus: 'PENDING' } })
})

test('4.9 complete answers are submitted once, in the version that the person has seen', async () => {
  const { browser } = await anInvestor()
  const { passportUuid } = await create(browser)
  await save(browser, passportUuid, 0, { ...PERSON, taxId: '' })
  expect(await code(submit(browser, passportUuid, 1))).toBe('passport-incomplete')
  await save(browser, passportUuid, 1, { taxId: '123456789' })
  expect(await code(submit(browser, passportUuid, 1))).toBe('passport-changed')
  expect(await code(submit(browser, passportUuid, 1, 'self-attestation'))).toBe(
    'passport-incomplete',
  )
  expect(await race(browser, (each) => submit(each, passportUuid, 2))).toEqual({
    answered: 1,
    'passport-section-closed': RACERS - 1,
  })
  expect(await code(save(browser, passportUuid, 2, { city: 'Boston' }))).toBe(
    'passport-section-closed',
  )
  const body = { passportUuid, section: 'kyc' } as const
  expect(await race(browser, (each) => each.call(reopenPassportSection, { body }))).toEqual({
    answered: 1,
    'passport-section-open': RACERS - 1,
  })
  expect(await save(browser, passportUuid, 3, { city: 'Boston' })).toMatchObject({ isSaved: true })
  const { status, history } = await browser.call(readPassport, { query: {} })
  expect([status.kycStatus, history]).toMatchObject(['IN_PROGRESS', [{ event: 'submitted' }]])
})

test('3 add-ons are complete when they are declared; the attestation waits for its review', async () => {
  const { browser } = await anInvestor()
  const { passportUuid } = await create(browser)
  await save(
    browser,
    passportUuid,
    0,
    { accreditation: 'income', truthful: 'yes' },
    'self-attestation',
  )
  await save(browser, passportUuid, 0, { qualification: 'investments', truthful: 'yes' }, '3c7')
  const sections = [
    { section: 'self-attestation', version: 1 },
    { section: '3c7', version: 1 },
  ] as const
  const body = { passportUuid, sections: [...sections] }
  // All or none: the first is submitted only with the second.
  const incomplete = [...sections, { section: 'suitability', version: 1 } as const]
  const refused = browser.call(submitPassport, { body: { passportUuid, sections: incomplete } })
  expect(await code(refused)).toBe('passport-incomplete')
  expect(await browser.call(submitPassport, { body })).toMatchObject({
    status: { kycStatus: 'IN_PROGRESS', attestationStatus: 'PENDING' },
  })
  const passport = await browser.call(readPassport, { query: {} })
  expect(passport.sections.find(({ section }) => section === '3c7')?.status).toBe('VALID')
})

test('6 for a stranger, even with the ID, a passport does not exist', async () => {
  const { browser } = await anInvestor()
  const { passportUuid } = await create(browser)
  const { browser: stranger, who } = await anInvestor('stranger')
  const query = { passportUuid }
  const calls = [
    stranger.call(readPassport, { query }),
    stranger.call(readPassportStatus, { query }),
    save(stranger, passportUuid, 0, { city: 'Boston' }),
    submit(stranger, passportUuid, 1),
    stranger.call(reopenPassportSection, { body: { passportUuid, section: 'kyc' } }),
    invite(stranger, passportUuid, who.email),
    stranger.call(removePassportMember, { body: { passportUuid, memberUuid: passportUuid } }),
    stranger.call(joinPassport, { body: { passportUuid } }),
  ]
  expect(await outcomes(calls)).toEqual({ 'not-found': calls.length })
  expect(await stranger.call(readPassportStatus, { query: {} })).toEqual({ status: UNKNOWN })
})

test('6 a reviewer of the same lender reads whole numbers, and changes nothing', async () => {
  const { browser } = await anInvestor()
  const { passportUuid } = await create(browser)
  await save(browser, passportUuid, 0, PERSON)
  const { stores } = world.server
  const makeReviewer = async (headers: Record<string, string> = {}) => {
    const reviewer = newPerson('reviewer')
    const desk = world.browser({ headers })
    await desk.register(reviewer)
    const identity = await stores.identities.findByEmail(reviewer.email)
    const identityId = identity?.id ?? ''
    expect(await code(desk.call(readPassport, { query: { passportUuid } }))).toBe('not-found')
    await stores.identityRoles.insert({
      identityId,
      role: 'reviewer',
      organizationCode: identity?.organizationCode ?? '',
      createdAt: world.clock.now(),
    })
    return { desk, reviewer }
  }
  const { desk, reviewer } = await makeReviewer()
  // Not what the investor only began to fill in.
  expect(await desk.call(readPassport, { query: { passportUuid } })).toMatchObject({
    access: 'reviewer',
    sections: [],
  })
  await submit(browser, passportUuid, 1)
  expect(await desk.call(readPassport, { query: { passportUuid } })).toMatchObject({
    access: 'reviewer',
    sections: [{ answers: PERSON }],
  })
  const changes = [
    save(desk, passportUuid, 1, { city: 'Boston' }),
    submit(desk, passportUuid, 1),
    invite(desk, passportUuid, reviewer.email),
  ]
  expect(await outcomes(changes)).toEqual({ 'not-found': changes.length })
  const other = await makeReviewer({ [ORGANIZATION_HEADER]: 'HARBORLINE' })
  expect(await code(other.desk.call(readPassport, { query: { passportUuid } }))).toBe('not-found')
})

test('a member is invited by mail, joins with that address, fills in, and is removed', async () => {
  const { browser } = await actingAsGroup(PEOPLE.ana)
  const { passportUuid } = await create(browser, 'TRUST')
  const guest = newPerson('member')
  const member = await invite(browser, passportUuid, guest.email.toUpperCase())
  expect(member).toMatchObject({ email: guest.email, joinedAt: null })
  const [mail] = await world.mail(guest.email)
  expect(mail?.subject).toBe('You are invited to an investor passport')
  expect(mail?.text).toContain(
    encodeURIComponent(`/universal-passport/group-manager/${passportUuid}/join`),
  )
  expect(mail?.text).not.toContain('Mia')

  const body = { passportUuid }
  const other = await anInvestor('other')
  expect(await code(other.browser.call(joinPassport, { body }))).toBe('not-found')
  const phone = world.browser()
  await phone.register(guest)
  const query = { passportUuid }
  expect(await code(phone.call(readPassport, { query }))).toBe('not-found')
  expect(await race(phone, (each) => each.call(joinPassport, { body }))).toEqual({
    answered: RACERS,
  })
  expect(await phone.call(readPassport, { query })).toMatchObject({
    access: 'member',
    members: [{ email: guest.email, joinedAt: expect.any(Number) }],
  })
  expect(await phone.call(readCreatorPassportStatus, {})).toMatchObject([{ passportUuid }])
  expect(await save(phone, passportUuid, 0, { legalName: 'Alder' })).toMatchObject({
    isSaved: true,
  })
  // Only owners decide who else may read, and declare for the account.
  const owners = [
    submit(phone, passportUuid, 1),
    invite(phone, passportUuid, newPerson().email),
    phone.call(reopenPassportSection, { body: { passportUuid, section: 'kyc' } }),
    phone.call(removePassportMember, { body: { passportUuid, memberUuid: member.memberUuid } }),
  ]
  expect(await outcomes(owners)).toEqual({ 'not-found': owners.length })
  expect(await code(invite(browser, passportUuid, guest.email))).toBe('already-member')

  // Saves that race with the removal end before it.
  const removal = browser.call(removePassportMember, {
    body: { passportUuid, memberUuid: member.memberUuid },
  })
  const saves = Array.from({ length: RACERS }, (_, version) =>
    save(phone, passportUuid, version + 1, { jurisdiction: 'Maine' }),
  )
  await Promise.allSettled([...saves, removal])
  await removal
  const { sections } = await browser.call(readPassport, { query: {} })
  expect(await code(save(phone, passportUuid, sections[0]?.version ?? 0, {}))).toBe('not-found')
  expect(await code(phone.call(readPassport, { query }))).toBe('not-found')
})

test('7.6 an invitation is not accepted with an address that only a provider asserts', {
  tags: 'database',
}, async () => {
  const { browser } = await actingAsGroup(PEOPLE.ana)
  const { passportUuid } = await create(browser, 'TRUST')
  const { customer } = PROVIDER_PEOPLE
  await invite(browser, passportUuid, customer.email)
  const guest = world.browser()
  await logInByProvider(guest, 'customer', customer)
  const body = { passportUuid }
  expect(await code(guest.call(joinPassport, { body }))).toBe('email-not-verified')
  expect(await code(guest.call(readPassport, { query: body }))).toBe('not-found')
  await guest.confirmByMail(customer.email)
  await guest.call(joinPassport, { body })
  expect((await guest.call(readPassport, { query: body })).access).toBe('member')
})

test('an invitation expires, can be sent again, and is limited', async () => {
  const { browser } = await actingAsGroup(PEOPLE.ben)
  const { passportUuid } = await create(browser, 'TRUST')
  const guest = newPerson('late')
  await invite(browser, passportUuid, guest.email)
  world.clock.pass(14 * DAY_MS + 1000)
  const phone = world.browser()
  await phone.register(guest)
  expect(await code(phone.call(joinPassport, { body: { passportUuid } }))).toBe('not-found')
  const owner = await actingAsGroup(PEOPLE.ben)
  for (let sent = 0; sent < 5; sent += 1) await invite(owner.browser, passportUuid, guest.email)
  expect(await code(invite(owner.browser, passportUuid, guest.email))).toBe('too-many-requests')
  await phone.call(joinPassport, { body: { passportUuid } })
  expect((await phone.call(readPassport, { query: { passportUuid } })).access).toBe('member')
})

test('simultaneous invitations: a passport has twenty members; that of an individual has none', {
  tags: 'database',
}, async () => {
  const individual = await anInvestor()
  const { passportUuid: own } = await create(individual.browser)
  expect(await code(invite(individual.browser, own, newPerson().email))).toBe(
    'passport-type-not-possible',
  )
  const { browser } = await actingAsGroup(PEOPLE.organizations)
  const { passportUuid } = await create(browser, 'ENTITY')
  const already = (await browser.call(readPassport, { query: {} })).members.length
  const invitations = Array.from({ length: MAX_PASSPORT_MEMBERS + 5 - already }, () =>
    invite(browser, passportUuid, newPerson('guest').email),
  )
  expect(await outcomes(invitations)).toEqual({
    answered: MAX_PASSPORT_MEMBERS - already,
    'too-many-members': 5,
  })
})

test('6 a user who no longer signs for the group no longer has its passport, not even as its creator', async () => {
  const { browser, walletAddress, groupPolicyAddress } = await actingAsGroup(PEOPLE.organizations)
  const { passportUuid } = await create(browser, 'ENTITY')
  await actAs(browser, { walletAddress })
  const query = { passportUuid }
  expect((await browser.call(readPassport, { query })).access).toBe('owner')
  await world.server.stores.accounts.deleteAuthorization(walletAddress, groupPolicyAddress)
  expect(await code(browser.call(readPassport, { query }))).toBe('not-found')
  expect(await browser.call(readCreatorPassportStatus, {})).toEqual([])
})

test('deleting an account deletes the passport of an individual, and its memberships', async () => {
  const { browser, who, address } = await anInvestor('leaving')
  const { passportUuid } = await create(browser)
  await save(browser, passportUuid, 0, PERSON)
  const group = await actingAsGroup(PEOPLE.cleo)
  const { passportUuid: shared } = await create(group.browser, 'TRUST')
  await invite(group.browser, shared, who.email)
  await browser.call(joinPassport, { body: { passportUuid: shared } })
  await browser.confirmByMail(who.email)
  await browser.call(deleteOwnAccount, { body: { email: who.email, deleteHostedWallets: true } })
  for (const rows of [
    `select id from passports where owner_wallet_address = '${address}'`,
    `select id from passport_sections where passport_id = '${passportUuid}'`,
    `select id from passport_members where email = '${who.email}'`,
  ]) {
    expect(await world.query(rows)).toEqual([])
  }
})

test('4.10 a flow request of 100 kB gets a page that says what to do', async () => {
  const description = 'a'.repeat(100_000)
  const answer = await rawRequest(
    world.url,
    `GET /auth/gatekeeper?intent=kyc&redirectUrl=/&description=${description} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
  )
  expect(answer).toContain('content-type: text/html; charset=utf-8')
  expect(answer).toContain('<h1>This link does not work</h1>')
  expect(answer).toContain('href="/dashboard"')
})

test('2.2 the pages of the passport and of flow requests require a session', async () => {
  const path = '/universal-passport/onboarding/type-of-investor?intent=kyc'
  const page = await fetch(`${world.url}${path}`, { redirect: 'manual' })
  expect([page.status, page.headers.get('location')]).toEqual([
    302,
    `/auth/login?redirectUrl=${encodeURIComponent(path)}`,
  ])
})
