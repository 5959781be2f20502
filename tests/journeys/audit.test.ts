import { deleteOwnAccount } from '@portico/contracts/account-security'
import { exportAudit, listAuditKinds, searchAudit } from '@portico/contracts/admin/audit'
import { listWaitingMessages } from '@portico/contracts/admin/operations'
import { findPeople, readPerson } from '@portico/contracts/admin/people'
import { login, readIdentity } from '@portico/contracts/identity'
import { sealAudit, verifyAudit } from '@portico/server/audit-chain'
import { openVault } from '@portico/server/vault'
import { expect, test } from 'vitest'
import { anOperator } from '../support/operator.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const NODES = ON_POSTGRES ? 2 : 1

test('the audit log is one chain while several nodes write and seal it, and stays intact when an account is deleted', {
  tags: 'database',
}, async () => {
  const owner = newPerson('sealed')
  await using world = await aWorld().withNodes(NODES).withCustomer(owner)
  const vault = openVault(world.config)
  const browser = world.browser()
  await browser.signIn(owner)
  const { id: identityId } = (await world.server.stores.identities.findByEmail(owner.email)) ?? {}
  if (identityId === undefined) throw new Error('The customer has no identity')
  const page = { network: '192.0.2.1', organization: { orgCode: 'FIGURE' } }
  const clock = world.clock.now
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const { stores } = world.nodes[index % NODES]?.server ?? world.server
      await stores.audit.record('signed-in', { identityId, at: clock() }, page)
      if (index % 10 === 0) await sealAudit({ stores, vault, clock })
    }),
  )
  await browser.confirmByMail(owner.email)
  await browser.call(deleteOwnAccount, { body: { email: owner.email } })
  const { stores } = world.server
  await sealAudit({ stores, vault, clock })
  const report = await verifyAudit({ stores, vault })
  expect(report).toMatchObject({ errors: [], hasUnsealed: false })
  const rows = await world.query('select sequence, identity_id, kind from audit_events')
  expect(report.entries).toBe(rows.length)
  expect(new Set(rows.map(({ sequence }) => Number(sequence))).size).toBe(rows.length)
  // Deletion keeps the person's entries, which contain only their ID.
  const ofOwner = rows.filter((row) => row.identity_id === identityId)
  expect(ofOwner.length).toBeGreaterThan(200)
  expect(ofOwner.map(({ kind }) => kind)).toContain('account-deleted')
})

test('an auditor finds every entry of their organizations exactly once, and exports them', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { stores } = world.server
  const [all, scoped] = [
    await anOperator(world, 'auditor'),
    await anOperator(world, 'auditor CEDAR_POINT', 'auditor FIGURE'),
  ]
  const network = '=cmd|"/c calc"'
  const at = world.clock.now()
  const identityId = all.identityId
  for (let line = 0; line < 60; line++) {
    const orgCode = ['CEDAR_POINT', 'FIGURE', 'FIGURE_NEW_YORK'][line % 3] ?? ''
    await stores.audit.record(
      line % 2 === 0 ? 'signed-in' : 'signed-out',
      // Many entries at one time, so that pages must also order by ID.
      { identityId, at: at + Math.floor(line / 20), operator: { id: 'operator' } },
      { network, organization: { orgCode } },
    )
  }
  const pages = async (browser: typeof all.browser, filter: object) => {
    const found = []
    let after: string | undefined
    do {
      const query = { ...filter, limit: '7', ...(after === undefined ? {} : { after }) }
      const page = await browser.call(searchAudit, { query })
      expect(page.items.length).toBeLessThanOrEqual(7)
      found.push(...page.items)
      after = page.next ?? undefined
    } while (after !== undefined)
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
    const times = found.map((line) => line.at)
    expect(times).toEqual(times.toSorted((one, other) => other - one))
    return found.length
  }
  expect(await pages(all.browser, { network })).toBe(60)
  expect(await pages(all.browser, { network, kind: 'signed-in' })).toBe(30)
  expect(await pages(all.browser, { operatorId: 'operator', organizationCode: 'FIGURE' })).toBe(20)
  const query = { identityUuid: identityId, network, kind: 'signed-out', until: `${at + 1}` }
  expect(await pages(all.browser, query)).toBe(10)
  expect(await pages(scoped.browser, { network })).toBe(40)
  expect(await pages(scoped.browser, { network, organizationCode: 'FIGURE' })).toBe(20)
  for (const organizationCode of ['FIGURE_NEW_YORK', 'NO_SUCH_ORGANIZATION']) {
    const other = scoped.browser.call(searchAudit, { query: { organizationCode } })
    expect((await refusal(other)).code).toBe('not-found')
  }
  const forged = all.browser.call(searchAudit, { query: { after: 'x' } })
  expect((await refusal(forged)).code).toBe('invalid-request')
  // The account is of the default organization, so only one of the two may read its address there.
  const person = async (browser: typeof all.browser) =>
    (await browser.call(searchAudit, { query: { network, organizationCode: 'CEDAR_POINT' } }))
      .items[0]?.person
  const cedarPoint = await anOperator(world, 'auditor CEDAR_POINT')
  expect([await person(all.browser), await person(cedarPoint.browser)]).toEqual([
    all.who.email,
    null,
  ])
  const { kinds } = await all.browser.call(listAuditKinds, {})
  expect(kinds).toContain('sign-in-refused')
  const analyst = await anOperator(world, 'analyst')
  const denied = analyst.browser.call(searchAudit, { query: {} })
  expect((await refusal(denied)).code).toBe('not-permitted')

  const file = async (format: 'csv' | 'ndjson') => {
    const search = new URLSearchParams({ network, format })
    const response = await scoped.browser.fetch(`${exportAudit.path}?${search}`, {
      headers: { authorization: scoped.browser.jwt.read() ?? '' },
    })
    expect(response.status).toBe(200)
    return (await response.text()).trimEnd().split(/\r?\n/)
  }
  const csv = await file('csv')
  expect(csv).toHaveLength(41)
  expect(csv[1]).toContain(`"'=cmd|""/c calc"""`)
  const lines = (await file('ndjson')).map((line) => JSON.parse(line) as { network: string })
  expect(lines.map((line) => line.network)).toEqual(Array.from({ length: 40 }, () => network))
})

