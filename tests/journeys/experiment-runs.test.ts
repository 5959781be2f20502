import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  endExperiment,
  listExperiments,
  readExperimentResult,
  startExperiment,
} from '@portico/contracts/admin/experiments'
import { decideExternally, recordExposure } from '@portico/contracts/experiments'
import { login, redeemToken, register, sendToken, setPassword } from '@portico/contracts/identity'
import { PageData } from '@portico/contracts/page-data'
import { beginTelemetrySession, sendTelemetryEvent } from '@portico/contracts/telemetry'
import { EVENT_ID_HEADER } from '@portico/contracts/telemetry-wire'
import { MIN_VISITORS } from '@portico/rules/experiment-statistics'
import { sealAudit } from '@portico/server/audit-chain'
import { countInsight } from '@portico/server/count-insight'
import { openVault } from '@portico/server/vault'
import { expect, test } from 'vitest'
import { anOperator, done } from '../support/operator.ts'
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const NODES = ON_POSTGRES ? 2 : 1
const KEY = 'broker-agent-login'
const SPLIT = { percent: 50, outcome: 'registration' } as const

const HTML = { accept: 'text/html' }
const SESSION = {
  platform: 'WEB',
  libVersion: '2.2.24',
  referrer: '',
  queryParams: {},
  screenWidth: 1440,
  screenHeight: 900,
  windowWidth: 1200,
  windowHeight: 800,
  appVersion: '0.1.0',
} as const

const code = async (call: Promise<unknown>) => (await refusal(call)).code

test('7.8 one of several runs started at once begins; every node applies it; its split never changes, and its outcome applies afterwards', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(NODES)
  const brand = await anOperator(world, 'brand')
  const { browser } = brand
  const start = () =>
    browser.call(startExperiment, { body: { key: KEY, split: SPLIT, reason: 'To compare.' } })
  expect(await outcomes(Array.from({ length: 5 }, start))).toEqual({
    answered: 1,
    'experiment-running': 4,
  })
  const { items } = await browser.call(listExperiments, {})
  const run = items.find(({ key }) => key === KEY)?.runs[0]
  if (run === undefined) throw new Error('There is no run')
  expect(run).toMatchObject({ state: 'running', split: SPLIT, reason: 'To compare.' })

  const trackers = Array.from(
    { length: 40 },
    (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  )
  const decisions = async (node: number) => {
    const visitor = world.browser({ node: () => world.nodes[node % NODES] })
    return Promise.all(
      trackers.map(async (trackerId) => {
        const body = { experimentKey: KEY, optimizeUser: { trackerId } }
        return (await visitor.call(decideExternally, { body })).flagEnabled
      }),
    )
  }
  const first = await decisions(0)
  expect(new Set(first).size).toBe(2)
  await expect.poll(() => decisions(1), { timeout: 5000, interval: 500 }).toEqual(first)

  const end = (afterwards: 'everyone' | 'no-one') =>
    browser.call(endExperiment, { body: { runId: run.runId, afterwards, reason: 'Enough.' } })
  expect(await outcomes([end('no-one'), end('no-one'), end('no-one')])).toEqual({
    answered: 1,
    'experiment-ended': 2,
  })
  expect(new Set(await decisions(0))).toEqual(new Set([false]))
  await expect
    .poll(async () => (await decisions(1)).includes(true), { timeout: 5000, interval: 500 })
    .toBe(false)
  const audited = await world.query(
    "select kind, operator_id, organization_code from audit_events where kind like 'experiment-%' order by created_at",
  )
  const line = { operator_id: brand.identityId, organization_code: '*' }
  expect(audited).toEqual([
    { ...line, kind: 'experiment-started' },
    { ...line, kind: 'experiment-ended' },
  ])
})

