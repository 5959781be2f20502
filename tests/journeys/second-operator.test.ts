/** Acts that a second operator has to approve (15), in the admin API. */
import { randomUUID } from 'node:crypto'
import {
  type ActRequestItem,
  approveActRequest,
  declineActRequest,
  listActRequests,
  readActRequest,
  withdrawActRequest,
} from '@portico/contracts/admin/act-requests'
import { discardBannerDraft, endBanner, publishBanner } from '@portico/contracts/admin/banners'
import { endExperiment, startExperiment } from '@portico/contracts/admin/experiments'
import {
  createServiceToken,
  grantRole,
  readOperator,
  revokeRole,
  revokeServiceToken,
} from '@portico/contracts/admin/operators'
import {
  discardOrganizationDraft,
  publishOrganization,
  readOrganization,
  saveOrganizationDraft,
  undoOrganization,
} from '@portico/contracts/admin/organizations'
import {
  changePersonOrganization,
  deletePerson,
  endPersonSessions,
  lockPerson,
  readPerson,
  resetPersonFactor,
  unlockPerson,
} from '@portico/contracts/admin/people'
import {
  APPROVABLE_ACTS,
  type ApprovableAct,
  type ApprovalNeeded,
} from '@portico/contracts/admin/second-operator'
import {
  ACT_REQUEST_LIFETIME_MS,
  IDEMPOTENCY_HEADER,
  ORGANIZATION_HEADER,
} from '@portico/contracts/limits'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { userColumns } from '../../apps/server/src/scim/directory-users.store.ts'
import { saveBanner } from '../support/banner-draft.ts'
import { anOperator, type TestOperator } from '../support/operator.ts'
import { outcomes } from '../support/race.ts'
import { DIRECTORY_PROVIDERS } from '../support/scim.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const REASON = 'Asked by letter.'
const MINUTE_MS = 60_000

let world: Awaited<ReturnType<typeof aWorld>>
let asking: TestOperator
let second: TestOperator
beforeAll(async () => {
  world = await aWorld()
    .withSettings({ SECOND_OPERATOR_ACTS: APPROVABLE_ACTS.join(',') })
    .withNodes(ON_POSTGRES ? 2 : 1)
})
beforeEach(async () => {
  second = await anOperator(world, 'admin')
  asking = await anOperator(world, 'admin')
  await second.stepUp()
})
afterAll(() => world[Symbol.asyncDispose]())

const code = async (call: Promise<unknown>) => (await refusal(call)).code

async function aCustomer(organizationCode = 'FIGURE') {
  const who = newPerson('customer')
  const browser = world.browser({ headers: { [ORGANIZATION_HEADER]: organizationCode } })
  await browser.register(who)
  const identity = await world.server.stores.identities.findByEmail(who.email)
  if (identity === undefined) throw new Error('The customer was not registered')
  return { email: who.email, identityUuid: identity.id }
}

/** Deactivates an operator in the directory of the identity provider that manages the account. */
async function deactivate({ identityId, who }: TestOperator): Promise<void> {
  const at = world.clock.now()
  await world.server.stores.providers.insertSubject({
    providerId: DIRECTORY_PROVIDERS.agent,
    subject: who.email,
    identityId,
    managedAt: at,
    createdAt: at,
  })
  await world.server.stores.directoryUsers.insert({
    ...userColumns({ userName: who.email }),
    id: randomUUID(),
    providerId: DIRECTORY_PROVIDERS.agent,
    identityId,
    deactivatedAt: at,
    createdAt: at,
    updatedAt: at,
  })
}

/** The request that was created for an act. */
async function requested(act: Promise<unknown>): Promise<string> {
  const answer = (await act) as ApprovalNeeded
  expect(answer.outcome).toBe('approval-needed')
  return answer.requestUuid
}

const read = ({ browser }: TestOperator, requestUuid: string) =>
  browser.call(readActRequest, { query: { requestUuid } })

const decide = (
  { browser }: Pick<TestOperator, 'browser'>,
  /** All three have the same types. */
  call: typeof approveActRequest,
  requestUuid: string,
): Promise<ActRequestItem> => browser.call(call, { body: { requestUuid, reason: 'Checked.' } })

