import { once } from 'node:events'
import { connect } from 'node:net'
import { deleteOwnAccount, endSessions } from '@portico/contracts/account-security'
import { exportAudit, listAuditKinds, searchAudit } from '@portico/contracts/admin/audit'
import { listWaitingMessages } from '@portico/contracts/admin/operations'
import { listOperators } from '@portico/contracts/admin/operators'
import { findPeople, readPerson } from '@portico/contracts/admin/people'
import { login, readIdentity } from '@portico/contracts/identity'
import { readWalletNonce } from '@portico/contracts/wallet'
import { sealAudit, verifyAudit } from '@portico/server/audit-chain'
import { createScimToken } from '@portico/server/scim-tokens'
import { openVault } from '@portico/server/vault'
import { expect, test } from 'vitest'
import { lenderApplication } from '../support/lender-application.ts'
import { anOperator } from '../support/operator.ts'
import { DIRECTORY_PROVIDERS, scimCaller } from '../support/scim.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { walletHeaders } from '../support/test-wallet.ts'
import { viewPerson } from '../support/viewing.ts'
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

test('15 searches and downloads of the audit log are in it with their filter, and so are lists of operators', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const auditor = await anOperator(world, 'auditor', 'admin')
  const { browser, identityId } = auditor
  const filter = { identityUuid: identityId, kind: 'signed-in', organizationCode: 'FIGURE' }
  const { items, next } = await browser.call(searchAudit, { query: { ...filter, limit: '1' } })
  expect(items.map(({ kind }) => kind)).toEqual(['signed-in'])
  await browser.call(searchAudit, {
    query: { ...filter, ...(next === null ? {} : { after: next }) },
  })
  await browser.call(listOperators, { query: {} })
  const headers = { authorization: browser.jwt.read() ?? '' }
  await browser.fetch(`${exportAudit.path}?format=csv&network=192.0.2.1`, { headers })
  const rows = await world.query(
    `select kind, identity_id, organization_code, details from audit_events
      where operator_id = '${identityId}' and kind in ('audit-searched', 'audit-exported', 'operators-listed')
      order by created_at, kind desc`,
  )
  expect(
    rows.map((row) => ({ ...row, details: JSON.parse(String(row['details'])) as object })),
  ).toEqual(
    expect.arrayContaining([
      {
        kind: 'audit-searched',
        identity_id: identityId,
        organization_code: 'FIGURE',
        details: { kind: 'signed-in' },
      },
      { kind: 'operators-listed', identity_id: null, organization_code: '*', details: {} },
      {
        kind: 'audit-exported',
        identity_id: null,
        organization_code: '*',
        details: { format: 'csv', network: '192.0.2.1' },
      },
    ]),
  )
  expect(rows).toHaveLength(3)
})

