import { expect, newEmail, PEOPLE, test, watch } from './support/portico.ts'
import { askForPasscode, logIn, logOut, onDashboard, register, visit } from './support/steps.ts'

test('4.4 logging out in one tab logs the other out at once', async ({
  page,
  context,
  portico,
  complaints,
}) => {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)
  const other = await context.newPage()
  watch(other, portico.url, complaints)
  await other.goto('/dashboard')
  await onDashboard(other, PEOPLE.plain.email)
  await logOut(page)
  await expect(other).toHaveURL(/\/auth\/login/)
  await expect(other.getByText(PEOPLE.plain.email)).toBeHidden()
})

test('4.4 a code redeemed in one tab takes the other along', async ({
  page,
  context,
  portico,
  complaints,
}) => {
  const email = newEmail()
  await register(page, portico, email)
  await logOut(page)
  const before = await portico.passcode(email)
  const other = await context.newPage()
  watch(other, portico.url, complaints)
  await visit(other, '/auth/login')
  await askForPasscode(page, email)
  const code = page.locator('input[autocomplete="one-time-code"]')
  await code.fill(await portico.passcode(email, before))
  await onDashboard(page, email)
  await onDashboard(other, email)
})

test('2.1 Back after logging out shows nothing private', async ({ page }) => {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)
  await logOut(page)
  await page.goBack()
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(page.getByText(PEOPLE.plain.email)).toBeHidden()
})

test('2.1 a page restored from the back-forward cache reloads', async ({ page }) => {
  await visit(page, '/auth/login')
  const reloaded = page.waitForEvent('load')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await reloaded
})

test('2.2 /logout ends the session and leads to the login page', async ({ page }) => {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)
  await page.goto('/auth/logout')
  await expect(page).toHaveURL(/\/auth\/login/)
  expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/auth\/login\?redirectUrl=%2Fdashboard/)
})

test('3 the token is kept with its prefix and opens nothing without the cookie', async ({
  page,
  portico,
}) => {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)
  const jwt = await page.evaluate(() => localStorage.getItem('jwt'))
  expect(jwt).toMatch(/^Bearer ey/)
  const alone = await fetch(`${portico.url}/identity/secure/api/v1/identity`, {
    headers: { authorization: jwt ?? '' },
  })
  expect(alone.status).toBe(403)
})
