/** Reviews of investor passports (4.9): the queue, decisions and their mails, who may decide, and simultaneous changes. */
import { exportAccountData, readSecurity } from '@portico/contracts/account-security'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'
import {
  createPassport,
  invitePassportMember,
  joinPassport,
  readCreatorPassportStatus,
  readPassport,
  reopenPassportSection,
  savePassportSection,
  submitPassport,
} from '@portico/contracts/passport'
import {
  decideReview,
  type ReviewDecision,
  type ReviewState,
  readReview,
  readReviewQueue,
} from '@portico/contracts/passport-review'
import { createHostedAccount, readAccounts, readWalletJwt } from '@portico/contracts/wallet'
import { changeGrants } from '@portico/server/change-grants'
import { loadData } from '@portico/server/load-data'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { PERSON } from '../support/passport-answers.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const RACERS = 20
const UUID = '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11'

const ENTITY = {
  legalName: 'Larch Partners',
  entityType: 'llc',
  formedOn: '2019-05-01',
  jurisdiction: 'Maine',
  taxId: '12-3456789',
  country: 'US',
  street: '1 Harbor Street',
  city: 'Portland',
  region: 'ME',
  postalCode: '04101',
  controllerName: 'Olga Organizations',
  controllerTitle: 'Manager',
  phone: '(201) 555-0123',
}

type World = Awaited<ReturnType<typeof aWorld>>
let world: World
let organizations: Parameters<typeof changeGrants>[0]['organizations']

beforeAll(async () => {
  world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  organizations = (await loadData(world.config)).brands.organizations
})
afterAll(() => world[Symbol.asyncDispose]())

const code = async (call: Promise<unknown>) => (await refusal(call)).code

/** What `npm run operator` does. */
const change = (role: Parameters<typeof changeGrants>[1]) =>
  changeGrants(
    {
      stores: world.server.stores,
      organizations,
      clock: world.clock.now,
    },
    role,
  )

/** A new person with a hosted wallet. */
async function anInvestor({ headers = {} }: { headers?: Record<string, string> } = {}) {
  const who = newPerson('investor')
  const browser = world.browser({ headers })
  await browser.register(who)
  await browser.call(createHostedAccount, { body: { name: 'Everyday', default: true } })
  return { who, browser }
}

/** An investor who submitted the KYC answers. */
async function aSubmission(options: { headers?: Record<string, string> } = {}) {
  const { who, browser } = await anInvestor(options)
  const { passportUuid } = await browser.call(createPassport, {
    body: { passportStructureType: 'INDIVIDUAL' },
  })
  await save(browser, passportUuid, 0, PERSON)
  await submit(browser, passportUuid, 1)
  return { who, browser, passportUuid }
}

async function aReviewer({ headers = {} }: { headers?: Record<string, string> } = {}) {
  const who = newPerson('reviewer')
  const browser = world.browser({ headers })
  await browser.register(who)
  await change({ action: 'grant', email: who.email, role: 'reviewer' })
  return { who, browser }
}

/** The reviewer of the demonstration. */
async function rita() {
  const browser = world.browser()
  await browser.signIn(PEOPLE.reviewer)
  return browser
}

const save = (
  browser: Browser,
  passportUuid: string,
  version: number,
  changes: Record<string, string>,
) => browser.call(savePassportSection, { body: { passportUuid, section: 'kyc', version, changes } })

const submit = (browser: Browser, passportUuid: string, version: number) =>
  browser.call(submitPassport, {
    body: { passportUuid, sections: [{ section: 'kyc', version }] },
  })

const reopen = (browser: Browser, passportUuid: string) =>
  browser.call(reopenPassportSection, { body: { passportUuid, section: 'kyc' } })

const review = (browser: Browser, passportUuid: string) =>
  browser.call(readReview, { query: { passportUuid, section: 'kyc' } })

const decide = (
  browser: Browser,
  passportUuid: string,
  version: number,
  decision: ReviewDecision,
) => browser.call(decideReview, { body: { passportUuid, section: 'kyc', version, decision } })

