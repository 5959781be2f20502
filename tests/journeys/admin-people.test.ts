/** People in the operator console (15): the search, one person, and what operators do. */
import { randomBytes, randomUUID } from 'node:crypto'
import {
  beginEmailChange,
  confirmEmailChange,
  readSecurity,
} from '@portico/contracts/account-security'
import {
  changePersonOrganization,
  deletePerson,
  endPersonSessions,
  exportPerson,
  findPeople,
  lockPerson,
  readPerson,
  resendPersonMessage,
  resetPersonFactor,
  unlockPerson,
} from '@portico/contracts/admin/people'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { anOperator, done, type TestOperator } from '../support/operator.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const REASON = 'Called, and answered the questions.'

let world: Awaited<ReturnType<typeof aWorld>>
let support: TestOperator
let harbor: TestOperator
beforeAll(async () => {
  world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  support = await anOperator(world, 'support')
  harbor = await anOperator(world, 'support HARBORLINE')
})
afterAll(() => world[Symbol.asyncDispose]())

const code = async (call: Promise<unknown>) => (await refusal(call)).code

const search = async (operator: TestOperator, text: string) =>
  (await operator.browser.call(findPeople, { query: { search: text } })).items.map(
    ({ email }) => email,
  )

const idOf = async (email: string) => {
  const identity = await world.server.stores.identities.findByEmail(email)
  if (identity === undefined) throw new Error(`No account has the address ${email}`)
  return identity.id
}

async function aCustomer(organizationCode = 'FIGURE') {
  const who = newPerson('customer')
  const browser = world.browser({ headers: { [ORGANIZATION_HEADER]: organizationCode } })
  await browser.register(who)
  return { who, browser, identityUuid: await idOf(who.email) }
}

test('15 people are found by address, ID, phone, wallet and organization, and only in the operator’s own organizations', {
  tags: ['database'],
}, async () => {
  const { email } = PEOPLE.phone
  const identityUuid = await idOf(email)
  for (const text of [email, ` ${email.toUpperCase()} `, identityUuid, '(201) 555-0142']) {
    expect(await search(support, text)).toEqual([email])
    expect(await search(harbor, text)).toEqual([])
  }
  const [wallet] = await world.server.stores.wallets.listByIdentity(
    await idOf(PEOPLE.organizations.email),
  )
  expect(await search(support, wallet?.address ?? '')).toEqual([PEOPLE.organizations.email])
  for (const text of ['nobody@people.example', 'x', '%', "' or 1=1", '1'.repeat(300)]) {
    expect(await search(support, text)).toEqual([])
  }

  const own = await aCustomer('HARBORLINE')
  const listed = async (operator: TestOperator, query: object) => {
    const found: string[] = []
    for (let after: string | undefined; ; ) {
      const page = await operator.browser.call(findPeople, {
        query: { limit: '7', ...query, ...(after && { after }) },
      })
      found.push(...page.items.map((item) => item.identityUuid))
      if (page.next === null) return found
      after = page.next
    }
  }
  const everyone = await listed(support, {})
  expect(new Set(everyone).size).toBe(everyone.length)
  const rows = await world.query('select id from identities')
  expect(everyone.toSorted()).toEqual(rows.map(({ id }) => String(id)).toSorted())
  expect(await listed(support, { organizationCode: 'HARBORLINE' })).toEqual(
    await listed(harbor, {}),
  )
  expect(await listed(harbor, {})).toContain(own.identityUuid)
  expect(await listed(harbor, { organizationCode: 'FIGURE' })).toEqual([])
  const forged = support.browser.call(findPeople, { query: { after: 'x' } })
  expect(await code(forged)).toBe('invalid-request')
})

