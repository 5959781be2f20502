import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXPERIMENT_KEYS, EXPOSURE_PATH } from '@portico/contracts/experiment-keys'
import { decideExternally, decideInternally, recordExposure } from '@portico/contracts/experiments'
import { PAGE_DATA_ELEMENT, PageData } from '@portico/contracts/page-data'
import { ConfigError } from '@portico/server/config-error'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { outcomes } from '../support/race.ts'
import { type Folder, temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const KEY = 'broker-agent-login'
const OTHER_KEY = 'broker-customer-login'
const SHIPPED = fileURLToPath(new URL('../../config/', import.meta.url))
const TRACKER = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
const NOTHING = Object.fromEntries(EXPERIMENT_KEYS.map((key) => [key, false]))
const COUNT = 'select variant, count(*) as count from experiment_exposures group by variant'

/** The embedded database allows one process. */
const NODES = ON_POSTGRES ? 2 : 1

type World = Awaited<ReturnType<typeof aWorld>>

/** The shipped configuration with one changed experiment, and one that is off. */
function configured(experiment: object): Folder {
  const folder = temporaryFolder()
  cpSync(SHIPPED, folder.path, { recursive: true })
  const content = {
    key: KEY,
    description: 'Changed in a test.',
    on: true,
    percent: 50,
    ...experiment,
  }
  const off = { ...content, key: OTHER_KEY, on: false }
  for (const each of [content, off]) {
    writeFileSync(join(folder.path, 'experiments', `${each.key}.json`), JSON.stringify(each))
  }
  return folder
}

const withConfig = (folder: Folder) => aWorld().withSettings({ CONFIG_DIR: folder.path })

async function decisions(browser: Browser, path = '/auth/login'): Promise<PageData['decisions']> {
  const html = await (await browser.fetch(path, { headers: { accept: 'text/html' } })).text()
  const element = new RegExp(`id="${PAGE_DATA_ELEMENT}"[^>]*>([^<]*)<`)
  return PageData.parse(JSON.parse(element.exec(html)?.[1] ?? '')).decisions
}

const trackerOf = (browser: Browser) => browser.cookies.get('portico-tracker')

/** A browser with the given decision of an experiment at 50 %. */
async function browserDecided(world: World, enabled: boolean): Promise<Browser> {
  for (let tries = 0; tries < 100; tries++) {
    const browser = world.browser()
    if ((await decisions(browser))[KEY] === enabled) return browser
  }
  throw new Error('None of 100 browsers got this decision')
}

const expose = (browser: Browser, experimentKey: (typeof EXPERIMENT_KEYS)[number] = KEY) =>
  browser.call(recordExposure, { body: { experimentKey } })

async function counted(world: World): Promise<Record<string, number>> {
  const rows = await world.query(COUNT)
  return Object.fromEntries(rows.map(({ variant, count }) => [String(variant), Number(count)]))
}

test('7.8 by default every experiment is on, and broker login changes nothing without an identity provider', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withLog('info')
  expect(await decisions(world.browser())).toEqual({
    'broker-agent-login': true,
    'broker-customer-login': true,
    'partner-simplified-onboarding': true,
  })
  // The log says which version of a file is in force, and since when.
  const [line] = world.log.filter((line) => line.includes('take effect after a restart'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    on: [
      { key: 'broker-agent-login', percent: 100 },
      { key: 'broker-customer-login', percent: 100 },
      { key: 'partner-simplified-onboarding', percent: 100 },
    ],
  })
})

test('7.8 a browser gets the same decision on every page, node and day, and the page is not cached', async () => {
  using folder = configured({})
  await using world = await withConfig(folder).withNodes(NODES)
  const other = world.nodes.at(-1)
  for (const enabled of [true, false]) {
    const browser = await browserDecided(world, enabled)
    const tracker = trackerOf(browser)
    expect(tracker).toMatch(TRACKER)
    world.clock.pass(24 * 60 * 60 * 1000)
    for (const path of ['/auth/register', '/auth/login', '/nowhere']) {
      expect((await decisions(browser, path))[KEY]).toBe(enabled)
    }
    const elsewhere = world.browser({ node: () => other })
    elsewhere.cookies.set('portico-tracker', tracker ?? '')
    expect((await decisions(elsewhere))[KEY]).toBe(enabled)
    expect(trackerOf(browser)).toBe(tracker)
    const answer = await browser.fetch('/auth/login')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.getSetCookie().join()).not.toContain('portico-tracker')
  }
})