const APPROVE = { event: 'approved' } as const
const DENY = { event: 'denied', reason: 'The registry has another owner.' } as const
const ASK = { event: 'returned', reason: 'Please add your second name.\nAs on your ID.' } as const

/** All of a passport's positions in a reviewer's queue. */
async function queued(browser: Browser, passportUuid: string, state: ReviewState = 'waiting') {
  for (let after: string | undefined; ; ) {
    const { items, next } = await browser.call(readReviewQueue, {
      query: { state, ...(after && { after }) },
    })
    const found = items.filter((item) => item.passportUuid === passportUuid)
    if (found.length > 0 || next === null) return found
    after = next
  }
}

/** The refusals of every call about a passport. */
const refusedAnswers = (browser: Browser, passportUuid: string) =>
  Promise.all([
    refusal(review(browser, passportUuid)),
    refusal(decide(browser, passportUuid, 2, APPROVE)),
    refusal(decide(browser, passportUuid, 2, ASK)),
    refusal(decide(browser, passportUuid, 2, DENY)),
  ])

/** Acts as the group that a person of the demonstration signs for. */
async function actAsGroup(browser: Browser): Promise<void> {
  const accounts = await browser.call(readAccounts, {})
  const group = accounts.find(
    ({ authorizedWallets: [wallet] }) => wallet?.authorizationType === 'Group',
  )
  const query = {
    walletAddress: group?.authorizedWallets[0]?.address ?? '',
    groupPolicyAddress: group?.account.address ?? '',
  }
  browser.jwt.write((await browser.call(readWalletJwt, { query })).jwt)
}

test('4.9 a reviewer asks for more, the person answers, and the reviewer approves', {
  tags: 'database',
}, async () => {
  const { who, browser, passportUuid } = await aSubmission()
  const desk = await rita()
  expect(await queued(desk, passportUuid)).toMatchObject([
    { section: 'kyc', name: 'Iris Individual', status: 'PENDING', passportUuid },
  ])
  const seen = await review(desk, passportUuid)
  expect(seen).toMatchObject({
    version: 2,
    isWaiting: true,
    answers: PERSON,
    creatorEmail: who.email,
    history: [{ event: 'submitted', by: who.email }],
  })
  expect(await decide(desk, passportUuid, 2, ASK)).toMatchObject({ status: 'IN_PROGRESS' })
  expect(await queued(desk, passportUuid)).toEqual([])
  expect(await queued(desk, passportUuid, 'with-investor')).toHaveLength(1)

  const [asked] = await world.mail(who.email)
  expect(asked?.subject).toBe('Figure needs more from you')
  expect(asked?.text).toContain(
    encodeURIComponent(`/universal-passport/onboarding/${passportUuid}/resume`),
  )
  expect(asked?.text).not.toContain('second name')
  const phone = world.browser()
  await phone.signIn(who)
  const [summary] = await phone.call(readCreatorPassportStatus, {})
  expect(summary?.decisions).toMatchObject([{ event: 'returned', reason: ASK.reason }])
  await save(phone, passportUuid, 2, { firstName: 'Iris Ida' })
  await submit(phone, passportUuid, 3)
  expect((await phone.call(readCreatorPassportStatus, {}))[0]).not.toHaveProperty('decisions')

  expect(await decide(desk, passportUuid, 4, APPROVE)).toMatchObject({ status: 'VALID' })
  expect((await world.mail(who.email))[0]?.subject).toBe('Figure approved your answers')
  const { status, history } = await browser.call(readPassport, { query: {} })
  expect(status.kycStatus).toBe('VALID')
  expect(history.map(({ event }) => event)).toEqual([
    'submitted',
    'returned',
    'submitted',
    'approved',
  ])
  // The person does not see who decided.
  expect(JSON.stringify(history)).not.toContain(PEOPLE.reviewer.email)
  expect((await review(desk, passportUuid)).history.at(-1)?.by).toBe(PEOPLE.reviewer.email)
  expect(await queued(desk, passportUuid, 'approved')).toHaveLength(1)
  const kinds = await world.query(
    `select kind, details from audit_events where details like '%${passportUuid}%' order by created_at, kind desc`,
  )
  expect(kinds.map(({ kind }) => String(kind)).toSorted()).toEqual([
    'passport-answers-read',
    'passport-answers-read',
    'passport-approved',
    'passport-returned',
  ])
  const stored = JSON.stringify(await world.query('select * from passport_reviews'))
  expect(stored).not.toContain('second name')
})