test('7.8 the counts of a run lead to a verdict, and an operator of one organization sees only its visitors', async () => {
  await using world = await aWorld()
  const { stores } = world.server
  const clock = world.clock.now
  const { browser } = await anOperator(world, 'brand')
  const scoped = await anOperator(world, 'brand CEDAR_POINT')
  const { runId } = await done(
    browser.call(startExperiment, {
      body: { key: KEY, split: SPLIT, reason: 'To compare.' },
    }),
  )
  const add = async (variant: string, organizationCode: string, count: number, done: number) => {
    for (const [outcome, visitors] of [
      ['', count],
      ['registration', done],
    ] as const) {
      await stores.insightCounting.addVisitors({
        runId,
        variant,
        organizationCode,
        outcome,
        visitors,
      })
    }
  }
  const read = (who = browser) => who.call(readExperimentResult, { query: { runId } })
  expect((await read()).verdict).toEqual({ kind: 'not-enough-data', arm: null })
  await add('control', 'FIGURE', 3000, 900)
  await add('enabled', 'FIGURE', 3000, 910)
  expect((await read()).verdict.kind).toBe('no-difference-yet')
  await add('control', 'CEDAR_POINT', 2000, 600)
  await add('enabled', 'CEDAR_POINT', 2000, 900)
  const { verdict, arms } = await read()
  expect(verdict).toEqual({ kind: 'winner', arm: 'enabled' })
  expect(arms[1]?.effect?.from).toBeGreaterThan(0)
  expect((await read(scoped.browser)).arms.map(({ visitors }) => visitors)).toEqual([2000, 2000])
  // Only the operators of all its organizations end it.
  const end = { body: { runId, afterwards: 'everyone', reason: 'Mine.' } } as const
  expect(await code(scoped.browser.call(endExperiment, end))).toBe('not-found')
  await add('control', 'FIGURE', 1000, 300)
  expect((await read()).verdict.kind).toBe('split-broken')

  // A real visitor is counted once, and so is what they complete afterwards.
  const visitor = world.browser()
  await visitor.fetch('/auth/login', { headers: HTML })
  for (let time = 0; time < 2; time++) {
    await visitor.call(recordExposure, { body: { experimentKey: KEY } })
  }
  await setTimeout(1)
  const before = (await read()).arms.reduce((sum, { visitors }) => sum + visitors, 0)
  await countInsight({ stores, clock })
  const after = (await read()).arms.reduce((sum, { visitors }) => sum + visitors, 0)
  expect([0, 1]).toContain(after - before)
  expect(after).toBe(11_001)
})

test('7.8 visitors who load the page and register lead to a verdict, without any other call', async () => {
  // Each visitor has its own network.
  await using world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' })
  const { browser } = await anOperator(world, 'brand')
  const { runId } = await done(
    browser.call(startExperiment, { body: { key: KEY, split: SPLIT, reason: 'To compare.' } }),
  )
  const read = () => browser.call(readExperimentResult, { query: { runId } })
  const arrived = { control: 0, enabled: 0 }
  const registered = { control: 0, enabled: 0 }
  for (let index = 0; Math.min(arrived.control, arrived.enabled) < MIN_VISITORS; index += 1) {
    const network = `198.18.${Math.floor(index / 250)}.${(index % 250) + 1}`
    const visitor = world.browser({ headers: { 'x-forwarded-for': network } })
    const html = await (await visitor.fetch('/auth/register', { headers: HTML })).text()
    const [, json = ''] = /id="page-data"[^>]*>([^<]*)</.exec(html) ?? []
    const variant = PageData.parse(JSON.parse(json)).decisions[KEY] ? 'enabled' : 'control'
    await visitor.call(recordExposure, { body: { experimentKey: KEY } })
    const begun = await visitor.call(beginTelemetrySession.external, { body: SESSION })
    const event = (context: 'external' | 'internal', name: string) =>
      visitor.call(sendTelemetryEvent[context], {
        body: {
          domain: 'localhost',
          queryParams: {},
          pagePath: '/auth/register',
          event: name,
          eventType: 'ACTION',
          sessionKey: begun.sessionKey,
        },
        headers: { [EVENT_ID_HEADER]: randomUUID() },
      })
    await event('external', 'page_view')
    // Every fifth of one variant, and four of five of the other.
    if (arrived[variant] % 5 < 1 === (variant === 'control')) {
      const { email, password } = newPerson('visitor')
      await visitor.call(register, { body: { email } })
      const { uuid: loginUuid } = await visitor.call(sendToken, {
        body: { email, telemetryTrackingId: begun.sessionKey.uuid },
      })
      const token = await world.passcode(email)
      const { jwt = '' } = await visitor.call(redeemToken, { body: { loginUuid, token } })
      visitor.jwt.write(jwt)
      await visitor.call(setPassword, { body: { newPassword: password } })
      await event('internal', 'register')
      registered[variant] += 1
    }
    arrived[variant] += 1
  }
  // Counted by the server, every few seconds.
  await expect
    .poll(async () => (await read()).verdict, { timeout: 60_000, interval: 500 })
    .toEqual({ kind: 'winner', arm: 'enabled' })
  await expect
    .poll(async () => (await read()).arms.map(({ name, visitors }) => [name, visitors]), {
      timeout: 60_000,
      interval: 500,
    })
    .toEqual(Object.entries(arrived))
  for (const { name, outcomes: counted } of (await read()).arms) {
    expect(counted).toBeLessThanOrEqual(registered[name as keyof typeof registered])
  }
})