const approve = (by: TestOperator, requestUuid: string) =>
  decide(by, approveActRequest, requestUuid)

/** Saves the draft of another color over a revision of it, and returns its own. */
async function saveDraft(
  { browser }: TestOperator,
  orgCode: string,
  { revision = 0, brandColor = '#7a1f4d' } = {},
): Promise<number> {
  const { published } = await browser.call(readOrganization, { query: { orgCode } })
  const content = { ...published.content, brandColor }
  const { version: baseVersion } = published
  const saved = await browser.call(saveOrganizationDraft, {
    body: { orgCode, content, revision, baseVersion },
  })
  if (saved.outcome !== 'saved') throw new Error('The draft was not saved')
  return saved.draft.revision
}

const linesOf = (requestUuid: string) =>
  world.query(
    `select kind, operator_id, identity_id, details from audit_events
     where details like '%${requestUuid}%' order by created_at, sequence, kind`,
  )

const exists = async (identityUuid: string) =>
  (await world.query(`select id from identities where id = '${identityUuid}'`)).length === 1

test('15 a deletion waits until another operator approves it, and the audit log names both', {
  tags: ['database'],
}, async () => {
  const { email, identityUuid } = await aCustomer()
  const body = { identityUuid, email, reason: REASON }
  // What the act would refuse is refused at once.
  const wrong = { ...body, email: 'other@portico.example' }
  expect(await code(asking.browser.call(deletePerson, { body: wrong }))).toBe('email-mismatch')
  const headers = { [IDEMPOTENCY_HEADER]: `deletion-${identityUuid}` }
  const ask = () => asking.browser.call(deletePerson, { body, headers })
  const requestUuid = await requested(ask())
  expect(await requested(ask())).toBe(requestUuid)
  expect(await exists(identityUuid)).toBe(true)

  expect(await read(asking, requestUuid)).toMatchObject({ isOwn: true, canApprove: false })
  expect(await code(approve(asking, requestUuid))).toBe('own-request')
  expect(await read(second, requestUuid)).toMatchObject({
    act: 'deletePerson',
    subject: email,
    organizationCodes: ['FIGURE'],
    reason: REASON,
    requestedBy: asking.who.email,
    isOwn: false,
    state: 'waiting',
    input: body,
    canApprove: true,
    obstacle: null,
  })
  // Operators of another lender, or without the permission, do not see it.
  for (const role of ['support HARBORLINE', 'auditor'] as const) {
    const other = await anOperator(world, role)
    expect(await code(read(other, requestUuid))).toBe('not-found')
    expect(await code(approve(other, requestUuid))).toBe('not-found')
    const { items } = await other.browser.call(listActRequests, { query: {} })
    expect(items).toEqual([])
  }
  const stored = await world.query(`select * from act_requests where id = '${requestUuid}'`)
  expect(JSON.stringify(stored)).not.toContain(email)

  expect(await approve(second, requestUuid)).toMatchObject({
    state: 'done',
    decidedBy: second.who.email,
    decisionReason: 'Checked.',
  })
  expect(await exists(identityUuid)).toBe(false)
  expect(await read(asking, requestUuid)).toMatchObject({
    state: 'done',
    answer: { changed: true },
  })
  expect(await code(approve(second, requestUuid))).toBe('request-ended')
  const lines = await linesOf(requestUuid)
  expect(lines.map(({ kind }) => String(kind)).sort()).toEqual([
    'act-approved',
    'act-requested',
    'person-deleted',
  ])
  const deletion = lines.find(({ kind }) => kind === 'person-deleted')
  expect(deletion).toMatchObject({ operator_id: asking.identityId, identity_id: identityUuid })
  expect(JSON.parse(String(deletion?.['details']))).toEqual({
    reason: REASON,
    actRequest: requestUuid,
    approvedBy: second.identityId,
  })
  expect((await world.mail(email))[0]?.subject).toContain('deleted')
})

