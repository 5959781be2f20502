/** An operator views the pages of a person (15): read-only, for thirty minutes, and with both names everywhere. */
// @module-tag database
import { endSessions, readSecurity } from '@portico/contracts/account-security'
import { revokeRole } from '@portico/contracts/admin/operators'
import {
  deletePerson,
  exportPerson,
  lockPerson,
  readPerson,
  unlockPerson,
} from '@portico/contracts/admin/people'
import { logout, readIdentity, readSession, stopImpersonation } from '@portico/contracts/identity'
import { IMPERSONATION_MS, JWT_LIFETIME_S } from '@portico/contracts/limits'
import {
  createPassport,
  readCreatorPassportStatus,
  readPassportStatus,
} from '@portico/contracts/passport'
import { createHostedAccount, readWalletJwt } from '@portico/contracts/wallet'
import { readPayload } from '@portico/keys/read-jwt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endExpiredViews } from '../../apps/server/src/admin/people/impersonate.ts'
import type { Browser } from '../support/browser.ts'
import { anOperator } from '../support/operator.ts'
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { startViewing, VIEWING_COOKIE, viewingTab, viewPerson } from '../support/viewing.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

let world: Awaited<ReturnType<typeof aWorld>>
beforeAll(async () => {
  world = await aWorld()
    .withNodes(ON_POSTGRES ? 2 : 1)
    .withLog('info')
})
afterAll(() => world[Symbol.asyncDispose]())

const code = async (call: Promise<unknown>) => (await refusal(call)).code
const read = (browser: Browser) => browser.call(readIdentity, {})

async function aPerson() {
  const who = newPerson('viewed')
  const browser = world.browser()
  await browser.register(who)
  const identity = await world.server.stores.identities.findByEmail(who.email)
  if (identity === undefined) throw new Error('The person was not registered')
  return { who, browser, identityUuid: identity.id }
}

async function aViewing() {
  const support = await anOperator(world, 'support')
  const person = await aPerson()
  return { support, person, tab: await viewPerson(world, support, person.identityUuid) }
}

test('15 impersonation: the operator views the person’s pages alongside the console, and stops', async () => {
  const { support, person, tab } = await aViewing()
  expect((await read(tab)).identity.uuid).toBe(person.identityUuid)
  expect((await read(support.browser)).identity.uuid).toBe(support.identityId)
  const query = { identityUuid: person.identityUuid }
  const { sessions } = await support.browser.call(readPerson, { query })
  expect(sessions.map(({ method }) => method)).toContain('operator')

  await tab.call(stopImpersonation, {})
  expect(tab.cookies.has(VIEWING_COOKIE)).toBe(false)
  // As another tab still has it.
  const stale = viewingTab(world, support, tab.jwt.read() ?? '')
  expect(await code(read(stale))).toBe('session-ended')
  expect((await read(support.browser)).identity.uuid).toBe(support.identityId)
  expect((await support.browser.call(readPerson, { query })).email).toBe(person.who.email)
})

test('15 impersonation: the token names the operator as its actor, and audit, log, mail and activity show both', async () => {
  const { support, person, tab } = await aViewing()
  const { identityUuid } = person
  expect(readPayload(tab.jwt.read() ?? '')).toMatchObject({
    sub: identityUuid,
    act: { sub: support.identityId },
  })
  const before = world.log.length
  await read(tab)
  await tab.fetch('/dashboard', { headers: { accept: 'text/html' } })
  await tab.fetch('/identity/api/v1/nothing', { method: 'POST' })
  await tab.call(stopImpersonation, {})
  const requests = world.log
    .slice(before)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request')
  expect(requests.map(({ status }) => status)).toEqual([200, 200, 403, 204])
  for (const line of requests) {
    expect(line).toMatchObject({ identityId: identityUuid, operatorId: support.identityId })
  }
  const audited = await world.query(
    `select kind, operator_id from audit_events where identity_id = '${identityUuid}' and kind like 'impersonation-%' order by created_at`,
  )
  expect(audited.map(({ kind }) => kind)).toEqual(['impersonation-started', 'impersonation-ended'])
  expect(
    new Set(Object.values(audited).map((row) => row['operatorId'] ?? row['operator_id'])),
  ).toEqual(new Set([support.identityId]))
  const mails = await world.mail(person.who.email)
  expect(mails.filter(({ text }) => text.includes('opened the pages of your'))).toHaveLength(1)
  expect(mails.filter(({ text }) => text.includes('new browser'))).toEqual([])
  const { events, sessions } = await person.browser.call(readSecurity, {})
  expect(events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['impersonation-started', 'impersonation-ended']),
  )
  expect(sessions).toHaveLength(1)
})