test('7.8 one client with one account and invented trackers adds one outcome and few visitors to a run, and is flagged', {
  tags: 'database',
}, async () => {
  const person = newPerson('single')
  await using world = await aWorld().withCustomer(person)
  const { stores } = world.server
  const { browser } = await anOperator(world, 'brand')
  const split = { percent: 100, outcome: 'sign-in' } as const
  const { runId } = await done(
    browser.call(startExperiment, { body: { key: KEY, split, reason: 'To compare.' } }),
  )
  for (let tracker = 0; tracker < 25; tracker++) {
    const client = world.browser()
    await client.fetch('/auth/login', { headers: HTML })
    await client.call(recordExposure, { body: { experimentKey: KEY } })
    // Exposures again do not count again.
    await client.call(recordExposure, { body: { experimentKey: KEY } })
    const begun = await client.call(beginTelemetrySession.external, { body: SESSION })
    await client.call(sendTelemetryEvent.external, {
      body: {
        domain: 'localhost',
        queryParams: {},
        pagePath: '/auth/login',
        event: 'page_view',
        eventType: 'ACTION',
        sessionKey: begun.sessionKey,
      },
      headers: { [EVENT_ID_HEADER]: randomUUID() },
    })
    await client.call(login, {
      body: { ...person, telemetryTrackingId: begun.sessionKey.uuid },
    })
  }
  await sealAudit({ stores, vault: openVault(world.config), clock: world.clock.now })
  await countInsight({ stores, clock: world.clock.now })
  const { arms, leftOutExposures } = await browser.call(readExperimentResult, { query: { runId } })
  const enabled = arms.find(({ name }) => name === 'enabled')
  expect([enabled?.visitors, enabled?.outcomes, leftOutExposures]).toEqual([20, 1, 10])
})

test('7.8 a run can only cover its operator’s organizations', async () => {
  await using world = await aWorld()
  const { browser } = await anOperator(world, 'brand CEDAR_POINT')
  const start = (organizations?: readonly string[]) =>
    browser.call(startExperiment, {
      body: {
        key: KEY,
        split: { ...SPLIT, ...(organizations ? { organizations: [...organizations] } : {}) },
        reason: 'Mine.',
      },
    })
  expect(await code(start())).toBe('not-found')
  expect(await code(start(['CEDAR_POINT', 'FIGURE']))).toBe('not-found')
  expect(await code(start(['NO_SUCH_ORGANIZATION']))).toBe('not-found')
  const { state, runId } = await done(start(['CEDAR_POINT']))
  expect(state).toBe('running')
  const analyst = await anOperator(world, 'analyst FIGURE')
  const { items } = await analyst.browser.call(listExperiments, {})
  expect(items.flatMap(({ runs }) => runs)).toEqual([])
  const body = { key: 'broker-customer-login', split: SPLIT, reason: 'Mine.' } as const
  expect(await code(analyst.browser.call(startExperiment, { body }))).toBe('not-permitted')
  await done(
    browser.call(endExperiment, { body: { runId, afterwards: 'file', reason: 'Enough.' } }),
  )
  // The audit log of the run's organization has both, even if the operator's page belongs to another one.
  expect(
    await world.query(
      "select kind from audit_events where kind like 'experiment-%' and organization_code = 'CEDAR_POINT' order by created_at",
    ),
  ).toEqual([{ kind: 'experiment-started' }, { kind: 'experiment-ended' }])
})