test('15 a request is declined, withdrawn by its requester, or expires after a day', {
  tags: ['database'],
}, async () => {
  const { identityUuid } = await aCustomer()
  const lock = (person: string, by = asking) =>
    requested(by.browser.call(lockPerson, { body: { identityUuid: person, reason: REASON } }))
  const declined = await lock((await aCustomer()).identityUuid)
  const withdrawn = await lock((await aCustomer()).identityUuid)
  const expired = await lock(identityUuid)
  const waiting = () => second.browser.call(listActRequests, { query: { state: 'waiting' } })
  expect(
    (await waiting()).items
      .slice(0, 3)
      .map((each) => each.requestUuid)
      .sort(),
  ).toEqual([declined, withdrawn, expired].sort())
  expect(await code(decide(asking, declineActRequest, declined))).toBe('own-request')
  expect(await code(decide(second, withdrawActRequest, withdrawn))).toBe('not-found')
  expect(await decide(second, declineActRequest, declined)).toMatchObject({ state: 'declined' })
  expect(await decide(asking, withdrawActRequest, withdrawn)).toMatchObject({
    state: 'withdrawn',
    decidedBy: null,
  })
  for (const each of [declined, withdrawn]) {
    expect(await code(approve(second, each))).toBe('request-ended')
    expect(await code(decide(asking, withdrawActRequest, each))).toBe('request-ended')
  }
  world.clock.pass(ACT_REQUEST_LIFETIME_MS)
  const later = await anOperator(world, 'admin')
  expect(await read(later, expired)).toMatchObject({ state: 'expired', canApprove: false })
  expect(await code(approve(later, expired))).toBe('request-ended')
  const { items } = await later.browser.call(listActRequests, { query: { state: 'waiting' } })
  expect(items).toEqual([])
  const shown = await later.browser.call(readPerson, { query: { identityUuid } })
  expect(shown.lockedAt).toBeNull()
  expect(await lock(identityUuid, later)).not.toBe(expired)
})

test('15 the same act cannot wait twice, whoever requests it, and can be requested again after the decision', {
  tags: ['database'],
}, async () => {
  const [{ identityUuid, email }, other] = [await aCustomer(), await aCustomer()]
  const third = await anOperator(world, 'admin')
  const lock = ({ browser }: TestOperator, reason: string) =>
    browser.call(lockPerson, { body: { identityUuid, reason } })
  const racing = await outcomes(
    [asking, second, third, asking].map((by, index) => lock(by, `Letter ${index}.`)),
  )
  expect(racing).toEqual({ answered: 1, 'already-requested': 3 })
  const { items } = await third.browser.call(listActRequests, { query: { state: 'waiting' } })
  const waiting = items.filter(({ subject }) => subject === email)
  expect(waiting).toHaveLength(1)
  // Another person, and another act on the same one, are something else.
  const body = { identityUuid: other.identityUuid, reason: REASON }
  await requested(third.browser.call(lockPerson, { body }))
  const target = { identityUuid, reason: REASON }
  await requested(third.browser.call(endPersonSessions, { body: target }))
  const [{ requestUuid, requestedBy } = { requestUuid: '', requestedBy: '' }] = waiting
  await third.stepUp()
  const decider = requestedBy === third.who.email ? second : third
  await decide(decider, declineActRequest, requestUuid)
  await requested(lock(asking, 'Another letter.'))
})