test('sections and what happened to them are in the order of the forms', async () => {
  const { browser } = await anInvestor()
  const { passportUuid } = await browser.call(createPassport, {
    body: { passportStructureType: 'INDIVIDUAL' },
  })
  const forms = {
    kyc: PERSON,
    'self-attestation': { accreditation: 'income', truthful: 'yes' },
    '3c1': { ownership: 'under-10-percent', truthful: 'yes' },
    '3c7': { qualification: 'investments', truthful: 'yes' },
  } as const
  const sections = Object.keys(forms) as (keyof typeof forms)[]
  for (const section of sections) {
    const body = { passportUuid, section, version: 0, changes: forms[section] }
    await browser.call(savePassportSection, { body })
  }
  await browser.call(submitPassport, {
    body: {
      passportUuid,
      sections: sections.toReversed().map((section) => ({ section, version: 1 })),
    },
  })
  const passport = await browser.call(readPassport, { query: {} })
  expect(passport.history.map(({ section }) => section)).toEqual(sections)
  expect(passport.sections.map(({ section }) => section)).toEqual(sections)
})

test('10 A7 the audit log says which reviewer read which answers, and the activity of the reviewer stays short', async () => {
  const { browser, passportUuid } = await aSubmission()
  const { who, browser: desk } = await aReviewer()
  await review(desk, passportUuid)
  await desk.call(readPassport, { query: { passportUuid } })
  await browser.call(readPassport, { query: { passportUuid } })
  const events = await world.query(
    `select email, details from audit_events join identities on identities.id = identity_id where kind = 'passport-answers-read' and details like '%${passportUuid}%'`,
  )
  const reading = [who.email, { passport: passportUuid, section: 'kyc' }]
  expect(events.map(({ email, details }) => [email, JSON.parse(String(details))])).toEqual([
    reading,
    reading,
  ])
  const { events: shown } = await desk.call(readSecurity, {})
  expect(shown.map(({ kind }) => kind)).not.toContain('passport-answers-read')
})

test('a decision counts when the role is revoked right after it, and none is stored after a refusal', {
  tags: 'database',
}, async () => {
  for (let round = 0; round < 6; round += 1) {
    const { browser, passportUuid } = await aSubmission()
    const { who, browser: desk } = await aReviewer()
    const [decision] = await Promise.allSettled([
      decide(desk, passportUuid, 2, APPROVE),
      change({ action: 'revoke', email: who.email, role: 'reviewer' }),
    ])
    const { status } = await browser.call(readPassport, { query: {} })
    expect(status.kycStatus).toBe(decision.status === 'fulfilled' ? 'VALID' : 'PENDING')
    expect(await code(decide(desk, passportUuid, 2, DENY))).toBe('not-found')
  }
})

test('4.9 a denied section says why, and can be edited and submitted again', async () => {
  const { who, browser, passportUuid } = await aSubmission()
  const desk = await rita()
  expect(await decide(desk, passportUuid, 2, DENY)).toMatchObject({ status: 'DENIED' })
  const [mail] = await world.mail(who.email)
  expect(mail?.subject).toBe('Figure could not approve your answers')
  expect(mail?.text).not.toContain(DENY.reason)
  expect((await browser.call(readPassport, { query: {} })).history.at(-1)?.reason).toBe(DENY.reason)
  await reopen(browser, passportUuid)
  await submit(browser, passportUuid, 2)
  expect(await decide(desk, passportUuid, 3, APPROVE)).toMatchObject({ status: 'VALID' })
})