test('15 people are found by the beginning of a part of their address or name, in the operator’s own organizations, newest first', {
  tags: ['database'],
}, async () => {
  const one = randomBytes(3).toString('hex')
  const person = (
    email: string,
    names: readonly [string | null, string | null] = [null, null],
  ) => ({
    id: randomUUID(),
    email,
    organizationCode: 'FIGURE',
    profileType: 'CUSTOMER' as const,
    givenName: names[0],
    familyName: names[1],
    phone: null,
    phoneVerified: false,
    passwordHash: null,
  })
  const add = async (...people: ReturnType<typeof person>[]) => {
    world.clock.pass(1000)
    await world.server.stores.atomically(({ importedPeople }) =>
      importedPeople.insert(people, world.clock.now()),
    )
  }
  const jane = `jane${one}.roe${one}@mail${one}.example`
  const under = `a_b${one}@people.example`
  const other = `axb${one}@people.example`
  const named = `named${one}@people.example`
  const first = `élise${one}@people.example`
  await add(person(jane))
  await add(person(under), person(other))
  await add(person(named, [`Élodie${one}`, `Ørsted${one}`]))
  await add(person(first, [null, `McRoe${one}`]))
  await add({ ...person(`jane${one}.two@people.example`), organizationCode: 'HARBORLINE' })
  const found = async (text: string, operator = support) =>
    (await operator.browser.call(findPeople, { query: { search: text, match: 'part' } })).items.map(
      ({ email }) => email,
    )

  for (const text of [
    `JANE${one}.r`,
    `jane${one}.roe${one}@`,
    `roe${one}`,
    `roe${one}@mail${one}`,
  ]) {
    expect(await found(text)).toEqual([jane])
  }
  for (const text of [`mail${one}`, `@Mail${one}.ex`, ` ${jane} `]) {
    expect(await found(text)).toEqual([jane])
  }
  for (const text of [`élodie${one}`, `ÉLODIE${one} ørs`, `ørsted${one.slice(0, 5)}`, named]) {
    expect(await found(text)).toEqual([named])
  }
  for (const text of [`mcroe${one}`, `ÉLISE${one}`]) expect(await found(text)).toEqual([first])
  // Only a complete address is found without `match=part`.
  expect(await search(support, `jane${one}`)).toEqual([])
  expect(await search(support, jane.slice(0, -1))).toEqual([])

  // Wildcards are letters like all others.
  expect(await found(`a_b${one}`)).toEqual([under])
  for (const text of [`a%b${one}`, `a?b${one}`, `*b${one}`, `%${one}`, '%%%', '___', `b${one}\0`]) {
    expect(await found(text)).toEqual([])
  }
  for (const text of ['ja', '@x', '', ' ']) {
    const listed = await found(text)
    expect(listed.length === 0).toBe(text.trim() !== '')
  }

  // Newest first, in pages, within the scope.
  const both = [`jane${one}.two@people.example`, jane]
  expect(await found(`jane${one}`)).toEqual(both)
  expect(await found(`jane${one}`, harbor)).toEqual(both.slice(0, 1))
  expect(await found(jane, harbor)).toEqual([])
  const paged: string[] = []
  for (let after: string | undefined; ; ) {
    const query = {
      search: `jane${one}`,
      match: 'part' as const,
      limit: '1',
      ...(after && { after }),
    }
    const page = await support.browser.call(findPeople, { query })
    paged.push(...page.items.map(({ email }) => email))
    if (page.next === null) break
    after = page.next
  }
  expect(paged).toEqual(both)

  // A changed address replaces the earlier one, and a deleted account is not found.
  const { who, browser, identityUuid } = await aCustomer()
  await browser.confirmByMail(who.email)
  const email = `moved${one}@people.example`
  const { changeUuid } = await browser.call(beginEmailChange, { body: { email } })
  const [currentToken, newToken] = [await world.passcode(who.email), await world.passcode(email)]
  const codes = { changeUuid, currentToken, newToken }
  const start = who.email.slice(0, -3)
  expect(await found(start)).toEqual([who.email])
  await browser.call(confirmEmailChange, { body: codes })
  expect(await found(start)).toEqual([])
  expect(await found(`moved${one}`)).toEqual([email])
  await support.stepUp()
  await support.browser.call(deletePerson, { body: { identityUuid, email, reason: REASON } })
  expect(await found(`moved${one}`)).toEqual([])
})

test('15 support unlocks lars, who is mailed and can log in; the reason is in the audit log', {
  tags: ['database'],
}, async () => {
  const identityUuid = await idOf(PEOPLE.locked.email)
  const body = { identityUuid, reason: REASON }
  expect(await code(harbor.browser.call(unlockPerson, { body }))).toBe('not-found')
  expect(await support.browser.call(unlockPerson, { body })).toEqual({ changed: true })
  expect(await support.browser.call(unlockPerson, { body })).toEqual({ changed: false })
  const lars = world.browser()
  await lars.signIn(PEOPLE.locked)
  expect((await lars.call(readSecurity, {})).events.map(({ kind }) => kind)).toContain(
    'person-unlocked',
  )
  const mails = await world.mail(PEOPLE.locked.email)
  expect(mails.filter(({ text }) => text.includes('unlocked your account.'))).toHaveLength(1)
  const shown = await support.browser.call(readPerson, { query: { identityUuid } })
  expect(shown).toMatchObject({ email: PEOPLE.locked.email, lockedAt: null })
  expect(shown.events).toContainEqual(
    expect.objectContaining({
      kind: 'person-unlocked',
      operator: support.who.email,
      reason: REASON,
    }),
  )

  expect(await support.browser.call(lockPerson, { body })).toEqual({ changed: true })
  expect(await code(lars.call(readSecurity, {}))).toBe('session-ended')
})