test('15 mail notifies approvers of a waiting request, and the requester of its outcome', {
  tags: ['database'],
}, async () => {
  // One after the other, because each passes the time of a code.
  const support = await anOperator(world, 'support FIGURE')
  const harbor = await anOperator(world, 'support HARBORLINE')
  const auditor = await anOperator(world, 'auditor')
  const former = await anOperator(world, 'admin')
  await deactivate(former)
  for (const { stepUp } of [second, asking]) await stepUp()
  const { identityUuid, email } = await aCustomer()
  const lock = (by = asking) =>
    by.browser.call(lockPerson, { body: { identityUuid, reason: REASON } })
  const declined = await requested(lock())
  expect(await code(lock(second))).toBe('already-requested')
  const about = async ({ who }: TestOperator, requestUuid: string) =>
    (await world.mail(who.email)).filter(({ text }) => text.includes(requestUuid))
  for (const operator of [second, support]) {
    const [mail, ...others] = await about(operator, declined)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('A request is waiting for your approval')
    expect(mail?.text).toContain(`/console/approvals/${declined}`)
    expect(mail?.text).toContain(`${asking.who.email} requested this`)
    expect(mail?.text).toContain('Lock an account, for Figure')
    // Personal data does not belong in an operator's mailbox.
    expect(mail?.text).not.toContain(email)
  }
  for (const operator of [asking, harbor, auditor, former]) {
    expect(await about(operator, declined)).toEqual([])
  }

  await decide(second, declineActRequest, declined)
  const approved = await requested(lock())
  await approve(second, approved)
  const expired = await requested(lock())
  world.clock.pass(ACT_REQUEST_LIFETIME_MS)
  await requested(lock(await anOperator(world, 'admin')))
  const subjects = await Promise.all(
    [declined, approved, expired].map(async (each) =>
      (await about(asking, each)).map(({ subject }) => subject),
    ),
  )
  expect(subjects).toEqual([
    ['Your request was declined'],
    ['Your request was approved'],
    ['Your request has expired'],
  ])

  // Of the nodes that find an expired request, one marks it.
  world.clock.pass(ACT_REQUEST_LIFETIME_MS)
  const at = world.clock.now()
  const found = await world.server.stores.actRequests.listExpired(at)
  expect(found).not.toContain(expired)
  const [id = ''] = found
  const marked = await Promise.all(
    [...world.nodes, ...world.nodes].map(({ server }) =>
      server.stores.actRequests.expire({ id }, at),
    ),
  )
  expect(marked.filter((row) => row !== undefined)).toHaveLength(1)
})

test('15 one of several concurrent approvals, refusals and withdrawals counts, and the act is done once or not at all', {
  tags: ['database'],
}, async () => {
  const third = await anOperator(world, 'admin')
  for (let round = 0; round < 4; round += 1) {
    const { identityUuid } = await aCustomer()
    const body = { identityUuid, reason: REASON }
    const requestUuid = await requested(asking.browser.call(endPersonSessions, { body }))
    const racing = await outcomes([
      approve(second, requestUuid),
      approve(third, requestUuid),
      decide(third, declineActRequest, requestUuid),
      decide(asking, withdrawActRequest, requestUuid),
    ])
    expect(racing).toEqual({ answered: 1, 'request-ended': 3 })
    const { state } = await read(second, requestUuid)
    const kinds = (await linesOf(requestUuid)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'person-sessions-ended')).toHaveLength(
      state === 'done' ? 1 : 0,
    )
    expect(kinds).toHaveLength(state === 'done' ? 3 : 2)
  }
})

test('15 an approved act fails, and changes nothing, if the requester may no longer do it or it has become impossible', {
  tags: ['database'],
}, async () => {
  const support = await anOperator(world, 'support')
  const leaving = await anOperator(world, 'support')
  const customer = await aCustomer()
  const body = { identityUuid: customer.identityUuid, reason: REASON }
  const end = await requested(leaving.browser.call(endPersonSessions, { body }))
  await deactivate(leaving)
  expect(await approve(second, end)).toMatchObject({ state: 'failed', failure: 'not-permitted' })
  const lock = await requested(support.browser.call(lockPerson, { body }))
  await world.server.stores.identityRoles.delete({
    identityId: support.identityId,
    role: 'support',
    organizationCode: '*',
  })
  expect(await approve(second, lock)).toMatchObject({ state: 'failed', failure: 'not-permitted' })
  const shown = await second.browser.call(readPerson, {
    query: { identityUuid: customer.identityUuid },
  })
  expect(shown.lockedAt).toBeNull()
  expect((await linesOf(lock)).map(({ kind }) => String(kind)).sort()).toEqual([
    'act-approved',
    'act-failed',
    'act-requested',
  ])

  // The draft is saved again before it is approved.
  for (const { stepUp } of [second, asking]) await stepUp()
  const orgCode = 'NORTHGALE'
  const revision = await saveDraft(asking, orgCode)
  const publication = { orgCode, revision, reason: REASON }
  const publish = await requested(asking.browser.call(publishOrganization, { body: publication }))
  await saveDraft(asking, orgCode, { revision })
  expect(await read(second, publish)).toMatchObject({
    canApprove: false,
    obstacle: 'edit-outdated',
  })
  expect(await approve(second, publish)).toMatchObject({
    state: 'failed',
    failure: 'edit-outdated',
  })
  // A draft that cannot be published is refused immediately, as it is without a second operator.
  const outdated = await asking.browser.call(publishOrganization, { body: publication })
  expect(outdated.outcome).toBe('conflict')
})