test('8 refused requests of directories, applications and wallets leave audit events without secrets, and a flood few', {
  tags: 'database',
}, async () => {
  const customer = newPerson('viewed')
  await using world = await aWorld().withCustomer(customer)
  const events = async (kind: string) =>
    (
      await world.query(
        `select organization_code, details from audit_events where kind = '${kind}' order by created_at, id`,
      )
    ).map(({ organization_code: organization, details }) => ({
      organization,
      ...(JSON.parse(String(details)) as object),
    }))

  const at = world.clock.now()
  const expired = await createScimToken(world.server.stores, {
    providerId: DIRECTORY_PROVIDERS.agent,
    expiresAt: at - 1,
    at,
  })
  const [{ organization_code: lender } = {}] = await world.query(
    `select organization_code from identity_providers where id = '${DIRECTORY_PROVIDERS.agent}'`,
  )
  for (let request = 0; request < 10; request++) {
    for (const token of [undefined, 'portico_scim_guessed', expired]) {
      expect((await scimCaller(world.url, token)('GET', '/Users')).status).toBe(401)
    }
  }
  await expect.poll(() => events('directory-refused')).toHaveLength(3)
  expect(await events('directory-refused')).toEqual(
    expect.arrayContaining([
      { organization: 'FIGURE', token: 'missing' },
      { organization: 'FIGURE', token: 'unknown' },
      { organization: lender, token: 'expired' },
    ]),
  )

  for (let request = 0; request < 10; request++) {
    await fetch(`${world.url}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('lender-app:wrong-secret')}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'stolen-token' }),
    })
    await fetch(`${world.url}/oidc/userinfo`, { headers: { authorization: 'Bearer stolen-token' } })
    await fetch(`${world.url}/oidc/authorize?client_id=unknown-client&response_type=code`)
    await fetch(`${world.url}/oidc/logout?id_token_hint=stolen-token`)
  }
  const application = await lenderApplication(world)
  const silent = await application.begin({ prompt: 'none' })
  await world.browser().fetch(silent.url)
  await expect.poll(() => events('openid-refused')).toHaveLength(4)
  expect(await events('openid-refused')).toEqual(
    expect.arrayContaining([
      { organization: 'FIGURE', call: 'authorization', reason: 'invalid_client' },
      { organization: 'HARBORLINE', call: 'grant', reason: 'invalid_client', client: 'lender-app' },
      { organization: 'FIGURE', call: 'logout', reason: 'invalid_request' },
      { organization: 'FIGURE', call: 'userinfo', reason: 'invalid_token' },
    ]),
  )

  const bridge = '/service-wallet-connect-bridge'
  for (let request = 0; request < 10; request++) {
    await upgrade(world.url, `${bridge}/ws/external`, ['Sec-WebSocket-Version: 1'])
    await upgrade(world.url, `${bridge}/ws/external`, ['Host: other.example'])
    await fetch(`${world.url}${bridge}/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ topic: 'topic', webhook: 'https://169.254.169.254/secret' }),
    })
  }
  await expect.poll(() => events('relay-refused')).toHaveLength(3)
  expect(await events('relay-refused')).toEqual(
    expect.arrayContaining([
      { organization: 'FIGURE', reason: 'handshake' },
      { organization: 'FIGURE', reason: 'duplicate-host' },
      { organization: 'FIGURE', reason: 'webhook' },
    ]),
  )

  const person = await world.server.stores.identities.findByEmail(customer.email)
  const support = await anOperator(world, 'support')
  const tab = await viewPerson(world, support, person?.id ?? '')
  const browser = world.browser()
  await browser.signIn(customer)
  for (let request = 0; request < 10; request++) {
    await refusal(tab.call(endSessions, { body: { which: 'all' } }))
    const headers = walletHeaders(browser, 'stolen.wallet.token')
    await refusal(browser.call(readWalletNonce, { headers }))
    await browser.fetch('/auth/lockout?token=stolen-token', {
      method: 'POST',
      headers: { origin: world.origin },
    })
  }
  await expect.poll(() => events('viewing-refused')).toHaveLength(1)
  const [viewing] = await world.query(
    "select identity_id, operator_id from audit_events where kind = 'viewing-refused'",
  )
  expect(viewing).toEqual({ identity_id: person?.id, operator_id: support.identityId })
  await expect.poll(() => events('call-refused')).toHaveLength(2)
  expect(await events('call-refused')).toEqual(
    expect.arrayContaining([
      { organization: 'FIGURE', call: 'readWalletNonce', reason: 'wallet-token-refused' },
      { organization: 'FIGURE', call: '/auth/lockout', reason: 'lockout-link' },
    ]),
  )

  const all = JSON.stringify(await world.query('select * from audit_events'))
  for (const secret of [expired, 'guessed', 'wrong-secret', 'stolen', '169.254']) {
    expect(all).not.toContain(secret)
  }
})

/** Sends a WebSocket handshake with more headers, and waits until the server closes the connection. */
async function upgrade(url: string, path: string, headers: readonly string[]): Promise<void> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket.resume(), 'close')
}
