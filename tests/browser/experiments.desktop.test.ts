/** An experiment at 50 % on the partner onboarding page (§4.7, §7.8). */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { test as base, expect, newEmail, porticoAt, watch } from './support/portico.ts'
import { ready } from './support/steps.ts'

const CONFIG = fileURLToPath(new URL('../../config', import.meta.url))
const KEY = 'partner-simplified-onboarding'
const EXPERIMENT = { key: KEY, description: 'At 50 % in a test.', on: true, percent: 50 }
const COUNTED = new RegExp(
  `^portico_experiment_exposures_total\\{experiment="${KEY}",variant="(\\w+)"\\} (\\d+)$`,
  'gm',
)

const test = base.extend<object, { atHalf: string }>({
  atHalf: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from this pattern
    async ({}, use) => {
      using folder = temporaryFolder()
      cpSync(CONFIG, folder.path, { recursive: true })
      writeFileSync(join(folder.path, `experiments/${KEY}.json`), JSON.stringify(EXPERIMENT))
      await using server = await startServer({ environment: { CONFIG_DIR: folder.path } })
      await use(server.url)
    },
    { scope: 'worker' },
  ],
  portico: [async ({ atHalf }, use) => use(porticoAt(atHalf)), { scope: 'worker' }],
})

/** A visitor who follows a partner's link in a new browser. */
class Arrival {
  readonly page: Page
  readonly #link = `/auth/credit-karma/register?email=${encodeURIComponent(newEmail())}`

  constructor(page: Page) {
    this.page = page
  }

  static async of(browser: Browser, options: BrowserContextOptions): Promise<Arrival> {
    const context = await browser.newContext(options)
    return new Arrival(await context.newPage())
  }

  /** Follows the link; returns whether the simplified onboarding is shown. */
  async follow(): Promise<boolean> {
    const exposure = this.page.waitForResponse(/\/api\/v2\/exposure$/)
    await this.page.goto(this.#link)
    await ready(this.page)
    await (await exposure).finished()
    const simplified = this.page.getByRole('heading', { name: "You've got mail!" })
    const ordinary = this.page.getByRole('heading', { name: 'Create your login' })
    await expect(simplified.or(ordinary)).toBeVisible()
    return simplified.isVisible()
  }

  async tracker(): Promise<string | undefined> {
    const cookies = await this.page.context().cookies()
    return cookies.find(({ name }) => name === 'portico-tracker')?.value
  }
}

/** The number of visitors per variant. */
async function counted(url: string): Promise<Record<string, number>> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Object.fromEntries(
    [...metrics.matchAll(COUNTED)].map(([, variant, count]) => [variant, Number(count)]),
  )
}

test('7.8 an experiment at 50 %: a browser keeps its variant and is counted once', async ({
  browser,
  portico,
  complaints,
}) => {
  const arrivals = new Map<boolean, Arrival>()
  const seen = { enabled: 0, control: 0 }
  // All of these browsers get the same decision once in a million runs.
  for (let tries = 0; tries < 21 && arrivals.size < 2; tries++) {
    const arrival = await Arrival.of(browser, { baseURL: portico.url, reducedMotion: 'reduce' })
    watch(arrival.page, portico.url, complaints)
    const simplified = await arrival.follow()
    seen[simplified ? 'enabled' : 'control'] += 1
    arrivals.set(simplified, arrival)
  }
  expect(new Set(arrivals.keys())).toEqual(new Set([false, true]))
  expect(await counted(portico.url)).toEqual(seen)

  for (const [simplified, arrival] of arrivals) {
    const tracker = await arrival.tracker()
    for (let visits = 0; visits < 2; visits++) expect(await arrival.follow()).toBe(simplified)
    expect(await arrival.tracker()).toBe(tracker)
  }
  expect(await counted(portico.url)).toEqual(seen)

  // A visitor who refuses tracking gets the control, no tracker cookie, and is not counted.
  for (let visits = 0; visits < 3; visits++) {
    const refusing = await Arrival.of(browser, {
      baseURL: portico.url,
      extraHTTPHeaders: { 'sec-gpc': '1' },
    })
    expect(await refusing.follow()).toBe(false)
    expect(await refusing.tracker()).toBeUndefined()
  }
  expect(await counted(portico.url)).toEqual(seen)
})