test('15 an approval publishes the requested draft, not one that replaced it', {
  tags: ['database'],
}, async () => {
  const orgCode = 'MILLRACE'
  const revision = await saveDraft(asking, orgCode)
  const publication = { orgCode, revision, reason: REASON }
  const request = await requested(asking.browser.call(publishOrganization, { body: publication }))
  await asking.browser.call(discardOrganizationDraft, { body: publication })
  await saveDraft(asking, orgCode, { brandColor: '#0b5c3d' })
  expect(await approve(second, request)).toMatchObject({
    state: 'failed',
    failure: 'edit-outdated',
  })
  const { published } = await second.browser.call(readOrganization, { query: { orgCode } })
  expect(published.version).toBe(0)

  const id = randomUUID()
  const save = (message: string) =>
    saveBanner(asking.browser, id, { message, organizationCodes: [orgCode] })
  const draft = { id, revision: await save('Closed on Sunday') }
  const body = { ...draft, showAgain: false, reason: REASON }
  const banner = await requested(asking.browser.call(publishBanner, { body }))
  await asking.browser.call(discardBannerDraft, { body: draft })
  await save('Send us your password')
  expect(await approve(second, banner)).toMatchObject({ state: 'failed', failure: 'edit-outdated' })
})

test('15 no one can approve a request made with their service token, and a token reads the outcome but cannot approve', {
  tags: ['database'],
}, async () => {
  const { token } = await asking.browser.call(createServiceToken, {
    body: {
      name: `desk-${asking.identityId}`,
      permissions: ['people.read', 'people.write'],
      organizationCodes: ['*'],
      days: 1,
      reason: REASON,
    },
  })
  const headers = { authorization: `Bearer ${token}` }
  const program = world.browser({ headers })
  const { identityUuid } = await aCustomer()
  const body = { identityUuid, reason: REASON }
  const requestUuid = await requested(program.call(lockPerson, { body, headers }))
  const other = await requested(asking.browser.call(unlockPerson, { body }))
  const decision = { body: { requestUuid, reason: REASON }, headers }
  for (const call of [approveActRequest, declineActRequest] as const) {
    expect(await code(program.call(call, decision))).toBe('not-permitted')
    const foreign = { body: { requestUuid: other, reason: REASON }, headers }
    expect(await code(program.call(call, foreign))).toBe('not-permitted')
  }
  const outcome = () => program.call(readActRequest, { query: { requestUuid }, headers })
  expect(await outcome()).toMatchObject({ state: 'waiting', answer: null })
  expect(await code(approve(asking, requestUuid))).toBe('own-request')
  expect(await read(second, requestUuid)).toMatchObject({ requesterKind: 'token' })
  expect(await approve(second, requestUuid)).toMatchObject({ state: 'done' })
  // A program has no mailbox; it reads what became of its request.
  expect(await outcome()).toMatchObject({ state: 'done', answer: { changed: true } })
  const shown = await second.browser.call(readPerson, { query: { identityUuid } })
  expect(shown.lockedAt).not.toBeNull()
})

test('15 the person an act applies to cannot approve it', { tags: ['database'] }, async () => {
  const gaining = await anOperator(world, 'admin HARBORLINE', 'admin FIGURE')
  const body = {
    email: gaining.who.email,
    role: 'support' as const,
    organizationCodes: ['HARBORLINE'],
    reason: REASON,
  }
  const requestUuid = await requested(asking.browser.call(grantRole, { body }))
  expect(await read(gaining, requestUuid)).toMatchObject({ canApprove: false })
  expect(await code(approve(gaining, requestUuid))).toBe('not-permitted')
  expect((await read(gaining, requestUuid)).state).toBe('waiting')
})