test('7.8 Global Privacy Control: every decision is no, no tracker is set, nothing is counted', async () => {
  using folder = configured({ percent: 100 })
  await using world = await withConfig(folder)
  const browser = world.browser({ headers: { 'sec-gpc': '1' } })
  expect(await decisions(browser)).toEqual(NOTHING)
  expect(trackerOf(browser)).toBeUndefined()
  await expose(browser)
  const trackerId = crypto.randomUUID()
  for (const call of [decideExternally, decideInternally]) {
    const body = { experimentKey: KEY, optimizeUser: { trackerId } }
    expect(await browser.call(call, { body })).toEqual({ flagEnabled: false })
  }
  expect(await counted(world)).toEqual({})
})

test('7.8 if consent is required, experiments begin when it is given', async () => {
  using folder = configured({ percent: 100 })
  await using world = await aWorld().withSettings({
    CONFIG_DIR: folder.path,
    TRACKING_CONSENT: 'required',
  })
  const browser = world.browser()
  expect(await decisions(browser)).toEqual(NOTHING)
  await expose(browser)
  expect(await counted(world)).toEqual({})
  browser.cookies.set('portico-consent', 'granted')
  expect((await decisions(browser))[KEY]).toBe(true)
  await expose(browser)
  expect(await counted(world)).toEqual({ enabled: 1 })
})

test('7.8 an exposure is counted once per visitor, even with 200 at once on two nodes', {
  tags: 'database',
}, async () => {
  using folder = configured({})
  await using world = await withConfig(folder).withNodes(NODES)
  const browser = await browserDecided(world, true)
  const nodes = [browser, world.browser({ node: () => world.nodes.at(-1) })]
  for (const each of nodes) each.cookies.set('portico-tracker', trackerOf(browser) ?? '')
  const calls = Array.from({ length: 200 }, (_, each) => expose(nodes[each % 2] ?? browser))
  expect(await outcomes(calls)).toEqual({ answered: 200 })
  expect(await counted(world)).toEqual({ enabled: 1 })

  await expose(await browserDecided(world, false))
  await expose(await browserDecided(world, true))
  expect(await counted(world)).toEqual({ enabled: 2, control: 1 })
  const shown = await Promise.all(
    world.nodes.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
  )
  const total = (variant: string) =>
    shown
      .flatMap((text) => [...text.matchAll(/^portico_experiment_exposures_total\{(.*)\} (\d+)$/gm)])
      .filter(([, labels]) => labels === `experiment="${KEY}",variant="${variant}"`)
      .reduce((sum, [, , count]) => sum + Number(count), 0)
  expect([total('enabled'), total('control')]).toEqual([2, 1])
})

test('7.8 visitors who are excluded, and browsers without cookies, are not counted', async () => {
  using folder = configured({ percent: 100, onlyOrganizations: ['CEDAR_POINT'] })
  await using world = await withConfig(folder)
  const browser = world.browser()
  expect((await decisions(browser))[KEY]).toBe(false)
  await expose(browser)
  await expose(browser, OTHER_KEY)
  await expose(world.browser())
  expect(await counted(world)).toEqual({})
  // For the included organization the same browser takes part, and the exposure has its code.
  expect((await decisions(browser, '/auth/login?orgCode=CEDAR_POINT'))[KEY]).toBe(true)
  await expose(browser)
  expect(await world.query('select organization_code from experiment_exposures')).toEqual([
    { organization_code: 'CEDAR_POINT' },
  ])
})

test('7.8 a forged tracker is replaced, and never stored', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  for (const forged of ["x'; drop table identities; --", 'A'.repeat(4000), '__proto__']) {
    browser.cookies.set('portico-tracker', encodeURIComponent(forged))
    await expose(browser, 'partner-simplified-onboarding')
    expect(trackerOf(browser)).toMatch(TRACKER)
  }
  expect(await counted(world)).toEqual({})
})