test('the longest wait comes first, in pages, and a decision leads to the next one', async () => {
  const desk = await rita()
  const submissions: string[] = []
  for (let index = 0; index < 3; index += 1) {
    submissions.push((await aSubmission()).passportUuid)
    world.clock.pass(1000)
  }
  const before = await desk.call(readReviewQueue, { query: {} })
  const listed = before.items.map(({ submittedAt }) => submittedAt)
  expect(listed).toEqual(listed.toSorted((a, b) => a - b))
  expect(before.counts.waiting).toBe(listed.length)
  const [first = '', second = '', third = ''] = submissions
  expect(await decide(desk, second, 2, APPROVE)).toMatchObject({
    next: { passportUuid: third, section: 'kyc' },
  })
  // After the last one, the one that has waited the longest.
  const oldest = before.items[0]?.passportUuid
  expect((await decide(desk, third, 2, APPROVE)).next?.passportUuid).toBe(oldest)
  expect(await queued(desk, first)).toHaveLength(1)

  // An item's cursor is where the next page begins.
  const { items } = await desk.call(readReviewQueue, { query: {} })
  const [head, ...rest] = await world.query(
    `select id, passport_id, submitted_at from passport_sections where submitted_at is not null and status = 'PENDING' order by submitted_at, id`,
  )
  expect(rest).toHaveLength(items.length - 1)
  const after = [head?.['submitted_at'], head?.['id']].join('.')
  expect((await desk.call(readReviewQueue, { query: { after } })).items).toEqual(items.slice(1))
})

test('a stored decision is confirmed: nothing that is read after it can fail', async () => {
  const desk = await rita()
  const { passportUuid } = await aSubmission()
  vi.spyOn(world.server.stores.passportReviews, 'listSubmitted').mockRejectedValueOnce(
    new Error('no connection'),
  )
  expect(await decide(desk, passportUuid, 2, APPROVE)).toMatchObject({ status: 'VALID' })
  vi.restoreAllMocks()
})

test('simultaneous decisions: one counts, the others are refused, and one mail is sent', {
  tags: 'database',
}, async () => {
  const { who, passportUuid } = await aSubmission()
  const others = await Promise.all([aReviewer(), aReviewer()])
  const desks = others.map(({ browser }) => browser)
  const sent = (await world.mail(who.email)).length
  const calls = Array.from({ length: RACERS }, (_, index) => {
    const desk = desks[index % desks.length] as Browser // The list is not empty.
    return decide(desk, passportUuid, 2, index % 2 === 0 ? APPROVE : DENY)
  })
  expect(await outcomes(calls)).toEqual({ answered: 1, 'review-outdated': RACERS - 1 })
  expect(await world.mail(who.email)).toHaveLength(sent + 1)
  const rows = `select event from passport_reviews where passport_id = '${passportUuid}' and event != 'submitted'`
  expect(await world.query(rows)).toHaveLength(1)
})

test('a decision and a change at the same time: the status fits the last event, and no decision is about other answers', {
  tags: 'database',
}, async () => {
  const desk = await rita()
  for (let round = 0; round < 6; round += 1) {
    const { browser, passportUuid } = await aSubmission()
    const editing = async () => {
      await reopen(browser, passportUuid)
      await save(browser, passportUuid, 2, { city: 'Boston' })
      await submit(browser, passportUuid, 3)
    }
    const [decision] = await Promise.allSettled([decide(desk, passportUuid, 2, APPROVE), editing()])
    const { status, sections, history } = await browser.call(readPassport, { query: {} })
    // Either the approval came first and the change is one of approved answers, or it was refused.
    expect([status.kycStatus, history.map(({ event }) => event)]).toEqual(
      decision.status === 'fulfilled'
        ? ['VALID_PENDING', ['submitted', 'approved', 'submitted']]
        : ['PENDING', ['submitted', 'submitted']],
    )
    expect(sections[0]).toMatchObject({ version: 4, answers: { city: 'Boston' } })
    expect(await code(decide(desk, passportUuid, 2, APPROVE))).toBe('review-outdated')
  }
})

