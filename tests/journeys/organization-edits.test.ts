/** Organizations that operators edit over their files (15). */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as admin from '@portico/contracts/admin/organizations'
import type { PageData } from '@portico/contracts/page-data'
import { expect, test } from 'vitest'
import { anOperator, type TestOperator } from '../support/operator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, refusal } from '../support/world.ts'

type World = Awaited<ReturnType<typeof aWorld>>

const CODE = 'HARBORLINE'
const REASON = 'The lender has a new color.'

const page = async (url: string, orgCode = CODE): Promise<{ html: string; data: PageData }> => {
  const html = await (await fetch(`${url}/auth/login?orgCode=${orgCode}`)).text()
  const [, json = ''] = /id="page-data"[^>]*>([^<]*)</.exec(html) ?? []
  return { html, data: JSON.parse(json) as PageData }
}

const nameOn = async (url: string, orgCode = CODE) =>
  (await page(url, orgCode)).data.organization.orgMetaData.companyInfo.name

async function read({ browser }: TestOperator, orgCode = CODE) {
  return browser.call(admin.readOrganization, { query: { orgCode } })
}

type Change = (content: Record<string, unknown>) => Record<string, unknown>

interface More {
  readonly styleSheet?: string
  readonly orgCode?: string
}

/** Saves the published content with changes, over the draft if there is one. */
async function save(operator: TestOperator, change: Change, more: More = {}) {
  return saveOver(await read(operator, more.orgCode), operator, change, more)
}

/** Saves over what the operator has read, which may be out of date by now. */
async function saveOver(
  { published, draft }: Awaited<ReturnType<typeof read>>,
  operator: TestOperator,
  change: Change,
  { orgCode = CODE, ...rest }: More = {},
) {
  return operator.browser.call(admin.saveOrganizationDraft, {
    body: {
      orgCode,
      content: change(published.content),
      revision: draft?.revision ?? 0,
      baseVersion: published.version,
      ...rest,
    },
  })
}

const named = (name: string) => (content: Record<string, unknown>) => ({
  ...content,
  companyInfo: { ...(content['companyInfo'] as object), name },
})

async function publish(operator: TestOperator, orgCode = CODE) {
  await operator.stepUp()
  return publishConfirmed(operator, orgCode)
}

async function publishConfirmed(operator: TestOperator, orgCode = CODE) {
  const { draft } = await read(operator, orgCode)
  return operator.browser.call(admin.publishOrganization, {
    body: { orgCode, revision: draft?.revision ?? 0, reason: REASON },
  })
}

