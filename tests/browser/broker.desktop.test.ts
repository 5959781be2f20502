import type { Page } from '@playwright/test'
import { PROVIDER_PEOPLE, SAML_PEOPLE } from '../support/identity-provider.ts'
import { expectGood } from './support/accessible.ts'
import { EXHAUSTIVE, expect, test } from './support/portico.ts'
import { codeField, dialog, onDashboard, openAccountMenu, ready, visit } from './support/steps.ts'

const NORTHGALE = 'orgCode=NORTHGALE'

/** Signs in at the demonstration's identity provider. */
async function signInAtProvider(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await expect(page.getByRole('heading', { name: /^Sign in to/ })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const ofSession = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('provider-login')))

test('4.4 a broker’s customer logs in from the login page, arrives at the redirect target, and logs out', async ({
  page,
}) => {
  await visit(page, `/auth/login?${NORTHGALE}&redirectUrl=%2Faccount%2Floans%3Fpage%3D2%23rates`)
  await expectGood(page)
  // Held until the notice has been seen, because it is shown only briefly.
  const seen = Promise.withResolvers<undefined>()
  await page.route('**/idp/auth?*', async (route) => {
    await seen.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Log in with Northgale ID' }).click()
  await expect(dialog(page, 'Login Redirecting')).toBeVisible()
  seen.resolve(undefined)
  await expect(page.getByRole('heading', { name: 'Sign in to Northgale ID' })).toBeVisible()
  await expectGood(page)
  await signInAtProvider(page, PROVIDER_PEOPLE.customer)
  await expect(page).toHaveURL('/account/loans?page=2#rates')
  expect(await ofSession(page)).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('jwt'))).toMatch(/^Bearer /)

  // Back leads to the page of the finished login, which continues with the session.
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
  await onDashboard(page, PROVIDER_PEOPLE.customer.email)
  const menu = await openAccountMenu(page)
  await expect(menu.getByText('with the login of your organization')).toBeVisible()

  await page.goto('/auth/logout')
  await expect(page.getByRole('heading', { name: 'Sign out here too?' })).toBeVisible()
  await expectGood(page)
  expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/auth/login')
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/auth\/login\?redirectUrl=%2Fdashboard/)
})

test('4.11 offline, nothing replaces the page or what was typed, and the button works again afterwards', async ({
  page,
  context,
  complaints,
}) => {
  await visit(page, `/auth/login?${NORTHGALE}`)
  const email = page.getByLabel('Email', { exact: true })
  await context.setOffline(true)
  // Typed offline, so that no part of the page was loaded before.
  await email.fill('ada@people.example')
  const provider = page.getByRole('button', { name: 'Log in with Northgale ID' })
  await provider.click()
  await expect(page.getByRole('alert')).toContainText('We could not reach the server.')
  await page.getByRole('link', { name: 'Register here' }).click()
  await expect(page.getByText('You are offline')).toBeVisible()
  await expect(email).toHaveValue('ada@people.example')
  await context.setOffline(false)
  await expect(page.getByText('You are offline')).toBeHidden()
  await provider.click()
  await expect(page.getByRole('heading', { name: 'Sign in to Northgale ID' })).toBeVisible()
  complaints.length = 0
})

test('4.4 an address of the provider’s domain leads there from the form; any other logs in here', async ({
  page,
}) => {
  await visit(page, `/auth/login?${NORTHGALE}`)
  const email = page.getByLabel('Email', { exact: true })
  const password = page.getByLabel('Password', { exact: true })
  await email.fill('nobody@elsewhere.example')
  await password.fill('a password')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByText('The email or password is incorrect.')).toBeVisible()

  await email.fill(PROVIDER_PEOPLE.customer.email)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Northgale ID' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(PROVIDER_PEOPLE.customer.email)
  await signInAtProvider(page, PROVIDER_PEOPLE.customer)
  await expect(page).toHaveURL('/dashboard')
})

test(
  '4.4 an existing account is linked with an emailed code, and the next step after a refusal works',
  EXHAUSTIVE,
  async ({ page, portico }) => {
    await visit(page, `/auth/login?${NORTHGALE}`)
    await page.getByRole('button', { name: 'Log in with Northgale ID' }).click()
    await signInAtProvider(page, PROVIDER_PEOPLE.guest)
    await expect(
      page.getByRole('heading', { name: 'You cannot log in with this account' }),
    ).toBeVisible()
    await expectGood(page)
    await page.getByRole('link', { name: 'Go to the login page' }).click()
    await ready(page)

    // With the address, the provider asks again instead of using the guest's session.
    await page.getByLabel('Email', { exact: true }).fill(PROVIDER_PEOPLE.known.email)
    await page.getByLabel('Use one-time passcode for logging into my account').check()
    await page.getByRole('button', { name: 'Send email' }).click()
    await signInAtProvider(page, PROVIDER_PEOPLE.known)
    await expect(page.getByRole('heading', { name: 'Connect your account' })).toBeVisible()
    await ready(page)
    await expectGood(page)
    await codeField(page).fill(await portico.passcode(PROVIDER_PEOPLE.known.email))
    await onDashboard(page, PROVIDER_PEOPLE.known.email)
  },
)

test(
  '4.4 a broker agent heading to /portfolio arrives there, and with a session stays on the login page',
  EXHAUSTIVE,
  async ({ page }) => {
    await visit(page, '/auth/login?orgCode=FIGURE_WHOLESALE&redirectUrl=%2Fportfolio%2Floans')
    await page.getByRole('button', { name: 'Log in with Willow Brokers' }).click()
    await signInAtProvider(page, PROVIDER_PEOPLE.agent)
    await expect(page).toHaveURL('/portfolio/loans')
    await visit(page, '/auth/login?orgCode=FIGURE_WHOLESALE&redirectUrl=%2Fportfolio%2Floans')
    await expect(page.getByRole('button', { name: 'Log in with Willow Brokers' })).toBeVisible()
    // Back at the return of the login, and after a reload, nothing breaks.
    await page.goto('/auth/login?state=x&orgCode=FIGURE_WHOLESALE')
    await expect(page).toHaveURL('/dashboard')
  },
)

test('4.4 a customer and a broker agent log in by SAML and log out; the security page names the provider', async ({
  page,
}) => {
  await visit(page, '/auth/login?orgCode=FERNHOLLOW')
  await page.getByRole('button', { name: 'Log in with Fernhollow ID' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Fernhollow ID' })).toBeVisible()
  await expectGood(page)
  await signInAtProvider(page, SAML_PEOPLE.customer)
  await onDashboard(page, SAML_PEOPLE.customer.email)
  await page.goto('/dashboard/security')
  await expect(page.getByText('You log in with Fernhollow ID.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Password' })).toHaveCount(0)
  await page.goto('/auth/logout')
  await expect(page).toHaveURL('/auth/login')
  // The session at the provider has ended too.
  await visit(page, '/auth/login?orgCode=FERNHOLLOW')
  await page.getByRole('button', { name: 'Log in with Fernhollow ID' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { name: 'You are not logged in' })).toBeVisible()

  await visit(page, '/auth/login?orgCode=GRANITE_LOOP&redirectUrl=%2Fportfolio')
  await page.getByRole('button', { name: 'Log in with Quarry Brokers' }).click()
  await signInAtProvider(page, SAML_PEOPLE.agent)
  await expect(page).toHaveURL('/portfolio')
})