/** Submits wrong passwords until the browser is locked out. */
async function lockOut(browser: Browser, who: { email: string; password: string }) {
  const answers: unknown[] = []
  while (answers.length < 20 && answers.at(-1) !== 'too-many-requests') {
    answers.push(await code(browser.signIn({ ...who, password: 'not the password' })))
  }
  expect(answers.at(-1)).toBe('too-many-requests')
}

test('15 a lockout after wrong attempts is shown, and unlocking ends it: in a new browser, in one that the person has used, and in one that opened the mailed link', {
  tags: ['database'],
}, async () => {
  await support.stepUp()
  const who = newPerson('locked-out')
  const known = world.browser()
  await known.register(who)
  const identityUuid = await idOf(who.email)
  const attempts = async () =>
    (await support.browser.call(readPerson, { query: { identityUuid } })).attempts
  const unlock = () =>
    support.browser.call(unlockPerson, { body: { identityUuid, reason: REASON } })
  const none = { wrong: 0, lockedUntil: null, isSecondStepClosed: false }
  const byLink = async () => {
    const stranger = world.browser()
    await lockOut(stranger, who)
    const mails = await world.mail(who.email)
    const [path = ''] = mails.flatMap(({ text }) => text.match(/\/auth\/lockout\?\S+/) ?? [])
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await stranger.fetch(path, { method: 'POST', headers })).status).toBe(303)
    return stranger
  }
  expect(await attempts()).toEqual(none)
  for (const open of [async () => known, async () => world.browser(), byLink]) {
    const browser = await open()
    const { wrong: before } = await attempts()
    await lockOut(browser, who)
    expect(await attempts()).toEqual({
      ...none,
      wrong: before + 10,
      lockedUntil: expect.closeTo(world.clock.now() + 60_000, -4),
    })
    expect(await unlock()).toEqual({ changed: true })
    expect(await attempts()).toEqual(none)
    await browser.signIn(who)
    expect(await unlock()).toEqual({ changed: false })
  }
})

test('15 a waiting message is sent at once, but not a second time while a node sends it', {
  tags: ['database'],
}, async () => {
  const { who, identityUuid } = await aCustomer('HARBORLINE')
  const { messages } = world.server.stores
  const at = world.clock.now()
  const message = { channel: 'email', kind: 'x', recipient: who.email, content: 'x', at } as const
  await messages.insert({ ...message, sentAt: null, droppedAt: null })
  const claim = (now: number) =>
    messages.claim({
      channels: ['email'],
      limit: 10,
      at: now,
      until: now + 60_000,
      latest: at * 2,
    })
  const [claimed] = await claim(world.clock.now())
  const body = { identityUuid, reason: REASON, messageUuid: claimed?.id ?? '' }
  const resend = () => harbor.browser.call(resendPersonMessage, { body })
  expect(await resend()).toEqual({ changed: false })
  expect(await claim(world.clock.now())).toEqual([])
  // The attempt failed, and the next one would be in ten minutes.
  await messages.updateNextAttempt(body.messageUuid, world.clock.now() + 600_000)
  expect(await resend()).toEqual({ changed: true })
  expect((await claim(world.clock.now())).map(({ id }) => id)).toEqual([body.messageUuid])
})

test('15 messages to a phone number are shown and resent only for a person who verified it', {
  tags: ['database'],
}, async () => {
  const { identityUuid } = await aCustomer('HARBORLINE')
  const { identities, messages } = world.server.stores
  const at = world.clock.now()
  const value = '+12015550163'
  const added = { identityId: identityUuid, type: 'Phone', value, at } as const
  const alias = await identities.insertAlias({ ...added, verifiedAt: null })
  const message = { channel: 'sms', kind: 'x', recipient: value, content: 'x', at } as const
  await messages.insert({ ...message, sentAt: null, droppedAt: null })
  const rows = await world.query(`select id from messages where recipient = '${value}'`)
  const messageUuid = String(rows[0]?.['id'])
  await messages.updateNextAttempt(messageUuid, at + 600_000)
  const shown = async () => {
    const person = await harbor.browser.call(readPerson, { query: { identityUuid } })
    return person.messages.map((each) => each.messageUuid)
  }
  const resend = () =>
    harbor.browser.call(resendPersonMessage, {
      body: { identityUuid, messageUuid, reason: REASON },
    })
  expect(await shown()).not.toContain(messageUuid)
  expect(await resend()).toEqual({ changed: false })
  await identities.updateAliasVerified(alias, at)
  expect(await shown()).toContain(messageUuid)
  expect(await resend()).toEqual({ changed: true })
})

