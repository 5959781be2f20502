import { PEOPLE } from '../support/people.ts'
import { expect, newEmail, test } from './support/portico.ts'
import { dialog, logIn, onDashboard, ready, requestPasscode, visit } from './support/steps.ts'

test('a page without its scripts says what to do', async ({ page }) => {
  await page.route(/\/static\/.*\.js$/, (route) => route.abort())
  await page.goto('/auth/login')
  await expect(page.getByText('This page did not load completely.')).toBeVisible()
})

test('a form submitted before hydration puts nothing into the URL', async ({ page }) => {
  await page.route(/\/static\/.*\.js$/, () => undefined)
  await page.goto('/auth/login', { waitUntil: 'commit' })
  await page.getByLabel('Password', { exact: true }).fill('secret-in-the-field')
  await page.keyboard.press('Enter')
  expect(page.url()).not.toContain('secret')
})

test('4.11 a part that does not load reloads the page five times, then shows the error screen', async ({
  page,
  complaints,
}) => {
  await visit(page, '/auth/login')
  const known = new Set(
    await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
  )
  await page.route(/\/static\/.*\.js$/, (route) =>
    known.has(route.request().url()) ? route.continue() : route.abort(),
  )
  let reloads = 0
  page.on('load', () => {
    reloads += 1
  })
  // The pending passcode is stored, so each reload requests the missing part by itself.
  await requestPasscode(page, newEmail())
  await expect(
    page.getByRole('heading', { name: 'Sorry, looks like we have hit a snag!' }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  expect(reloads).toBe(5)
  expect(complaints.filter((each) => !each.includes('dynamically imported module'))).toEqual([])
  complaints.length = 0
})

test("8 a page without organization data fails with 'No private label data found'", async ({
  page,
  complaints,
}) => {
  await page.route('**/auth/login', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    await route.fulfill({ response, body: html.replace('"flags":{', '"flags":{},"others":{') })
  })
  await page.goto('/auth/login')
  await expect(
    page.getByRole('heading', { name: 'Sorry, looks like we have hit a snag!' }),
  ).toBeVisible()
  // 2.8: support phone and email, inside a frame.
  await expect(page.getByRole('link', { name: /^\(?\d{3}\)? / })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: /@/ })).toBeVisible()
  const heading = await page.getByRole('heading').boundingBox()
  expect(heading?.x).toBeGreaterThan(100)
  expect(complaints.join()).toContain('No private label data found')
  complaints.length = 0
})

test('8 a failure is shown in one place; offline the form keeps what was typed and says what happened', async ({
  page,
  context,
  complaints,
}) => {
  await visit(page, '/auth/login')
  const errors = Array.from({ length: 7 }, (_, index) => `Reason ${index + 1}`)
  const refused = { status: 400, json: { code: 'invalid-request', message: 'No.', errors } }
  await page.route('**/identity/api/v2/login', (route) => route.fulfill(refused), { times: 1 })
  await logIn(page, PEOPLE.plain)
  await expect(page.getByRole('alert').getByText(/^Reason \d$/)).toHaveText(errors)
  await expect(page.getByText(/^Reason \d$/)).toHaveCount(errors.length)

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  // The script of the bot check may or may not have loaded before the connection was lost.
  const advice = page.getByRole('alert').getByText(/Check your connection|reload the page/)
  await expect(advice.first()).toBeVisible()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(PEOPLE.plain.email)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await onDashboard(page, PEOPLE.plain.email)
  const others = complaints.filter((each) => !each.includes('bot check'))
  expect(others).toEqual([])
  complaints.length = 0
})

test('4.11 a part first needed offline is styled once the connection is back', async ({
  page,
  context,
}) => {
  await visit(page, '/auth/login')
  await context.setOffline(true)
  // The first sign of intent prefetches the part.
  await page.getByLabel('Email', { exact: true }).focus()
  await context.setOffline(false)
  await requestPasscode(page, newEmail())
  await expect(dialog(page, 'Enter your passcode')).toHaveCSS('border-top-left-radius', '12px')
  await expect(page.getByLabel('One-time passcode', { exact: true })).toHaveCSS(
    'font-family',
    /monospace/,
  )
})

test('the dashboard notices a session that ended elsewhere', async ({ page, context }) => {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)
  await context.clearCookies()
  await page.reload()
  await expect(page).toHaveURL(/\/auth\/login/)
  await ready(page)
})

test('3 a browser with blocked cookies and storage is warned before the login, and is counted', async ({
  page,
}) => {
  // Like Chromium with both blocked: it reports that cookies are enabled, and refuses locks.
  await page.addInitScript(() => {
    const denied = () => new DOMException('The request was denied.', 'SecurityError')
    Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} })
    LockManager.prototype.request = () => Promise.reject(denied())
    for (const storage of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, storage, {
        get() {
          throw denied()
        },
      })
    }
  })
  const event = page.waitForRequest('**/ft/external/event')
  await visit(page, '/auth/login')
  await expect(page.getByText(/Your browser blocks cookies/)).toBeVisible()
  await event
})

test('2.8 an unknown page of the portal shows the 404 animation', async ({ page }) => {
  const response = await page.goto('/dashboard-that-is-not-there')
  expect(response?.status()).toBe(404)
  await ready(page)
  await expect(page.getByRole('img').first()).toBeVisible()
})

test('script planted in the query does not run', async ({ page }) => {
  const planted =
    '</script><script>document.title="planted"</script><img src=x onerror=document.title="planted">'
  await visit(
    page,
    `/auth/login?email=${encodeURIComponent(planted)}&redirectUrl=${encodeURIComponent(planted)}`,
  )
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(planted)
  expect(await page.title()).not.toContain('planted')
})