test('15 an administrator cannot request or approve a role for an account of another organization', {
  tags: ['database'],
}, async () => {
  const local = await anOperator(world, 'admin HARBORLINE')
  const request = ({ browser }: TestOperator, { email }: { readonly email: string }) =>
    browser.call(grantRole, {
      body: { email, role: 'support', organizationCodes: ['HARBORLINE'], reason: REASON },
    })
  const foreign = await aCustomer('FIGURE')
  expect(await code(request(local, foreign))).toBe('no-such-account')
  const requestUuid = await requested(request(asking, foreign))
  expect(await code(approve(local, requestUuid))).toBe('not-found')
  await requested(request(local, await aCustomer('HARBORLINE')))
})

test('15 every act that can require a second operator is done on approval, and its audit entry names both', {
  tags: ['database'],
}, async () => {
  const { browser } = asking
  const { identityUuid, email } = await aCustomer()
  const target = { identityUuid, reason: REASON }
  const orgCode = 'HARBORLINE'
  const banner = randomUUID()
  const done = new Map<ApprovableAct, string>()

  async function act(name: ApprovableAct, call: () => Promise<unknown>) {
    await asking.stepUp()
    const requestUuid = await requested(call())
    await second.stepUp()
    const ended = await approve(second, requestUuid)
    expect(ended, name).toMatchObject({ act: name, state: 'done', failure: null })
    const lines = await linesOf(requestUuid)
    const own = lines.filter(({ kind }) => !String(kind).startsWith('act-'))
    expect(own.length, name).toBeGreaterThan(0)
    for (const { details, operator_id } of own) {
      expect(operator_id, name).toBe(asking.identityId)
      expect(JSON.parse(String(details)), name).toMatchObject({ approvedBy: second.identityId })
    }
    done.set(name, requestUuid)
    return (await read(asking, requestUuid)).answer
  }

  await act('lockPerson', () => browser.call(lockPerson, { body: target }))
  await act('unlockPerson', () => browser.call(unlockPerson, { body: target }))
  await act('endPersonSessions', () => browser.call(endPersonSessions, { body: target }))
  const operator = await anOperator(world)
  await act('resetPersonFactor', () =>
    browser.call(resetPersonFactor, {
      body: { identityUuid: operator.identityId, factor: 'totp', reason: REASON },
    }),
  )
  await act('changePersonOrganization', () =>
    browser.call(changePersonOrganization, { body: { ...target, organizationCode: orgCode } }),
  )
  const role = { role: 'brand' as const, reason: REASON }
  await act('grantRole', () =>
    browser.call(grantRole, { body: { ...role, email, organizationCodes: [orgCode, 'FIGURE'] } }),
  )
  await act('revokeRole', () =>
    browser.call(revokeRole, { body: { ...role, identityUuid, organizationCode: orgCode } }),
  )
  await asking.stepUp()
  const { tokenUuid } = await browser.call(createServiceToken, {
    body: {
      name: `all-${asking.identityId}`,
      permissions: ['people.read'],
      organizationCodes: [orgCode],
      days: 1,
      reason: REASON,
    },
  })
  await act('revokeServiceToken', () =>
    browser.call(revokeServiceToken, { body: { tokenUuid, reason: REASON } }),
  )
  const revision = await saveDraft(asking, orgCode)
  expect(
    await act('publishOrganization', () =>
      browser.call(publishOrganization, { body: { orgCode, revision, reason: REASON } }),
    ),
  ).toEqual({ outcome: 'published', version: 1 })
  await act('undoOrganization', () =>
    browser.call(undoOrganization, { body: { orgCode, version: 0, current: 1, reason: REASON } }),
  )
  const bannerRevision = await saveBanner(browser, banner, { organizationCodes: [orgCode] })
  await act('publishBanner', () =>
    browser.call(publishBanner, {
      body: { id: banner, revision: bannerRevision, showAgain: false, reason: REASON },
    }),
  )
  await act('endBanner', () =>
    browser.call(endBanner, { body: { id: banner, version: 1, reason: REASON } }),
  )
  const run = await act('startExperiment', () =>
    browser.call(startExperiment, {
      body: {
        key: 'broker-customer-login',
        split: { percent: 10, outcome: 'sign-in' },
        reason: REASON,
      },
    }),
  )
  await act('endExperiment', () =>
    browser.call(endExperiment, {
      body: { runId: String(run?.['runId']), afterwards: 'file', reason: REASON },
    }),
  )
  await act('deletePerson', () => browser.call(deletePerson, { body: { ...target, email } }))
  expect([...done.keys()].sort()).toEqual([...APPROVABLE_ACTS].sort())
  expect((await browser.call(readOperator, {})).approvalActs).toEqual([...APPROVABLE_ACTS])
})