test('15 impersonation ends thirty minutes after its start, whatever is used, and extends no session', async () => {
  const { support, person, tab } = await aViewing()
  const expiries = () =>
    world.query(
      `select id, expires_at from sessions where identity_id in ('${support.identityId}', '${person.identityUuid}') order by id`,
    )
  const before = await expiries()
  const token = tab.jwt.read()
  const minutes = IMPERSONATION_MS / 60_000
  for (let minute = 0; minute < minutes - 1; minute += 1) {
    world.clock.pass(60_000)
    await read(tab)
  }
  expect(tab.jwt.read()).toBe(token)
  expect(await expiries()).toEqual(before)
  world.clock.pass(60_000)
  expect(await code(read(tab))).toBe('session-ended')
  // Also with the cookie alone.
  const page = await viewingTab(world, support, token ?? '').fetch('/dashboard')
  expect(await page.text()).toContain('You no longer view this account')
  expect(page.headers.getSetCookie().join()).toContain(`${VIEWING_COOKIE}=;`)
  expect(IMPERSONATION_MS).toBeGreaterThan(JWT_LIFETIME_S * 1000)
})

test('15 impersonation: a view that expired, or ended with its operator’s session, has one audit entry with its end', async () => {
  const [expired, left] = [await aViewing(), await aViewing()]
  await left.support.browser.call(logout, {})
  const leftAt = world.clock.now()
  world.clock.pass(IMPERSONATION_MS)
  const nodes = world.nodes.map(({ server: { stores } }) => ({ stores, clock: world.clock.now }))
  await Promise.all([...nodes, ...nodes].map(endExpiredViews))
  const lines = await world.query(
    `select created_at, identity_id, operator_id from audit_events where kind = 'impersonation-ended'
     and identity_id in ('${expired.person.identityUuid}', '${left.person.identityUuid}')`,
  )
  expect(lines).toHaveLength(2)
  const endOf = ({ person, support }: typeof left) => {
    const line = lines.find(({ identity_id }) => identity_id === person.identityUuid)
    expect(line?.['operator_id']).toBe(support.identityId)
    return Number(line?.['created_at'])
  }
  expect(endOf(left)).toBeLessThanOrEqual(leftAt)
  expect(endOf(expired)).toBeGreaterThan(leftAt)
  expect(endOf(expired)).toBeLessThan(world.clock.now())
})

/** The times at which the audit log says that views of a person's pages ended. */
async function endsOf({ identityUuid }: { identityUuid: string }): Promise<number[]> {
  const rows = await world.query(
    `select created_at from audit_events where kind = 'impersonation-ended' and identity_id = '${identityUuid}'`,
  )
  return rows.map((row) => Number(row['created_at']))
}

test('15 impersonation: another view ends an expired one, which has one audit entry with its end', async () => {
  const { support, person } = await aViewing()
  for (let half = 0; half < 2; half += 1) {
    world.clock.pass(IMPERSONATION_MS / 2)
    await read(support.browser)
  }
  const expiredAt = world.clock.now()
  await support.stepUp()
  await startViewing(support, (await aPerson()).identityUuid)
  await endExpiredViews({ stores: world.server.stores, clock: world.clock.now })
  const ended = await endsOf(person)
  expect(ended).toHaveLength(1)
  expect(ended[0]).toBeLessThanOrEqual(expiredAt)
})

test('15 impersonation: a view that expired before the person ended it has one audit entry with its end', async () => {
  const { person } = await aViewing()
  for (let half = 0; half < 2; half += 1) {
    world.clock.pass(IMPERSONATION_MS / 2)
    await read(person.browser)
  }
  const expiredAt = world.clock.now()
  world.clock.pass(1000)
  await person.browser.confirmByMail(person.who.email)
  await person.browser.call(endSessions, { body: { which: 'others' } })
  await endExpiredViews({ stores: world.server.stores, clock: world.clock.now })
  const ended = await endsOf(person)
  expect(ended).toHaveLength(1)
  expect(ended[0]).toBeLessThanOrEqual(expiredAt)
})

test.each([
  [
    'its role is revoked',
    async (viewing: Viewing) =>
      viewing.admin.browser.call(revokeRole, {
        body: {
          identityUuid: viewing.support.identityId,
          role: 'support',
          organizationCode: '*',
          reason: 'Left.',
        },
      }),
  ],
  ['the operator logs out', async ({ support }: Viewing) => support.browser.call(logout, {})],
  [
    'the operator is locked',
    async ({ admin, support }: Viewing) =>
      admin.browser.call(lockPerson, {
        body: { identityUuid: support.identityId, reason: 'Lost.' },
      }),
  ],
  [
    'the person ends the other sessions',
    async ({ person }: Viewing) => {
      await person.browser.confirmByMail(person.who.email)
      await person.browser.call(endSessions, { body: { which: 'others' } })
    },
  ],
  [
    'the person ends it',
    async ({ person, support }: Viewing) => {
      const query = { identityUuid: person.identityUuid }
      const { sessions } = await support.browser.call(readPerson, { query })
      const view = sessions.find(({ method }) => method === 'operator')
      await person.browser.confirmByMail(person.who.email)
      await person.browser.call(endSessions, { body: { uuid: view?.uuid ?? '' } })
    },
  ],
  [
    'the account is deleted',
    async ({ admin, person }: Viewing) =>
      admin.browser.call(deletePerson, {
        body: { identityUuid: person.identityUuid, email: person.who.email, reason: 'Asked.' },
      }),
  ],
  [
    'the person is locked',
    async ({ admin, person }: Viewing) =>
      admin.browser.call(lockPerson, {
        body: { identityUuid: person.identityUuid, reason: 'Lost.' },
      }),
  ],
  [
    'the person becomes an operator',
    async ({ person }: Viewing) =>
      world.server.stores.identityRoles.insert({
        identityId: person.identityUuid,
        role: 'analyst',
        organizationCode: '*',
        createdAt: world.clock.now(),
      }),
  ],
  [
    'the operator views someone else',
    async ({ support }: Viewing) => {
      await support.stepUp()
      await startViewing(support, (await aPerson()).identityUuid)
    },
  ],
])('15 impersonation ends at once when %s', async (_, end) => {
  const viewing = { ...(await aViewing()), admin: await anOperator(world, 'admin') }
  await read(viewing.tab)
  await end(viewing)
  expect(await code(read(viewing.tab))).toBe('session-ended')
  world.clock.pass(IMPERSONATION_MS)
  await endExpiredViews({ stores: world.server.stores, clock: world.clock.now })
  expect(await endsOf(viewing.person)).toHaveLength(1)
})

