/** Telemetry in a real browser never delays the user. */
import type { BrowserContext, Page } from '@playwright/test'
import { PEOPLE } from '../support/people.ts'
import {
  EXHAUSTIVE,
  expect,
  newEmail,
  type Portico,
  STRONG_PASSWORD,
  test,
  watch,
} from './support/portico.ts'
import { choosePassword, logIn, logOut, onDashboard, verifyEmail, visit } from './support/steps.ts'

/** An event as it was sent and answered. */
interface Sent {
  readonly path: string
  readonly status: number
  readonly body: {
    readonly event?: string
    readonly pagePath?: string
    readonly queryParams: Readonly<Record<string, string>>
    readonly sessionKey?: { readonly uuid: string }
  }
}

/** Records the telemetry of a context's pages. */
function listen(context: BrowserContext): Sent[] {
  const sent: Sent[] = []
  context.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/ft/')) return
    const body = response.request().postDataJSON() as Sent['body']
    sent.push({ path: pathname, status: response.status(), body })
  })
  return sent
}

const sentEvents = (sent: readonly Sent[]) =>
  sent
    .filter(({ path }) => path.endsWith('/event'))
    .map(({ path, status, body }) => [status, path, body.event, body.pagePath].join(' '))

async function storedEvents(portico: Portico): Promise<number> {
  const metrics = await (await fetch(`${portico.url}/metrics`)).text()
  return Number(/portico_telemetry_events_total\{outcome="stored"\} (\d+)/.exec(metrics)?.[1])
}

const storedKeys = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith('portico-telemetry')),
  )

test('2.1, 7.2, 7.8 page views and a registration are sent without personal data, even after being offline', async ({
  page,
  context,
  portico,
}) => {
  const email = newEmail()
  const sent = listen(context)
  await visit(
    page,
    `/auth/login?email=${encodeURIComponent(email)}&redirectUrl=%2Fdashboard&utm_campaign=spring-2026`,
  )
  await expect
    .poll(() => sentEvents(sent))
    .toEqual(['204 /ft/external/event page_view /auth/login'])
  expect(sent[0]).toMatchObject({
    path: '/ft/external/session',
    status: 200,
    body: { platform: 'WEB', libVersion: '2.2.24', screenWidth: 1440, windowHeight: 900 },
  })
  expect(sent[1]?.body.queryParams).toEqual({
    email: '*',
    redirectUrl: '*',
    utm_campaign: 'spring-2026',
  })
  const before = await storedEvents(portico)

  await context.setOffline(true)
  await page.getByRole('link', { name: 'Register here' }).click()
  await expect(page).toHaveURL(/\/auth\/register/)
  await expect.poll(() => storedKeys(page)).toHaveLength(2)
  await context.setOffline(false)
  await expect
    .poll(() => sentEvents(sent).at(-1))
    .toBe('204 /ft/external/event page_view /auth/register')
  await expect.poll(() => storedKeys(page)).toEqual(['portico-telemetry'])

  await page.locator('form').getByRole('button').last().click()
  await verifyEmail(page, portico, email)
  await choosePassword(page, STRONG_PASSWORD)
  await onDashboard(page, email)
  await expect
    .poll(() => sentEvents(sent).slice(2))
    .toEqual([
      '204 /ft/external/event register /auth/register',
      '204 /ft/internal/event page_view /dashboard',
    ])

  await logOut(page)
  const login = page.waitForRequest((request) => request.url().endsWith('/identity/api/v2/login'))
  await expect
    .poll(() => sentEvents(sent).at(-1))
    .toBe('204 /ft/external/event page_view /auth/login')
  await logIn(page, { email, password: STRONG_PASSWORD })
  expect((await login).postDataJSON()).toMatchObject({
    telemetryTrackingId: sent.at(-1)?.body.sessionKey?.uuid ?? 'nothing',
  })
  await onDashboard(page, email)

  expect(await storedEvents(portico)).toBeGreaterThanOrEqual(before + 4)
  expect(sent.filter(({ path }) => path.endsWith('/session'))).toHaveLength(1)
  expect(JSON.stringify(sent)).not.toContain(email.split('@')[0])
})

/** Failures of telemetry, and what a page then stores. */
const FAILURES: readonly {
  readonly name: string
  readonly begin: (context: BrowserContext) => Promise<unknown>
}[] = [
  {
    name: 'it never answers',
    begin: (context) => context.route('**/ft/**', () => new Promise(() => undefined)),
  },
  {
    name: 'it returns garbage',
    begin: (context) =>
      context.route('**/ft/**', (route) => route.fulfill({ status: 200, body: '<html>' })),
  },
  { name: 'it is down', begin: (context) => context.route('**/ft/**', (route) => route.abort()) },
  {
    name: 'its script is blocked',
    begin: (context) => context.route('**/engine*', (route) => route.abort()),
  },
  {
    name: 'the storage contains garbage and is full',
    begin: (context) =>
      context.addInitScript(() => {
        localStorage.setItem('portico-telemetry', '{"sessionKey":')
        localStorage.setItem('portico-telemetry.queue', 'rubbish')
        const { setItem } = Storage.prototype
        Storage.prototype.setItem = function (key, text) {
          if (key.startsWith('portico-telemetry')) throw new DOMException('', 'QuotaExceededError')
          setItem.call(this, key, text)
        }
      }),
  },
]

test(
  '7.8 sign-in never waits for telemetry, whatever is wrong',
  EXHAUSTIVE,
  async ({ browser, portico }) => {
    for (const { name, begin } of FAILURES) {
      await test.step(name, async () => {
        const context = await browser.newContext({ baseURL: portico.url })
        await begin(context)
        const page = await context.newPage()
        const complaints: string[] = []
        watch(page, portico.url, complaints)
        await visit(page, '/auth/login')
        await logIn(page, PEOPLE.plain)
        await onDashboard(page, PEOPLE.plain.email)
        expect(complaints, name).toEqual([])
        await context.close()
      })
    }
  },
)

test('Global Privacy Control: nothing is loaded, sent or stored', async ({ browser, portico }) => {
  const context = await browser.newContext({
    baseURL: portico.url,
    extraHTTPHeaders: { 'sec-gpc': '1' },
  })
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
  )
  const requested: string[] = []
  context.on('request', (request) => requested.push(request.url()))
  const page = await context.newPage()
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)
  // Long enough for an idle page to have started telemetry.
  await page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })),
  )
  expect(requested.filter((url) => /\/ft\/|engine/.test(url))).toEqual([])
  expect(await storedKeys(page)).toEqual([])
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('portico-tracker')
  await context.close()
})
