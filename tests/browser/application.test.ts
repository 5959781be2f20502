/** The signed-in pages as one application: navigation, account switcher, and pages that are offline. */
import { PEOPLE } from '../support/people.ts'
import { expectGood } from './support/accessible.ts'
import { DESKTOP_FIRST, DESKTOP_ONLY, expect, test } from './support/portico.ts'
import { logIn, onDashboard, openPage, visit } from './support/steps.ts'

const PAGES = [
  ['Accounts', '/dashboard/accounts'],
  ['Passport', '/universal-passport'],
  ['Activity', '/dashboard/activity'],
  ['Security', '/dashboard/security'],
] as const

test(
  '2.1 the navigation opens every page in place and accessible; Back and a reload return to it',
  DESKTOP_FIRST,
  async ({ page }) => {
    await visit(page, '/auth/login')
    await logIn(page, PEOPLE.organizations)
    await onDashboard(page, PEOPLE.organizations.email)
    await expect(page.getByText('Next', { exact: true })).toBeVisible()
    await expectGood(page)
    const documents: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(request.url())
    })
    for (const [name, path] of PAGES) {
      await openPage(page, name)
      await expect(page).toHaveURL(path)
      await expect(page).toHaveTitle(`${name} | Figure`)
      await expect(page.locator('nav:visible [aria-current="page"]')).toHaveText(name)
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
      await expectGood(page)
    }
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeFocused()
    expect(documents).toEqual([])
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  },
)

test(
  '2.7 6 an account selected in the header applies to every page, and to the next document',
  DESKTOP_FIRST,
  async ({ page }) => {
    await visit(page, '/auth/login')
    await logIn(page, PEOPLE.organizations)
    await onDashboard(page, PEOPLE.organizations.email)
    const opener = page.getByRole('button', { name: 'Acting as Not chosen yet' })
    await opener.click()
    const menu = page.getByRole('menu')
    await expect(menu.getByText('Individual Accounts')).toBeVisible()
    await expectGood(page)
    await menu.getByRole('menuitemradio', { name: /^Larch Partners/ }).click()
    const switched = page.getByRole('button', { name: 'Acting as Larch Partners' })
    await expect(switched).toBeVisible()
    await expect(page.getByRole('region', { name: 'Wallet' })).toContainText('Signing as Olga')
    await openPage(page, 'Activity')
    await expect(page.getByRole('heading', { name: 'Payments of Larch Partners' })).toBeVisible()
    await page.reload()
    await expect(switched).toBeVisible()
    await openPage(page, 'Accounts')
    await expect(page.getByRole('button', { name: /^Larch Partners/, pressed: true })).toBeVisible()
  },
)

test(
  'offline the page says so, and recovers on its own once it is online',
  DESKTOP_ONLY,
  async ({ page, context }) => {
    await visit(page, '/auth/login')
    await logIn(page, PEOPLE.plain)
    await onDashboard(page, PEOPLE.plain.email)
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
    await context.setOffline(true)
    await expect(page.getByText('You are offline')).toBeVisible()
    await openPage(page, 'Activity')
    await expect(page.getByText('We could not load your security events')).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('You are offline')).toBeHidden()
    await page.getByRole('button', { name: 'Try again' }).click()
    const main = page.getByRole('main')
    await expect(main.getByText('Logged in', { exact: true }).first()).toBeVisible()
  },
)