test('15 support resets a lost authenticator, ends sessions, and moves, exports and deletes an account', {
  tags: ['database'],
}, async () => {
  const { who, browser, identityUuid } = await aCustomer('HARBORLINE')
  const body = { identityUuid, reason: REASON }
  const totpOwner = await idOf(PEOPLE.totp.email)
  const reset = { identityUuid: totpOwner, reason: REASON, factor: 'totp' } as const
  expect(await support.browser.call(resetPersonFactor, { body: reset })).toEqual({ changed: true })
  expect(await support.browser.call(resetPersonFactor, { body: reset })).toEqual({ changed: false })
  const { email, password } = PEOPLE.totp
  expect(await world.browser().signIn({ email, password })).toEqual({ jwt: expect.any(String) })

  expect(await harbor.browser.call(endPersonSessions, { body })).toEqual({ changed: true })
  expect(await code(browser.call(readSecurity, {}))).toBe('session-ended')

  const exported = await harbor.browser.call(exportPerson, { body })
  expect(exported.identity).toMatchObject({ uuid: identityUuid, email: who.email })
  expect(JSON.stringify(exported)).not.toContain(REASON)

  // The message was sent, and its content is no longer there.
  const { messages } = await harbor.browser.call(readPerson, { query: { identityUuid } })
  const [{ messageUuid } = { messageUuid: '' }] = messages
  const resend = { ...body, messageUuid }
  expect(await harbor.browser.call(resendPersonMessage, { body: resend })).toEqual({
    changed: false,
  })

  const move = (organizationCode: string) => ({ body: { ...body, organizationCode } })
  expect(await code(harbor.browser.call(changePersonOrganization, move('FIGURE')))).toBe(
    'not-found',
  )
  expect(await code(support.browser.call(changePersonOrganization, move('NONE')))).toBe('not-found')
  await support.browser.call(changePersonOrganization, move('FIGURE'))
  expect(await code(harbor.browser.call(readPerson, { query: { identityUuid } }))).toBe('not-found')

  const wrong = { ...body, email: 'other@people.example' }
  expect(await code(support.browser.call(deletePerson, { body: wrong }))).toBe('email-mismatch')
  const right = { ...body, email: who.email }
  // Of concurrent deletions, one counts.
  await world.browser().signIn(who)
  const racing = await outcomes(
    Array.from({ length: 8 }, () => support.browser.call(deletePerson, { body: right })),
  )
  expect(racing).toEqual({ answered: 1, 'not-found': 7 })
  const mails = await world.mail(who.email)
  expect(mails.filter(({ text }) => text.includes('was deleted on'))).toHaveLength(1)
})

test('15 simultaneous locks and unlocks: each change has one event', {
  tags: ['database'],
}, async () => {
  const { identityUuid } = await aCustomer()
  const body = { identityUuid, reason: REASON }
  const locks = await Promise.all(
    Array.from({ length: 10 }, () => done(support.browser.call(lockPerson, { body }))),
  )
  expect(locks.filter(({ changed }) => changed)).toHaveLength(1)
  const unlocks = await Promise.all(
    Array.from({ length: 10 }, () => done(support.browser.call(unlockPerson, { body }))),
  )
  expect(unlocks.filter(({ changed }) => changed)).toHaveLength(1)
})

test('15 support does not act on itself, nor on other operators', async () => {
  const admin = await anOperator(world, 'admin')
  const other = await anOperator(world, 'brand')
  const lock = (by: TestOperator, of: TestOperator) =>
    by.browser.call(lockPerson, { body: { identityUuid: of.identityId, reason: REASON } })
  await support.stepUp()
  expect(await code(lock(support, support))).toBe('not-permitted')
  expect(await code(lock(support, other))).toBe('not-permitted')
  await admin.stepUp()
  expect(await lock(admin, other)).toEqual({ changed: true })
  const limited = await anOperator(world, 'admin FIGURE')
  expect(await code(lock(limited, admin))).toBe('not-permitted')
})