test('15 what operators read of people is in the audit log: once per operator and person, with the next read counted', {
  tags: 'database',
}, async () => {
  const person = newPerson('read')
  await using world = await aWorld().withCustomer(person)
  const { id = '' } = (await world.server.stores.identities.findByEmail(person.email)) ?? {}
  const support = await anOperator(world, 'support', 'auditor', 'admin')
  for (let read = 0; read < 3; read++) {
    await support.browser.call(findPeople, { query: { search: person.email } })
    await support.browser.call(readPerson, { query: { identityUuid: id } })
  }
  await support.browser.call(listWaitingMessages, { query: {} })
  const file = await support.browser.fetch(`${exportAudit.path}?format=csv`, {
    headers: { authorization: support.browser.jwt.read() ?? '' },
  })
  expect(file.status).toBe(200)
  const rows = await world.query(
    `select kind, identity_id, details from audit_events where operator_id = '${support.identityId}' order by created_at`,
  )
  expect(rows.map(({ kind, identity_id: of }) => [kind, of])).toEqual([
    ['people-searched', null],
    ['person-viewed', id],
    ['messages-viewed', null],
    ['audit-exported', null],
  ])
  expect(JSON.stringify(rows)).not.toContain(person.email)
})

test('8 refusals of an attack leave audit events, and a flood of them leaves few', {
  tags: 'database',
}, async () => {
  const customer = newPerson('customer')
  await using world = await aWorld().withCustomer(customer)
  const rowsOf = (kind: string) =>
    world.query(`select details, network from audit_events where kind = '${kind}'`)
  const browser = world.browser()
  const unknown = newPerson('unknown')
  let lockouts = 0
  while (lockouts < 20) {
    const { code } = await refusal(browser.call(login, { body: unknown }))
    if (code === 'too-many-requests') lockouts += 1
  }
  const detailsOf = async (kind: string) =>
    (await rowsOf(kind)).map(({ details }) => JSON.parse(String(details)) as { address: string })
  const attempts = await detailsOf('sign-in-refused')
  const [{ address } = { address: '' }] = attempts
  expect(address).toMatch(/\w{20}/)
  expect(attempts.every((each) => each.address === address)).toBe(true)
  await expect
    .poll(() => detailsOf('lockout-refused'), { timeout: 30_000 })
    .toEqual([{ call: 'login', address }])

  await browser.signIn(customer)
  const authorization = browser.jwt.read() ?? ''
  for (let request = 0; request < 30; request++) {
    await fetch(`${world.url}${readIdentity.path}`, { headers: { authorization } })
    await fetch(`${world.url}${login.path}`, {
      method: 'POST',
      headers: { origin: 'https://attacker.example', 'content-type': 'application/json' },
      body: '{}',
    })
    await refusal(browser.call(findPeople, { query: {} }))
  }
  await expect
    .poll(() => detailsOf('session-cookie-missing'), { timeout: 30_000 })
    .toEqual([{ call: 'readIdentity' }])
  await expect
    .poll(() => detailsOf('foreign-origin-refused'))
    .toEqual([{ call: 'login', origin: 'https://attacker.example' }])
  await expect
    .poll(() => detailsOf('operator-refused'))
    .toEqual([{ call: 'findPeople', reason: 'not-permitted' }])
})