test('6 only a reviewer of its organization finds something to review', async () => {
  const { browser: owner, passportUuid } = await aSubmission()
  const agent = world.browser()
  await agent.signIn(PEOPLE.broker)
  const harbor = await aReviewer({ headers: { [ORGANIZATION_HEADER]: 'HARBORLINE' } })
  for (const browser of [owner, (await anInvestor()).browser, agent, harbor.browser]) {
    const refused = await refusedAnswers(browser, passportUuid)
    expect(refused.map((each) => each.code)).toEqual(Array(4).fill('not-found'))
    expect(refused).toEqual(await refusedAnswers(browser, UUID))
  }
  for (const browser of [owner, agent]) {
    expect(await code(browser.call(readReviewQueue, { query: {} }))).toBe('not-found')
  }
  const query = { organizationCode: 'FIGURE' }
  expect(await code(harbor.browser.call(readReviewQueue, { query }))).toBe('not-found')
  expect(await queued(harbor.browser, passportUuid)).toEqual([])
  const stranger = world.browser()
  expect((await refusal(review(stranger, passportUuid))).status).toBe(401)
  expect((await owner.call(readPassport, { query: {} })).status.kycStatus).toBe('PENDING')
})

test('6 a reviewer cannot review their own passport: as creator, member, signer of its group, or acting as another account', async () => {
  // A reviewer with a passport of an individual.
  const own = await aSubmission()
  await change({ action: 'grant', email: own.who.email, role: 'reviewer' })
  expect(await queued(own.browser, own.passportUuid)).toEqual([])
  expect(await code(review(own.browser, own.passportUuid))).toBe('not-found')
  expect(await code(decide(own.browser, own.passportUuid, 2, APPROVE))).toBe('not-found')
  await own.browser.call(createHostedAccount, { body: { name: 'Second', default: true } })
  expect(await code(decide(own.browser, own.passportUuid, 2, APPROVE))).toBe('not-found')

  // The passport of a group: one of its signers, and a member.
  const ana = world.browser()
  await ana.signIn(PEOPLE.ana)
  await actAsGroup(ana)
  const { passportUuid } = await ana.call(createPassport, {
    body: { passportStructureType: 'ENTITY' },
  })
  const { sections } = await ana.call(readPassport, { query: {} })
  const version = sections[0]?.version ?? 0
  await save(ana, passportUuid, version, ENTITY)
  await submit(ana, passportUuid, version + 1)
  const desk = await rita()
  const seen = await review(desk, passportUuid)
  expect(seen).toMatchObject({ name: 'Larch Partners', passportStructureType: 'ENTITY' })

  const ben = world.browser()
  await ben.signIn({ email: PEOPLE.ben.email, password: PEOPLE.ben.password })
  await change({ action: 'grant', email: PEOPLE.ben.email, role: 'reviewer' })
  expect(await code(decide(ben, passportUuid, seen.version, APPROVE))).toBe('not-found')
  expect(await queued(ben, passportUuid)).toEqual([])

  const guest = await anInvestor()
  const invitation = { passportUuid, name: 'Gus', email: guest.who.email, role: 'owner' } as const
  await ana.call(invitePassportMember, { body: invitation })
  await guest.browser.call(joinPassport, { body: { passportUuid } })
  expect(await refusedAnswers(guest.browser, passportUuid)).toEqual(
    await refusedAnswers(guest.browser, UUID),
  )

  const member = await aReviewer()
  expect(await queued(member.browser, passportUuid)).toHaveLength(1)
  const body = { passportUuid, name: 'Mia', email: member.who.email, role: 'signer' } as const
  await ana.call(invitePassportMember, { body })
  await member.browser.call(joinPassport, { body: { passportUuid } })
  expect(await code(decide(member.browser, passportUuid, seen.version, APPROVE))).toBe('not-found')
  expect(await queued(member.browser, passportUuid)).toEqual([])

  // A member of the group who declined its account, and can still accept it.
  const invited = await aReviewer()
  expect(await queued(invited.browser, passportUuid)).toHaveLength(1)
  const { identities, organizationInvitations } = world.server.stores
  const identity = await identities.findByEmail(invited.who.email)
  await organizationInvitations.insert({
    walletAddress: 'tp1invited',
    accountAddress: (await ana.call(readPassport, { query: {} })).ownerWalletAddress ?? '',
    identityId: identity?.id ?? '',
    createdAt: world.clock.now(),
    declinedAt: world.clock.now(),
  })
  expect(await queued(invited.browser, passportUuid)).toEqual([])
  expect(await code(decide(invited.browser, passportUuid, seen.version, APPROVE))).toBe('not-found')
  expect(await decide(desk, passportUuid, seen.version, APPROVE)).toMatchObject({ status: 'VALID' })
})

