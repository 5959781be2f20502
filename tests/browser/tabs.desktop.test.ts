import type { Locator, Page } from '@playwright/test'
import { PEOPLE } from '../support/people.ts'
import { expect, newEmail, STRONG_PASSWORD, test, watch } from './support/portico.ts'
import {
  accountButton,
  choosePassword,
  codeField,
  logIn,
  logOut,
  newPerson,
  onDashboard,
  openAccountMenu,
  ready,
  requestPasscode,
  submitEmail,
  visit,
} from './support/steps.ts'

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
  await expect(accountButton(other)).toBeHidden()
})

test('4.4 a code redeemed in one tab signs in the other too', async ({
  page,
  context,
  portico,
  complaints,
}) => {
  const email = await newPerson(portico)
  const before = await portico.passcode(email)
  const other = await context.newPage()
  watch(other, portico.url, complaints)
  await visit(other, '/auth/login')
  await visit(page, '/auth/login')
  await requestPasscode(page, email)
  const code = codeField(page)
  await code.fill(await portico.passcode(email, before))
  await onDashboard(page, email)
  await onDashboard(other, email)
})

test('2.4 signing in in another tab discards nothing typed into a registration', async ({
  page,
  context,
  portico,
  complaints,
}) => {
  const email = newEmail()
  await visit(page, '/auth/register')
  const field = page.getByLabel('Email', { exact: true })
  await field.fill(email)
  const other = await context.newPage()
  watch(other, portico.url, complaints)
  const signInElsewhere = async () => {
    await visit(other, '/auth/login')
    await logIn(other, PEOPLE.plain)
    await onDashboard(other, PEOPLE.plain.email)
  }
  await signInElsewhere()
  await expectKept(page, field, email)

  // The same with a partially typed code.
  await logOut(other)
  await page.locator('form').getByRole('button').last().click()
  const code = codeField(page)
  await code.fill('123')
  await signInElsewhere()
  await expectKept(page, code, '123')
})

/** The page has handled the other tab's event and kept the typed text. */
async function expectKept(page: Page, field: Locator, typed: string): Promise<void> {
  await page.waitForFunction(() => localStorage.getItem('jwt') !== null)
  await page.waitForTimeout(500)
  await expect(field).toHaveValue(typed)
  await expect(page).toHaveURL(/\/auth\/register$/)
}

test('2.1 Back after logging out shows nothing private', async ({ page }) => {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)
  await logOut(page)
  await page.goBack()
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(accountButton(page)).toBeHidden()
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

/** The user's own organization, in the account menu. */
async function expectOrganization(page: Page, name: string): Promise<void> {
  const menu = await openAccountMenu(page)
  await expect(menu.locator('dt:text-is("Organization") + dd')).toHaveText(name)
}

test('1 each tab stays with its lender: calls, mail, links, reloads and the new account', async ({
  page,
  context,
  portico,
  complaints,
}) => {
  const email = newEmail()
  // Without orgCode in the URL, as after a redirect that dropped it.
  await visit(page, '/auth/login?orgCode=HARBORLINE')
  await visit(page, '/auth/register')
  const other = await context.newPage()
  watch(other, portico.url, complaints)
  await visit(other, '/auth/login?orgCode=CEDAR_POINT')

  await submitEmail(page, email)
  await codeField(page).fill(await portico.passcode(email))
  expect(await portico.subjects(email)).toEqual(['Your Harborline Mortgage passcode'])
  await expect(page.locator('input[autocomplete="new-password"]').first()).toBeVisible()
  await choosePassword(page, STRONG_PASSWORD)
  await expect(page).toHaveURL(/\/dashboard\?orgCode=HARBORLINE$/)
  await expectOrganization(page, 'Harborline Mortgage')
  await expect(page.getByRole('img', { name: 'Harborline Mortgage' }).first()).toBeVisible()

  // The other tab navigates on its own after the first has signed in; navigating at the same time would abort that.
  await expect(other).toHaveURL(/\/dashboard/)
  await ready(other)
  await other.goto('/dashboard')
  await expect(other.getByRole('img', { name: 'Cedar Point Lending' }).first()).toBeVisible()
  await expectOrganization(other, 'Harborline Mortgage')
  await page.reload()
  await expect(page.getByRole('img', { name: 'Harborline Mortgage' }).first()).toBeVisible()
  await other.reload()
  await expect(other.getByRole('img', { name: 'Cedar Point Lending' }).first()).toBeVisible()
})
