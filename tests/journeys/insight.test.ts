import { randomUUID } from 'node:crypto'
import { exportSeries, readFunnel, readSeries } from '@portico/contracts/admin/insight'
import { sealAudit } from '@portico/server/audit-chain'
import { countInsight } from '@portico/server/count-insight'
import { openVault } from '@portico/server/vault'
import { expect, test } from 'vitest'
import { anOperator } from '../support/operator.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, refusal } from '../support/world.ts'

const NODES = ON_POSTGRES ? 2 : 1
const DAY_MS = 24 * 60 * 60 * 1000
const PAGE = { network: '192.0.2.1', organization: { orgCode: 'FIGURE' } }

type World = Awaited<ReturnType<typeof aWorld>>
type Stores = World['server']['stores']

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

async function visit(
  stores: Stores,
  at: number,
  {
    organizationCode = 'FIGURE',
    identityId = null,
    windowWidth = 1440,
    pages = ['/auth/login'],
    problem,
    registers = false,
  }: {
    organizationCode?: string
    identityId?: string | null
    windowWidth?: number
    pages?: readonly string[]
    problem?: string
    registers?: boolean
  } = {},
) {
  const uuid = randomUUID()
  await stores.telemetry.insertSession({
    uuid,
    trackerUuid: randomUUID(),
    previousUuid: null,
    identityId,
    organizationCode,
    platform: 'WEB',
    libVersion: '2.2.24',
    appVersion: '0.1.0',
    referrer: '',
    queryParams: '{"label":"apollo"}',
    screenWidth: 1440,
    screenHeight: 900,
    windowWidth,
    windowHeight: 800,
    createdAt: at,
  })
  const event = (name: string, pagePath: string, properties: object = {}) =>
    stores.telemetry.insertEvent({
      id: randomUUID(),
      sessionUuid: uuid,
      identityId: null,
      organizationCode,
      event: name,
      eventType: 'ACTION',
      productType: null,
      applicationUuid: null,
      domain: 'localhost',
      pagePath,
      queryParams: '{}',
      eventProperties: JSON.stringify(properties),
      createdAt: at,
    })
  for (const page of pages) await event('page_view', page)
  const [page = ''] = pages
  if (problem !== undefined) await event('problem', page, { reason: problem })
  if (registers) await event('register', page)
}

test('7.8 every visit counts exactly once while several nodes count, however late it arrives', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(NODES)
  const clock = world.clock.now
  const analyst = await anOperator(world, 'analyst')
  const vault = openVault(world.config)
  const now = clock()
  const storesOf = (index: number) =>
    world.nodes[index % NODES]?.server.stores ?? world.server.stores
  const countAll = async (index: number) => {
    const stores = storesOf(index)
    await sealAudit({ stores, vault, clock })
    await countInsight({ stores, clock })
  }
  const read = async () => {
    const query = { from: dayOf(now - 9 * DAY_MS), to: dayOf(now + DAY_MS) }
    const { steps } = await analyst.browser.call(readFunnel, {
      query: { ...query, funnel: 'registration' },
    })
    const { series } = await analyst.browser.call(readSeries, {
      query: { ...query, metric: 'page-views' },
    })
    return { steps: steps.map(({ count }) => count), pageViews: series[0]?.total }
  }
  await countAll(0)
  const before = await read()
  await Promise.all(
    Array.from({ length: 120 }, async (_, index) => {
      const at = now - (index % 8) * DAY_MS
      const identityId = randomUUID()
      const isRegistered = index % 2 === 0
      await visit(storesOf(index), at, {
        identityId,
        pages: ['/auth/register', '/auth/register', '/auth/login'],
        registers: isRegistered && index % 4 === 0,
      })
      if (isRegistered) {
        await storesOf(index).audit.record('registered', { identityId, at: at + 1000 }, PAGE)
      }
      if (index % 10 === 0) await countAll(index)
    }),
  )
  await Promise.all([countAll(0), countAll(1)])
  const after = await read()
  expect(after.steps.map((count, step) => count - (before.steps[step] ?? 0))).toEqual([120, 60, 30])
  expect((after.pageViews ?? 0) - (before.pageViews ?? 0)).toBe(360)
  // What was counted does not count again.
  await countAll(0)
  expect(await read()).toEqual(after)
  const [{ hours, days } = {}] = await world.query(
    'select (select sum(count) from insight_hours) as hours, (select sum(count) from insight_days) as days',
  )
  expect(Number(hours)).toBe(Number(days))
})