/** How long it may take until every node shows it. */
async function untilShown(world: World, name: string): Promise<number> {
  const begin = performance.now()
  for (;;) {
    const names = await Promise.all(world.nodes.map(({ url }) => nameOn(url)))
    if (names.every((each) => each === name)) return performance.now() - begin
    if (performance.now() - begin > 20_000) throw new Error(`Shown: ${names.join(', ')}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('15 a draft is saved, reviewed, published on every node within 5 seconds, and undone', {
  tags: ['database'],
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const brand = await anOperator(world, `brand ${CODE}`)
  const before = await nameOn(world.url)
  const picture = await brand.browser.call(admin.uploadOrganizationPicture, {
    query: { orgCode: CODE, type: 'svg' },
    body: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z" fill="#fff"/><path d="M0 0h9" stroke="#000"/></svg>',
    ),
  })
  if (picture.outcome !== 'stored') throw new Error(picture.errors.join())
  const saved = await save(
    brand,
    (content) => ({
      ...named('Harborline Two')(content),
      brandColor: '#7a1f4d',
      companyInfo: {
        ...(content['companyInfo'] as object),
        name: 'Harborline Two',
        logoPath: picture.path,
        darkLogoPath: null,
      },
    }),
    { styleSheet: 'h1 { letter-spacing: 1px }' },
  )
  expect(saved).toMatchObject({ outcome: 'saved', errors: [] })
  if (saved.outcome !== 'saved') return
  const { revision } = saved.draft
  expect(saved.draft.differences.map(({ field }) => field)).toContain('brandColor')
  expect(await nameOn(world.url)).toBe(before)
  const { draft } = await brand.browser.call(admin.submitOrganizationDraft, {
    body: { orgCode: CODE, revision, note: 'Please look at the logo.' },
  })
  expect(draft).toMatchObject({
    state: 'review',
    revision: revision + 1,
    submittedBy: brand.who.email,
  })

  expect(await publish(brand)).toEqual({ outcome: 'published', version: 1 })
  expect(await untilShown(world, 'Harborline Two')).toBeLessThan(5000)
  for (const { url } of world.nodes) {
    const { html, data } = await page(url)
    expect(data.organization.orgMetaData.companyInfo.logoPath).toBe(picture.path)
    expect(html).toContain('#7a1f4d')
    const [, sheet = ''] = /href="(\/brand\/styles\/[^"]+)"/.exec(html) ?? []
    expect(await (await fetch(`${url}${sheet}`)).text()).toContain('letter-spacing:1px')
    expect((await fetch(`${url}${picture.path}`)).headers.get('content-type')).toBe('image/svg+xml')
  }

  const { items } = await brand.browser.call(admin.readOrganizationHistory, {
    query: { orgCode: CODE },
  })
  expect(items).toMatchObject([{ version: 1, reason: REASON, publishedBy: brand.who.email }])
  expect(items[0]?.differences).toContainEqual({
    field: 'companyInfo.name',
    before,
    after: 'Harborline Two',
  })
  const undone = await brand.browser.call(admin.undoOrganization, {
    body: { orgCode: CODE, version: 0, current: 1, reason: 'It was a mistake.' },
  })
  expect(undone).toEqual({ outcome: 'published', version: 2 })
  expect(await untilShown(world, before)).toBeLessThan(5000)
  const audit = await world.query(
    "select kind, operator_id from audit_events where kind like 'organization-%' order by created_at",
  )
  expect(audit.map((row) => row['kind'])).toEqual([
    'organization-submitted',
    'organization-published',
    'organization-undone',
  ])
  expect(audit.every((row) => row['operator_id'] === brand.identityId)).toBe(true)
})

test('15 when two operators edit the same organization, the second gets both versions', {
  tags: ['database'],
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const [one, other] = [await anOperator(world, 'brand'), await anOperator(world, 'brand')]
  // Both have read before either saves: that is the conflict.
  const seen = await read(one)
  const answers = await Promise.all([
    saveOver(seen, one, named('First')),
    saveOver(seen, other, named('Second')),
  ])
  expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['conflict', 'saved'])
  const winner = answers[0].outcome === 'saved' ? 'First' : 'Second'
  const loser = winner === 'First' ? 'Second' : 'First'
  expect(answers.find(({ outcome }) => outcome === 'conflict')).toMatchObject({
    theirs: { content: { companyInfo: { name: winner } } },
    yours: { companyInfo: { name: loser } },
    differences: [{ field: 'companyInfo.name', before: winner, after: loser }],
  })

  // Both publish at once: one of them does.
  for (const { stepUp } of [one, other]) await stepUp()
  const revision = (await read(one)).draft?.revision ?? 0
  const body = { orgCode: CODE, revision, reason: REASON }
  const published = await Promise.all(
    [one, other].map(({ browser }) =>
      browser.call(admin.publishOrganization, { body }).catch((error: unknown) => error),
    ),
  )
  expect(
    published.filter((each) => (each as { outcome?: string }).outcome === 'published'),
  ).toHaveLength(1)
  // What is based on an earlier publication is refused.
  const { published: shown } = await read(one)
  expect(shown.version).toBe(1)
  expect(
    await other.browser.call(admin.saveOrganizationDraft, {
      body: { orgCode: CODE, content: named('Third')(shown.content), revision: 0, baseVersion: 0 },
    }),
  ).toMatchObject({ outcome: 'conflict', theirs: null, publishedVersion: 1 })

  // A draft that was saved before another version was published is compared with that version.
  await save(one, named('Third'))
  const undo = { orgCode: CODE, version: 0, current: 1, reason: REASON }
  await one.browser.call(admin.undoOrganization, { body: undo })
  expect(await publishConfirmed(one)).toMatchObject({
    outcome: 'conflict',
    publishedVersion: 2,
    differences: [{ field: 'companyInfo.name', before: expect.any(String), after: 'Third' }],
  })
  await save(one, named('Third'))

  // Concurrent publications of different organizations are both complete.
  await Promise.all([
    save(one, named('Left')),
    save(other, named('Right'), { orgCode: 'AMBERFIELD' }),
  ])
  const both = await Promise.all([publishConfirmed(one), publishConfirmed(other, 'AMBERFIELD')])
  expect(both.map(({ outcome }) => outcome)).toEqual(['published', 'published'])
})

test('15 a publication that fails halfway is not visible on any node', {
  tags: ['database'],
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const brand = await anOperator(world, 'brand')
  const before = await nameOn(world.url)
  await save(brand, named('Half'))
  const { stores } = world.server
  const { atomically } = stores
  // The last statement of the transaction fails.
  const record = () => Promise.reject(new Error('The node was killed'))
  const failing: typeof atomically = (work) =>
    atomically((transaction) => work({ ...transaction, audit: { ...transaction.audit, record } }))
  await brand.stepUp()
  Object.assign(stores, { atomically: failing })
  await expect(publishConfirmed(brand)).rejects.toThrow('Something went wrong')
  Object.assign(stores, { atomically })
  const state = await world.query(
    "select (select count(*) from brand_versions) as versions, (select count(*) from brand_drafts) as drafts, version from published_data where name = 'organizations'",
  )
  expect(state.map((row) => [row['versions'], row['drafts'], row['version']].map(Number))).toEqual([
    [0, 1, 0],
  ])
  for (const { url } of world.nodes) expect(await nameOn(url)).toBe(before)
  expect(await publish(brand)).toEqual({ outcome: 'published', version: 1 })
  await untilShown(world, 'Half')
})

test('15 hostile or invalid content is refused with an error per field, and nothing is published', async () => {
  await using world = await aWorld().withSettings({
    PUBLIC_URL: 'http://login.portico.example',
  })
  const brand = await anOperator(world, 'brand')
  const { published } = await read(brand)
  const check = (content: object, styleSheet?: string) =>
    brand.browser.call(admin.validateOrganization, {
      body: {
        orgCode: CODE,
        content: { ...published.content, ...content },
        ...(styleSheet === undefined ? {} : { styleSheet }),
      },
    })
  const company = published.content['companyInfo'] as object
  const { errors } = await check(
    {
      brandColor: 'red',
      hosts: ['login.portico.example'],
      color: 'blue',
      behaviors: { loginMovedTo: '//evil.example' },
      companyInfo: {
        ...company,
        name: 'Harbor\u202eline',
        termsUrl: 'javascript:alert(1)',
        logoPath: '/brand/../../secret.svg',
      },
    },
    'h1 { background: url(https://evil.example) }\nbody { position: fixed }',
  )
  expect(errors.every(({ orgCode }) => orgCode === null)).toBe(true)
  expect(new Set(errors.map(({ field }) => field))).toEqual(
    new Set([
      'brandColor',
      'hosts.0',
      'color',
      'behaviors.loginMovedTo',
      'companyInfo.name',
      'companyInfo.termsUrl',
      'companyInfo.logoPath',
      'styleSheetPath',
    ]),
  )
  expect(errors.filter(({ field }) => field === 'styleSheetPath')).toHaveLength(3)
  // Text with markup is text.
  expect(
    (await check({ companyInfo: { ...company, name: '<script>alert(1)</script>' } })).errors,
  ).toEqual([])
  // A host of another organization, and a color that hides the logo of a lender that inherits it.
  expect((await check({ hosts: ['login.amberfield.example'] })).errors).toMatchObject([
    { field: 'hosts', message: expect.stringContaining('already used by') },
  ])
  expect((await check({ orgCode: 'FIGURE' })).errors).toContainEqual({
    orgCode: null,
    field: 'orgCode',
    message: `must be ${CODE}; it cannot be changed`,
  })

  const upload = (type: 'svg' | 'png', text: string) =>
    brand.browser.call(admin.uploadOrganizationPicture, {
      query: { orgCode: CODE, type },
      body: Buffer.from(text),
    })
  expect(
    await upload('svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  ).toMatchObject({
    outcome: 'invalid',
    errors: [expect.stringContaining('<script>'), 'draws nothing'],
  })
  expect(await upload('png', 'no picture')).toMatchObject({ outcome: 'invalid' })

  // An invalid draft can be saved, but not published.
  const saved = await save(brand, (content) => ({ ...content, brandColor: 'red' }))
  expect(saved).toMatchObject({ outcome: 'saved', errors: [{ field: 'brandColor' }] })
  expect(await publish(brand)).toMatchObject({
    outcome: 'invalid',
    errors: [{ field: 'brandColor' }],
  })
})

test('15 locked fields keep the value of the file', async () => {
  await using world = await aWorld().withSettings({
    ORGANIZATIONS_LOCKED: `FIGURE,hosts,${CODE}.companyInfo.name`,
  })
  const brand = await anOperator(world, 'brand')
  expect((await read(brand)).lockedFields).toEqual(['hosts', 'companyInfo.name'])
  expect(await save(brand, named('Other'))).toMatchObject({
    outcome: 'invalid',
    errors: [
      { field: 'companyInfo.name', message: expect.stringContaining('ORGANIZATIONS_LOCKED') },
    ],
  })
  expect(await save(brand, (content) => ({ ...content, hosts: [] }))).toMatchObject({
    errors: [{ field: 'hosts' }],
  })
  expect(
    await save(brand, (content) => ({ ...content, brandColor: '#000000' }), { orgCode: 'FIGURE' }),
  ).toMatchObject({ outcome: 'invalid', errors: [{ field: '' }] })
  expect((await read(brand)).draft).toBeNull()
  expect(await save(brand, (content) => ({ ...content, brandColor: '#7a1f4d' }))).toMatchObject({
    outcome: 'saved',
  })
})

test('15 operators of one lender neither see nor change another, and publishing needs a step-up', async () => {
  await using world = await aWorld()
  const brand = await anOperator(world, `brand ${CODE}`)
  const { items } = await brand.browser.call(admin.listOrganizations, { query: {} })
  expect(items.map(({ orgCode }) => orgCode)).toEqual([CODE])
  const everyone = await anOperator(world, 'brand')
  const { version } = (await read(everyone, 'AMBERFIELD')).published
  for (const orgCode of ['AMBERFIELD', 'NOWHERE']) {
    const content = { orgCode }
    const calls = [
      () => brand.browser.call(admin.readOrganization, { query: { orgCode } }),
      () => brand.browser.call(admin.readOrganizationHistory, { query: { orgCode } }),
      () => brand.browser.call(admin.exportOrganization, { query: { orgCode } }),
      () => brand.browser.call(admin.validateOrganization, { body: { orgCode, content } }),
      () => brand.browser.call(admin.previewOrganization, { body: { orgCode, content } }),
      () =>
        brand.browser.call(admin.saveOrganizationDraft, {
          body: { orgCode, content, revision: 0, baseVersion: version },
        }),
      () =>
        brand.browser.call(admin.publishOrganization, {
          body: { orgCode, revision: 1, reason: REASON },
        }),
      () =>
        brand.browser.call(admin.undoOrganization, {
          body: { orgCode, version: 0, current: 1, reason: REASON },
        }),
      () =>
        brand.browser.call(admin.uploadOrganizationPicture, {
          query: { orgCode, type: 'svg' },
          body: Buffer.from('<svg/>'),
        }),
    ]
    for (const call of calls) expect(await refusal(call())).toMatchObject({ code: 'not-found' })
  }
  const all: string[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const answer = await everyone.browser.call(admin.listOrganizations, {
      query: after === undefined ? {} : { after },
    })
    all.push(...answer.items.map(({ orgCode }) => orgCode))
    after = answer.next
  }
  expect(all.length).toBeGreaterThanOrEqual(60)
  expect(new Set(all).size).toBe(all.length)

  await save(brand, named('Late'))
  world.clock.pass(6 * 60_000)
  const late = brand.browser.call(admin.publishOrganization, {
    body: { orgCode: CODE, revision: 1, reason: REASON },
  })
  expect(await refusal(late)).toMatchObject({ code: 'confirmation-needed' })
})

test('15 an edit that has become invalid does not stop the start, and can be undone', {
  tags: ['database'],
}, async () => {
  await using world = await aWorld().withLog('info')
  const brand = await anOperator(world, 'brand')
  const before = await nameOn(world.url)
  await save(brand, named('Doomed'))
  await publish(brand)
  await save(brand, named('Healthy'), { orgCode: 'AMBERFIELD' })
  await publish(brand, 'AMBERFIELD')
  // A later version of the rules or the files rejects the stored edit.
  await world.server.stores.atomically(async ({ brandEdits, publishedData }) => {
    const published = await brandEdits.findVersion(CODE, 1)
    if (published === undefined) throw new Error('Nothing was published')
    const changes = JSON.stringify({ set: { brandColor: 'red' }, removed: [] })
    await brandEdits.insertVersion({ ...published, version: 2, changes })
    await publishedData.advance('organizations', 2)
  })
  const manage = (...words: string[]) => world.server.manageOrganizations(JSON.stringify(words))
  await untilShown(world, before)
  expect(await nameOn(world.url, 'AMBERFIELD')).toBe('Healthy')
  expect(world.log.some((line) => line.includes('is not valid: its file applies'))).toBe(true)
  expect((await read(brand)).problems).toEqual([
    { orgCode: null, field: 'brandColor', message: 'must be a color written as #rrggbb' },
  ])
  expect(await manage('history', CODE)).toContain('brandColor must be a color')
  expect(await manage('undo', CODE)).toContain('shows version 1 again')
  expect((await read(brand)).problems).toEqual([])
  expect(await nameOn(world.url)).toBe('Doomed')
})

interface FoundError {
  readonly field: string
  readonly message: string
}

/** The DNS record that an error asks for. */
function recordIn(errors: readonly FoundError[], field: string) {
  const message = errors.find((error) => error.field === field)?.message ?? ''
  const [, name = '', value = ''] =
    /the DNS record (\S+) of type TXT with the value (\S+)/.exec(message) ?? []
  return { name, value }
}

/** Adds a record to the demonstration's DNS. */
async function addRecord(world: World, record: { name: string; value: string }) {
  const response = await world.browser().fetch('/dev/sso-setup/record', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(record).toString(),
  })
  expect(response.status).toBe(303)
}

test('15 an operator of one lender changes neither its hosts, its mail sender, its base nor its company to that of another', async () => {
  await using world = await aWorld()
  const [ofOne, ofAll] = [
    await anOperator(world, `brand ${CODE}`),
    await anOperator(world, 'brand'),
  ]
  const mailFrom = { name: 'Other Lender', address: 'no-reply@other.example' }
  const changes = [
    ['hosts', { hosts: ['login.quincefield.example'] }],
    ['mailFrom.address', { mailFrom }],
    ['extends', { extends: 'AMBERFIELD' }],
    ['canonicalOrgCode', { canonicalOrgCode: 'AMBERFIELD' }],
  ] as const
  for (const [field, change] of changes) {
    const refused = await save(ofOne, (content) => ({ ...content, ...change }))
    expect(refused).toMatchObject({ outcome: 'invalid', errors: [{ field }] })
  }
  // Nor by publishing the draft of an operator with permission.
  const saved = await save(ofAll, (content) => ({ ...content, mailFrom }))
  if (saved.outcome !== 'saved') throw new Error('The draft was not saved')
  await addRecord(world, recordIn(saved.errors, 'mailFrom.address'))
  expect(await publish(ofOne)).toMatchObject({ outcome: 'invalid' })
  expect(await publish(ofAll)).toMatchObject({ outcome: 'published' })
  // A published sender stays when something else is edited.
  expect(await save(ofOne, named('Harborline Home'))).toMatchObject({ outcome: 'saved' })
  expect(await publish(ofOne)).toMatchObject({ outcome: 'published' })
})

test('15 a new host or mail domain is published only after a DNS record proves it for this organization', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const brand = await anOperator(world, 'brand')
  const host = 'login.quincefield.example'
  const domain = 'mail.quincefield.example'
  const change = {
    hosts: [host, 'amber.localhost'],
    mailFrom: { address: `no-reply@${domain}` },
  }
  const saved = await save(brand, (content) => ({ ...content, ...change }))
  if (saved.outcome !== 'saved') throw new Error('The draft was not saved')
  const records = {
    host: recordIn(saved.errors, 'hosts.0'),
    mail: recordIn(saved.errors, 'mailFrom.address'),
  }
  expect(records).toEqual({
    host: {
      name: `_portico-verification.${host}`,
      value: expect.stringMatching(/^portico-verification=[\w-]{43}$/),
    },
    mail: { name: `_portico-verification.${domain}`, value: expect.any(String) },
  })
  expect(records.host.value).not.toBe(records.mail.value)
  const fieldsOf = (answer: object) =>
    'errors' in answer ? (answer.errors as FoundError[]).map(({ field }) => field) : []
  const both = ['hosts.0', 'mailFrom.address']
  expect(fieldsOf(await publish(brand))).toEqual(both)

  // The record of another organization, host or purpose proves nothing.
  const { published: other } = await read(brand, 'CEDAR_POINT')
  const { errors } = await brand.browser.call(admin.validateOrganization, {
    body: { orgCode: 'CEDAR_POINT', content: { ...other.content, ...change } },
  })
  for (const value of [
    recordIn(errors, 'hosts.0').value,
    records.mail.value,
    'portico-verification=',
    `${records.host.value}x`,
  ]) {
    await addRecord(world, { name: records.host.name, value })
    expect(fieldsOf(await publish(brand)), value).toEqual(both)
  }
  expect((await read(brand)).published.version).toBe(0)

  await addRecord(world, records.host)
  expect(fieldsOf(await publish(brand))).toEqual(['mailFrom.address'])
  await addRecord(world, records.mail)
  expect(await publish(brand)).toMatchObject({ outcome: 'published', version: 1 })

  // A published name stays without its record, but is not taken back without it.
  await addRecord(world, { name: records.host.name, value: 'removed' })
  await save(brand, named('Harborline Home'))
  expect(await publish(brand)).toMatchObject({ outcome: 'published', version: 2 })
  await save(brand, (content) => ({ ...content, hosts: [] }))
  expect(await publish(brand)).toMatchObject({ outcome: 'published', version: 3 })
  await brand.stepUp()
  const undo = { orgCode: CODE, version: 2, current: 3, reason: REASON }
  expect(fieldsOf(await brand.browser.call(admin.undoOrganization, { body: undo }))).toEqual([
    'hosts.0',
  ])
  // The command line can write the files, so it needs no proof.
  const manage = (...words: string[]) => world.server.manageOrganizations(JSON.stringify(words))
  expect(await manage('undo', CODE, '2')).toContain('shows version 2 again')
})

test('15 an operator of one lender takes back no host, also with the file', async () => {
  await using world = await aWorld()
  const [ofOne, ofAll] = [
    await anOperator(world, 'brand AMBERFIELD'),
    await anOperator(world, 'brand'),
  ]
  await save(ofAll, (content) => ({ ...content, hosts: [] }), { orgCode: 'AMBERFIELD' })
  expect(await publish(ofAll, 'AMBERFIELD')).toMatchObject({ outcome: 'published' })
  await ofOne.stepUp()
  const body = { orgCode: 'AMBERFIELD', version: 0, current: 1, reason: REASON }
  expect(await ofOne.browser.call(admin.undoOrganization, { body })).toMatchObject({
    outcome: 'invalid',
    errors: [{ field: 'hosts' }],
  })
  await ofAll.stepUp()
  expect(await ofAll.browser.call(admin.undoOrganization, { body })).toMatchObject({
    outcome: 'published',
  })
})

test('15 a new organization is created, exported as files and imported again', async () => {
  await using world = await aWorld()
  const brand = await anOperator(world, 'brand')
  const orgCode = `QUINCE_${randomBytes(3).toString('hex').toUpperCase()}`
  const content = {
    orgCode,
    orgBrand: orgCode.toLowerCase(),
    brandColor: '#8a1c5f',
    companyInfo: { name: 'Quincefield' },
  }
  const created = await brand.browser.call(admin.saveOrganizationDraft, {
    body: { orgCode, content, styleSheet: 'h1 { font-weight: 700 }', revision: 0, baseVersion: 0 },
  })
  expect(created).toMatchObject({ outcome: 'saved', errors: [] })
  expect(await publish(brand, orgCode)).toMatchObject({ outcome: 'published' })
  expect(await nameOn(world.url, orgCode)).toBe('Quincefield')

  const folder = temporaryFolder()
  await world.server.manageOrganizations(JSON.stringify(['export', orgCode, folder.path]))
  const { files } = await brand.browser.call(admin.exportOrganization, { query: { orgCode } })
  expect(new Set(files.map(({ path }) => path.split('/')[0]))).toEqual(
    new Set(['organizations', 'styles']),
  )
  for (const { path, content: bytes } of files) {
    expect(readFileSync(join(folder.path, path)).toString('base64')).toBe(bytes)
  }
  // The exported folder is a valid configuration together with the shipped one.
  const undo = await brand.browser.call(admin.undoOrganization, {
    body: { orgCode, version: 0, current: 1, reason: 'Not yet.' },
  })
  expect(undo).toMatchObject({ outcome: 'published' })
  expect(await nameOn(world.url, orgCode)).not.toBe('Quincefield')
  const { items } = await brand.browser.call(admin.importOrganizations, { body: { files } })
  expect(items).toMatchObject([{ orgCode, isSaved: true, errors: [] }])
  expect(await publish(brand, orgCode)).toMatchObject({ outcome: 'published' })
  expect(await nameOn(world.url, orgCode)).toBe('Quincefield')
  folder.remove()

  // As an editor on Windows writes it, and in another encoding.
  const other = JSON.stringify({
    ...content,
    orgCode: `${orgCode}_CAFE`,
    orgBrand: 'cafe',
    companyInfo: { name: 'Café' },
  })
  const odd = [Buffer.from(`\ufeff${other}`), Buffer.from(other, 'latin1')].map((bytes, index) => ({
    path: `organizations/${index}.json`,
    content: bytes.toString('base64'),
  }))
  const { items: read } = await brand.browser.call(admin.importOrganizations, {
    body: { files: odd },
  })
  expect(read).toMatchObject([
    { orgCode: `${orgCode}_CAFE`, isSaved: true, errors: [] },
    { orgCode: null, isSaved: false, errors: [{ message: 'is not a JSON object in UTF-8' }] },
  ])
})

test('15 a preview shows an unsaved brand and mail and stores nothing', async () => {
  await using world = await aWorld()
  const brand = await anOperator(world, 'brand')
  const { published } = await read(brand)
  const preview = (brandColor: string) =>
    brand.browser.call(admin.previewOrganization, {
      body: {
        orgCode: CODE,
        content: { ...published.content, brandColor },
        styleSheet: 'h1 { letter-spacing: 2px }',
        mail: 'passcodeMail',
        scheme: 'dark',
      },
    })
  const first = await preview('#7a1f4d')
  expect(first.brand?.css).toContain('letter-spacing:2px')
  expect(first.mail?.html).toContain('@media all')
  expect(first.errors).toEqual([])
  expect((await read(brand)).draft).toBeNull()
})