test('an operator grants and revokes the role, for any organization; it counts at the next call', async () => {
  const who = newPerson('operator')
  const browser = world.browser()
  await browser.register(who)
  const role = { email: who.email.toUpperCase(), role: 'reviewer' } as const
  const grant = { ...role, action: 'grant' } as const
  await expect(change({ ...grant, email: 'nobody@people.example' })).rejects.toThrow(
    'No account has the address',
  )
  await expect(change({ ...grant, organizationCodes: ['NONE'] })).rejects.toThrow(
    'There is no organization with the code NONE',
  )
  expect(await change(grant)).toEqual({
    organizationCodes: ['FIGURE'],
    changed: ['FIGURE'],
    hasFactor: false,
  })
  expect(await change(grant)).toMatchObject({ changed: [] })
  await change({ ...grant, organizationCodes: ['HARBORLINE'] })
  const { organizations } = await browser.call(readReviewQueue, { query: {} })
  expect(organizations.map(({ organizationCode }) => organizationCode)).toEqual([
    'FIGURE',
    'HARBORLINE',
  ])
  const harbor = await aSubmission({ headers: { [ORGANIZATION_HEADER]: 'HARBORLINE' } })
  expect(await queued(browser, harbor.passportUuid)).toHaveLength(1)
  const query = { organizationCode: 'FIGURE' }
  const figure = await browser.call(readReviewQueue, { query })
  expect(figure.items.map(({ organizationCode }) => organizationCode)).not.toContain('HARBORLINE')
  await decide(browser, harbor.passportUuid, 2, APPROVE)
  const [mail] = await world.mail(harbor.who.email)
  expect(mail?.text).toContain('orgCode=HARBORLINE')

  expect(await world.server.stores.identityRoles.list()).toContainEqual({
    email: who.email,
    role: 'reviewer',
    organizationCode: 'HARBORLINE',
  })
  await change({ ...role, action: 'revoke', organizationCodes: ['FIGURE', 'HARBORLINE'] })
  expect(await code(browser.call(readReviewQueue, { query: {} }))).toBe('not-found')
  expect(await code(review(browser, harbor.passportUuid))).toBe('not-found')

  // For all organizations, the queue names them all.
  await change({ ...grant, organizationCodes: ['*'] })
  const everywhere = await browser.call(readReviewQueue, { query: {} })
  expect(everywhere.organizations.length).toBeGreaterThan(50)
  const approved = await browser.call(readReviewQueue, { query: { state: 'approved' } })
  expect(approved.items.map((item) => item.passportUuid)).toContain(harbor.passportUuid)
  expect((await review(browser, harbor.passportUuid)).passportUuid).toBe(harbor.passportUuid)
})

test('a reason is required, at most 1,000 characters, and without invisible characters', async () => {
  const { passportUuid } = await aSubmission()
  const desk = await rita()
  for (const reason of ['', ' \n ', 'x'.repeat(1001), 'a\u202eb', 'a\u0000b']) {
    for (const event of ['returned', 'denied'] as const) {
      expect(await code(decide(desk, passportUuid, 2, { event, reason }))).toBe('invalid-request')
    }
  }
  expect((await review(desk, passportUuid)).isWaiting).toBe(true)
})

test('a download of the account’s data contains the passport, with the last digits of tax numbers only', async () => {
  const { browser, who, passportUuid } = await aSubmission()
  await decide(await rita(), passportUuid, 2, ASK)
  await browser.confirmByMail(who.email)
  const { passports } = await browser.call(exportAccountData, {})
  expect(passports).toMatchObject([
    {
      passportUuid,
      access: 'owner',
      sections: [
        { section: 'kyc', status: 'IN_PROGRESS', answers: { ...PERSON, taxId: '•••••6789' } },
      ],
      files: [],
      history: [{ event: 'submitted' }, { event: 'returned', reason: ASK.reason }],
    },
  ])
})
