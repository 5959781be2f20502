/** Announcements from publishing to display, well and badly served (§2.8, §4.3, §7.7, §8). */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page, Route } from '@playwright/test'
import { PEOPLE } from '../support/people.ts'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { expectGood } from './support/accessible.ts'
import {
  test as base,
  DESKTOP_ONLY,
  EXHAUSTIVE,
  expect,
  porticoAt,
  watch,
} from './support/portico.ts'
import { logIn, onDashboard, ready, visit } from './support/steps.ts'

const CONFIG = fileURLToPath(new URL('../../config', import.meta.url))
const HOUR_MS = 60 * 60 * 1000

interface BannerServer {
  readonly url: string
  readonly publish: (banners: readonly object[]) => void
}

const test = base.extend<object, { announced: BannerServer }>({
  announced: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from this pattern
    async ({}, use) => {
      using folder = temporaryFolder()
      cpSync(CONFIG, folder.path, { recursive: true })
      await using server = await startServer({ environment: { CONFIG_DIR: folder.path } })
      await use({
        url: server.url,
        publish: (banners) =>
          writeFileSync(join(folder.path, 'banners/banners-test.json'), JSON.stringify(banners)),
      })
    },
    { scope: 'worker' },
  ],
  portico: [async ({ announced }, use) => use(porticoAt(announced.url)), { scope: 'worker' }],
})

const banner = (uuid: string, changes: object = {}) => ({
  uuid,
  message: `This is ${uuid}.`,
  apps: ['login', 'dashboard'],
  variant: 'info',
  active: true,
  dismissable: true,
  metadata: { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' },
  ...changes,
})
const since = (createdAt: string) => ({ metadata: { createdAt, updatedAt: createdAt } })

const region = (page: Page) => page.getByRole('region', { name: 'Announcements' })
const messages = (page: Page) => region(page).getByRole('paragraph')
const dismissers = (page: Page) =>
  region(page).getByRole('button', { name: 'Dismiss announcement' })

/** Opens a page and waits until its banners have loaded or failed. */
async function open(page: Page, path: string): Promise<void> {
  const file = page.waitForResponse(/\/banners\/banners-test\.json$/)
  await page.goto(path)
  await ready(page)
  await (await file).finished()
  await drawn(page)
}

const drawn = (page: Page) =>
  page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
  })

/** The cumulative layout shift so far. */
const jumped = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list, observer) => {
          observer.disconnect()
          resolve(
            list
              .getEntries()
              .map((entry) => (entry as PerformanceEntry & { value: number }).value)
              .reduce((sum, value) => sum + value, 0),
          )
        }).observe({ type: 'layout-shift', buffered: true })
        // Without a layout shift there are no entries.
        setTimeout(() => resolve(0), 500)
      }),
  )