test('7.8 an analyst sees counts of their organizations only, by device, with the errors and the previous period', async () => {
  await using world = await aWorld()
  const { stores } = world.server
  const clock = world.clock.now
  const [all, scoped] = [
    await anOperator(world, 'analyst'),
    await anOperator(world, 'analyst CEDAR_POINT'),
  ]
  // Of the day before: hours are deleted after some weeks.
  const noon = Math.floor(clock() / DAY_MS) * DAY_MS - DAY_MS / 2
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  await visit(stores, noon, { problem: 'wrong-credentials' })
  await visit(stores, noon, { windowWidth: 390, problem: 'jane-doe' })
  await visit(stores, noon, { organizationCode: 'CEDAR_POINT', windowWidth: 390 })
  await visit(stores, noon - DAY_MS, { organizationCode: 'CEDAR_POINT' })
  await countInsight({ stores, clock })
  const day = { from: dayOf(noon), to: dayOf(noon) }
  const signIn = { ...day, funnel: 'sign-in' } as const
  const funnel = await all.browser.call(readFunnel, { query: signIn })
  expect(funnel.steps).toEqual([
    { step: 'login-page', count: 3, before: 1 },
    { step: 'signed-in', count: 0, before: 0 },
  ])
  // A client can send any word: only known codes are shown.
  expect(funnel.reasons.map(({ reason, count }) => [reason, count])).toEqual([
    ['wrong-credentials', 1],
    ['other', 1],
  ])
  const byDevice = await all.browser.call(readSeries, {
    query: { ...day, metric: 'visits', by: 'device' },
  })
  expect(byDevice.resolution).toBe('hour')
  expect(byDevice.times).toHaveLength(24)
  expect(byDevice.series.map(({ name, total }) => [name, total])).toEqual([
    ['phone', 2],
    ['desktop', 1],
  ])
  expect(byDevice.series[0]?.counts[12]).toBe(2)

  expect((await scoped.browser.call(readFunnel, { query: signIn })).steps[0]?.count).toBe(1)
  const byOrganization = await scoped.browser.call(readSeries, {
    query: { ...day, metric: 'visits', by: 'organization' },
  })
  expect(byOrganization.series.map(({ name, totalBefore }) => [name, totalBefore])).toEqual([
    ['CEDAR_POINT', 1],
  ])
  for (const organizationCode of ['FIGURE', 'NO_SUCH_ORGANIZATION']) {
    const query = { ...signIn, organizationCode }
    expect(await refusal(scoped.browser.call(readFunnel, { query }))).toMatchObject({
      status: 404,
      code: 'not-found',
    })
  }
  const backwards = { ...signIn, from: dayOf(noon + DAY_MS) }
  expect((await refusal(all.browser.call(readFunnel, { query: backwards }))).code).toBe(
    'invalid-request',
  )
  const support = await anOperator(world, 'support')
  expect((await refusal(support.browser.call(readFunnel, { query: signIn }))).code).toBe(
    'not-permitted',
  )

  const query = new URLSearchParams({ ...day, metric: 'visits' })
  const file = await all.browser.fetch(`${exportSeries.path}?${query}`, {
    headers: { authorization: all.browser.jwt.read() ?? '' },
  })
  expect(file.status).toBe(200)
  expect(file.headers.get('content-disposition')).toContain('attachment')
  expect(await file.text()).toContain(`${new Date(noon).toISOString()},,3,1\r\n`)
})