type Viewing = Awaited<ReturnType<typeof aViewing>> & {
  readonly admin: Awaited<ReturnType<typeof anOperator>>
}

test('15 logging out while viewing a person ends both sessions', async () => {
  const { support, tab } = await aViewing()
  await tab.call(logout, {})
  expect(await code(read(support.browser))).toBe('session-ended')
})

test('15 impersonation: only people of the operator’s own organizations, without a role, who could log in', async () => {
  const support = await anOperator(world, 'support')
  const harbor = await anOperator(world, 'support HARBORLINE')
  const auditor = await anOperator(world, 'auditor')
  const admin = await anOperator(world, 'admin')
  const { identityUuid } = await aPerson()
  const attempt = async (operator: typeof support, of: string) => {
    await operator.stepUp()
    return code(startViewing(operator, of))
  }
  expect(await attempt(harbor, identityUuid)).toBe('not-found')
  expect(await attempt(auditor, identityUuid)).toBe('not-permitted')
  expect(await attempt(support, support.identityId)).toBe('not-permitted')
  expect(await attempt(admin, support.identityId)).toBe('not-permitted')
  expect(await attempt(support, crypto.randomUUID())).toBe('not-found')
  const body = { identityUuid, reason: 'Lost.' }
  await admin.stepUp()
  await admin.browser.call(lockPerson, { body })
  expect(await attempt(support, identityUuid)).toBe('impersonation-not-possible')
  await admin.stepUp()
  await admin.browser.call(unlockPerson, { body })
  world.clock.pass(6 * 60_000)
  expect(await code(startViewing(support, identityUuid))).toBe('confirmation-needed')
  await support.stepUp()
  expect(await startViewing(support, identityUuid)).toMatchObject({ jwt: expect.any(String) })
})

test('15 an operator sees passports of their own organizations only: in the console, on the pages of a person, and in an export', async () => {
  const { browser, identityUuid } = await aPerson()
  const body = { name: 'Everyday', default: true }
  const { address: walletAddress } = await browser.call(createHostedAccount, { body })
  browser.jwt.write((await browser.call(readWalletJwt, { query: { walletAddress } })).jwt)
  const { passportUuid } = await browser.call(createPassport, {
    body: { passportStructureType: 'INDIVIDUAL' },
  })
  const { people } = world.server.stores
  await people.updateOrganization(identityUuid, 'HARBORLINE', world.clock.now())
  for (const [role, seen] of [
    ['support', [passportUuid]],
    ['support HARBORLINE', []],
  ] as const) {
    const operator = await anOperator(world, role)
    const { passports } = await operator.browser.call(readPerson, { query: { identityUuid } })
    expect(passports.map((each) => each.passportUuid)).toEqual(seen)
    const exported = await operator.browser.call(exportPerson, {
      body: { identityUuid, reason: 'Asked for it.' },
    })
    expect(exported.passports).toHaveLength(seen.length)
    const tab = await viewPerson(world, operator, identityUuid)
    const listed = await tab.call(readCreatorPassportStatus, {})
    expect(listed.map((each) => each.passportUuid)).toEqual(seen)
    const own = await tab.call(readPassportStatus, { query: {} })
    expect(own.passportUuid).toBe(seen[0])
    const byId = tab.call(readPassportStatus, { query: { passportUuid } })
    const outcome = seen.length === 0 ? 'not-found' : 'answered'
    expect(await outcomes([byId])).toEqual({ [outcome]: 1 })
  }
})

test('15 impersonation: servers that render pages do not see the person', async () => {
  const { tab } = await aViewing()
  const server = world.browser()
  for (const [name, value] of tab.cookies) server.cookies.set(name, value)
  expect(await server.call(readSession, {})).toEqual({ session: null })
})