test(
  '4.3 a published banner is shown, dismissed permanently in every tab, and returns after an update',
  DESKTOP_ONLY,
  async ({ page, context, announced, complaints }) => {
    const maintenance = banner('maintenance', { variant: 'warn', ...since('2026-03-01T00:00:00Z') })
    const moved = banner('moved', since('2026-02-01T00:00:00Z'))
    const older = banner('older')
    announced.publish([older, maintenance, moved, banner('draft', { active: false })])
    // With reduced motion the form moves at once, otherwise smoothly.
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await open(page, '/auth/login')
    await expect(messages(page)).toHaveText([
      'Warning: This is maintenance.',
      'Information: This is moved.',
    ])
    await expectGood(page)
    expect(await jumped(page)).toBeLessThan(0.01)

    const other = await context.newPage()
    watch(other, announced.url, complaints)
    await open(other, '/auth/register')
    await expect(messages(other)).toHaveCount(2)

    // With the keyboard: the focus stays among the banners, then moves to the page's heading.
    await dismissers(page).first().focus()
    await page.keyboard.press('Enter')
    await expect(messages(page)).toHaveText([
      'Information: This is moved.',
      'Information: This is older.',
    ])
    await expect(dismissers(page).first()).toBeFocused()
    await expect(messages(other)).toHaveText([
      'Information: This is moved.',
      'Information: This is older.',
    ])
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(region(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(region(other)).toHaveCount(0)
    await other.close()

    await open(page, '/auth/login')
    await expect(region(page)).toHaveCount(0)

    const updatedAt = Date.now() + HOUR_MS
    announced.publish([older, { ...moved, metadata: { ...moved.metadata, updatedAt } }])
    await open(page, '/auth/login')
    await expect(messages(page)).toHaveText(['Information: This is moved.'])
    const dismissed = await page.evaluate(() => localStorage.getItem('dismissed-banners'))
    expect(Object.keys(JSON.parse(dismissed ?? ''))).toEqual(['older'])

    await logIn(page, PEOPLE.plain)
    await onDashboard(page, PEOPLE.plain.email)
    await expect(messages(page)).toHaveText(['Information: This is moved.'])
    await expectGood(page, { include: 'main' })
    await dismissers(page).click()
    await expect(region(page)).toHaveCount(0)
    await open(page, '/dashboard')
    await expect(region(page)).toHaveCount(0)
  },
)

test(
  '8 whatever happens to the file, the visitor logs in as if there were no banners',
  EXHAUSTIVE,
  async ({ page }) => {
    const many = Array.from({ length: 10_000 }, (_, at) => banner(String(at)))
    const answers: Readonly<Record<string, (route: Route) => Promise<void>>> = {
      'no JSON': (route) => route.fulfill({ body: '<html>' }),
      'one bad item': (route) => route.fulfill({ json: [banner('good'), { uuid: 'bad' }] }),
      'not there': (route) => route.fulfill({ status: 404, body: 'NoSuchKey' }),
      'no connection': (route) => route.abort(),
      'never answered': async () => undefined,
    }
    for (const [name, answer] of Object.entries(answers)) {
      await page.unrouteAll()
      await page.route('**/banners/*.json', answer)
      const request = page.waitForRequest('**/banners/*.json')
      await visit(page, '/auth/login')
      await request
      await drawn(page)
      await expect(region(page), name).toHaveCount(0)
      await expect(page.getByRole('alert').filter({ visible: true }), name).toHaveCount(0)
    }

    await logIn(page, PEOPLE.plain)
    await onDashboard(page, PEOPLE.plain.email)

    await page.context().clearCookies()
    await page.unrouteAll()
    await page.route('**/banners/*.json', (route) =>
      route.fulfill({
        json: [banner('markup', { message: '<img src=x onerror=alert(1)>' }), ...many],
      }),
    )
    await page.addInitScript(() => {
      // As if the browser forbids it: the page works but stores nothing.
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('blocked', 'SecurityError')
        },
      })
    })
    await visit(page, '/auth/login')
    await expect(messages(page)).toHaveText([
      'Information: <img src=x onerror=alert(1)>',
      'Information: This is 0.',
    ])
    await dismissers(page).first().click()
    await expect(messages(page)).toHaveText(['Information: This is 0.', 'Information: This is 1.'])
  },
)

test('2.8 a field in use keeps its position when announcements arrive late', async ({
  page,
  announced,
}) => {
  const words = 'We are sorry to say that something will not work for a while. '.repeat(2).trim()
  announced.publish([banner('long', { message: words }), banner('longer', { message: words })])
  // Also on a page too short to scroll.
  for (const size of [page.viewportSize(), { width: 820, height: 1400 }]) {
    if (size !== null) await page.setViewportSize(size)
    const release = Promise.withResolvers<void>()
    await page.route('**/banners/*.json', async (route) => {
      await release.promise
      await route.continue()
    })
    await visit(page, '/auth/login')
    const email = page.getByLabel('Email', { exact: true })
    await email.pressSequentially('ada@')
    const before = await email.boundingBox()
    release.resolve()
    await expect(messages(page)).toHaveCount(2)
    await email.pressSequentially('people.example')
    expect((await email.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
    await expect(email).toHaveValue('ada@people.example')
    await page.unrouteAll()
  }
})
