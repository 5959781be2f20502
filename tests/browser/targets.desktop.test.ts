/** Every way of signing in leads exactly to the requested page. */
import type { Page } from '@playwright/test'
import { PEOPLE } from '../support/people.ts'
import { expect, newEmail, STRONG_PASSWORD, test } from './support/portico.ts'
import {
  choosePassword,
  dialog,
  logIn,
  ready,
  submitEmail,
  verifyEmail,
  visit,
} from './support/steps.ts'

/** URLs that one decoding too many or too few would change. */
const HARD_TARGETS = [
  '/dashboard?q=a%20b%26c',
  '/dashboard?q=a%26b&r=%2525&s=100%',
  '/dashboard?redirectUrl=%2Floans%3Fa%3Db%26c%3Dd%2520e&plus=a+b%2Bc',
  '/account/caf%C3%A9/a%20b?next=%2F%2Fevil.example&path=c:\\a',
  '/dashboard/security?q=%23top#pass%20keys',
  '/dashboard?',
]

const asParameter = (target: string) => encodeURIComponent(target)

async function expectArrival(page: Page, origin: string, target: string): Promise<void> {
  // The browser's exact URL: a URL matcher would normalize it.
  await expect.poll(() => page.url()).toBe(`${origin}${target}`)
}

test('2.2 signing in leads exactly to the requested page', async ({ page, portico }) => {
  for (const target of HARD_TARGETS) {
    // A page that loses its session redirects to the login on its own, which would race with the next navigation.
    await page.goto('about:blank')
    await page.context().clearCookies()
    // Pages of the lender's application do not redirect to the login.
    await page.goto(
      target.startsWith('/account') ? `/auth/login?redirectUrl=${asParameter(target)}` : target,
    )
    await expect(page).toHaveURL(/\/auth\/login/)
    await page.evaluate(() => localStorage.clear())
    await ready(page)
    await logIn(page, PEOPLE.plain)
    await expectArrival(page, portico.url, target)
  }
  for (const target of HARD_TARGETS) {
    await page.goto(`/auth/login?redirectUrl=${asParameter(target)}`)
    await expectArrival(page, portico.url, target)
  }
})

test('2.2 registering leads exactly to the requested page', async ({ page, portico }) => {
  const target = HARD_TARGETS[2] ?? ''
  const email = newEmail()
  await visit(page, `/auth/login?redirectUrl=${asParameter(target)}`)
  await page.getByRole('link', { name: 'Register here' }).click()
  await submitEmail(page, email)
  await verifyEmail(page, portico, email)
  await choosePassword(page, STRONG_PASSWORD)
  await expectArrival(page, portico.url, target)
})

test('2.2 a second step leads exactly to the requested page', async ({ page, portico }) => {
  const target = HARD_TARGETS[1] ?? ''
  await visit(page, `/auth/login?redirectUrl=${asParameter(target)}`)
  const before = (await portico.subjects(PEOPLE.email.email)).length
  await logIn(page, PEOPLE.email)
  await expect(dialog(page, 'Two-step verification')).toBeVisible()
  await expect
    .poll(async () => (await portico.subjects(PEOPLE.email.email)).length)
    .toBe(before + 1)
  await page.getByLabel('Verification code').fill(await portico.passcode(PEOPLE.email.email))
  await expectArrival(page, portico.url, target)
})

test('2.2 the wallet screens keep the exact requested page', async ({ page }) => {
  const target = HARD_TARGETS[0] ?? ''
  const wallet = `/auth/wallet?note=${asParameter('a b&c')}&redirectUrl=${asParameter(target)}`
  await page.goto(wallet)
  await expect(page).toHaveURL(`/auth/login?redirectUrl=${asParameter(wallet)}`)
  await ready(page)
  await logIn(page, PEOPLE.plain)
  // Without an account the user creates one first and then returns to choose it.
  await expect(page).toHaveURL(`/auth/wallet/create-wallet?redirectUrl=${asParameter(wallet)}`)
})

test('2.4 the address in an invitation is unchanged', async ({ page }) => {
  await visit(page, '/auth/register?email=a%2520b@people.example')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('a%20b@people.example')
})