test('7.8 the decision endpoint returns yes or no in both contexts, the same as the page data', async () => {
  using folder = configured({})
  await using world = await withConfig(folder)
  for (const enabled of [true, false]) {
    const browser = await browserDecided(world, enabled)
    const trackerId = trackerOf(browser) ?? ''
    const body = { experimentKey: KEY, optimizeUser: { trackerId, platform: 'WEB' } }
    for (const path of ['external', 'internal']) {
      const answer = await browser.fetch(`/service-optimize/${path}/api/v2/decision`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.json()).toEqual({ flagEnabled: enabled })
    }
  }
  expect(await counted(world)).toEqual({})
})

test('7.8 the external context uses the given organization, the internal one the page’s, as exposures do', async () => {
  const agent = newPerson('agent')
  using folder = configured({ percent: 100, onlyOrganizations: ['CEDAR_POINT'] })
  await using world = await withConfig(folder).withCustomer(agent)
  const browser = world.browser()
  await browser.fetch('/auth/login?orgCode=CEDAR_POINT')
  const decide = async (call: typeof decideExternally, org?: string) => {
    const optimizeUser = { trackerId: crypto.randomUUID(), organization: org }
    return (await browser.call(call, { body: { experimentKey: KEY, optimizeUser } })).flagEnabled
  }
  expect(await decide(decideExternally)).toBe(true)
  expect(await decide(decideExternally, 'FIGURE')).toBe(false)
  expect(await decide(decideExternally, 'cedar_point')).toBe(true)
  expect(await decide(decideExternally, 'NOBODY')).toBe(false)
  // The identity is of the default organization, but sees the page of another one.
  await browser.signIn(agent)
  expect(await decide(decideInternally, 'FIGURE')).toBe(true)
  await expose(browser)
  expect(await counted(world)).toEqual({ enabled: 1 })
  await browser.fetch('/auth/login?orgCode=FIGURE')
  expect(await decide(decideInternally, 'CEDAR_POINT')).toBe(false)
})

test('7.8 the rules are not disclosed: off, excluded and unknown have the same answer', async () => {
  using folder = configured({ percent: 100, onlyOrganizations: ['CEDAR_POINT'] })
  await using world = await withConfig(folder)
  const browser = world.browser()
  const answers = new Set<string>()
  for (const experimentKey of [KEY, OTHER_KEY, 'unknown-key', '__proto__']) {
    const answer = await browser.fetch(decideExternally.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ experimentKey, optimizeUser: { trackerId: crypto.randomUUID() } }),
    })
    answers.add(`${answer.status} ${await answer.text()}`)
  }
  expect([...answers]).toEqual(['200 {"flagEnabled":false}'])
})

test('7.8 malformed requests, and requests on behalf of others, are refused', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  for (const [path, body] of [
    [decideExternally.path, { experimentKey: KEY }],
    [decideExternally.path, user({ trackerId: 'x' })],
    [decideInternally.path, { ...user({}), experimentKey: 'x'.repeat(65) }],
    [decideInternally.path, { ...user({}), rules: true }],
    [EXPOSURE_PATH, { experimentKey: 'unknown-key' }],
    [EXPOSURE_PATH, { experimentKey: KEY, trackerUuid: crypto.randomUUID() }],
  ] as const) {
    const answer = await browser.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status, JSON.stringify(body)).toBe(400)
  }
})

test('7.8 another site’s page cannot cause an exposure, and too many requests are refused', async () => {
  await using world = await aWorld()
  const foreign = world.browser({ headers: { 'sec-fetch-site': 'cross-site' } })
  expect(await refusal(expose(foreign))).toMatchObject({ status: 403, code: 'foreign-origin' })
  const browser = world.browser()
  const results = await outcomes(
    Array.from({ length: 601 }, () =>
      browser.call(decideExternally, {
        body: { experimentKey: KEY, optimizeUser: { trackerId: crypto.randomUUID() } },
      }),
    ),
  )
  expect(results).toEqual({ answered: 600, 'too-many-requests': 1 })
})

test('7.8 an invalid experiment stops the start, which names file and field', async () => {
  using folder = configured({ percent: 'half', onlyOrganizations: ['NOBODY'] })
  const error = await withConfig(folder).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ConfigError)
  expect(String(error)).toContain(join('experiments', `${KEY}.json: percent must be a percentage`))
})

function user(changes: object) {
  return { experimentKey: KEY, optimizeUser: { trackerId: crypto.randomUUID(), ...changes } }
}