test('15 a server killed during an approved act leaves it done or not begun, and reports which', {
  tags: ['database'],
}, async () => {
  const { identityUuid } = await aCustomer()
  const body = { identityUuid, reason: REASON }
  const requestUuid = await requested(asking.browser.call(lockPerson, { body }))
  const { actRequests, audit, atomically } = world.server.stores
  const line = {
    identityId: identityUuid,
    at: world.clock.now(),
    operator: {
      id: asking.identityId,
      approval: { actRequest: requestUuid, approvedBy: second.identityId },
    },
  }
  const source = { network: '192.0.2.1', organization: { orgCode: 'FIGURE' } }
  // An act is done only if it was approved and is still running.
  await expect(audit.record('person-locked', line, source)).rejects.toThrow(requestUuid)
  expect((await linesOf(requestUuid)).map(({ kind }) => kind)).toEqual(['act-requested'])

  // The state that a process leaves when it is killed between the approval and the act.
  await actRequests.consume(requestUuid, {
    state: 'running',
    decidedBy: second.identityId,
    deciderName: second.who.email,
    decidedAt: world.clock.now(),
    decisionReason: 'Checked.',
  })
  expect((await read(asking, requestUuid)).state).toBe('running')
  // An act that does not commit does not mark its request.
  const lost = atomically(async (transaction) => {
    await transaction.audit.record('person-locked', line, source)
    throw new Error('killed')
  })
  await expect(lost).rejects.toThrow('killed')
  expect((await read(asking, requestUuid)).state).toBe('running')
  world.clock.pass(5 * MINUTE_MS)
  await second.stepUp()
  expect((await read(asking, requestUuid)).state).toBe('interrupted')
  expect(await code(approve(second, requestUuid))).toBe('request-ended')
  // Once the requester is told that nothing has changed, nothing changes: of concurrent marks and acts, one succeeds.
  const racing = await outcomes([
    ...[...world.nodes, ...world.nodes].map(async ({ server }) => {
      if ((await server.stores.actRequests.interrupt(requestUuid)) === undefined) throw new Error()
    }),
    atomically((transaction) => transaction.audit.record('person-locked', line, source)),
  ])
  expect(racing).toMatchObject({ answered: 1 })
  const { state } = await read(asking, requestUuid)
  const isAudited = (await linesOf(requestUuid)).some(({ kind }) => kind === 'person-locked')
  expect(state).toBe(isAudited ? 'done' : 'interrupted')
})

test('15 housekeeping mails the requester that a request has expired, or that its act was interrupted', {
  tags: ['database'],
}, async ({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await using own = await aWorld().withSettings({ SECOND_OPERATOR_ACTS: 'lockPerson' })
  const approver = await anOperator(own, 'admin')
  const requester = await anOperator(own, 'admin')
  const request = async () => {
    const who = newPerson('customer')
    await own.browser().register(who)
    const identity = await own.server.stores.identities.findByEmail(who.email)
    const body = { identityUuid: identity?.id ?? '', reason: REASON }
    return requested(requester.browser.call(lockPerson, { body }))
  }
  const [expired, interrupted] = [await request(), await request()]
  await own.server.stores.actRequests.consume(interrupted, {
    state: 'running',
    decidedBy: approver.identityId,
    deciderName: approver.who.email,
    decidedAt: own.clock.now(),
    decisionReason: 'Checked.',
  })
  own.clock.pass(ACT_REQUEST_LIFETIME_MS)
  const subjects = async () => {
    // The first time after a jump of the clock, nothing is done.
    vi.advanceTimersByTime(MINUTE_MS)
    const mails = await own.mail(requester.who.email)
    return [expired, interrupted].map((each) =>
      mails.filter(({ text }) => text.includes(each)).map(({ subject }) => subject),
    )
  }
  const told = [['Your request has expired'], ['Your request could not be carried out']]
  await expect.poll(subjects, { timeout: 30_000 }).toEqual(told)
  expect(await subjects()).toEqual(told)
})
