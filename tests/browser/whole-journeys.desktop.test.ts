/** Whole journeys, each on a fresh data directory: from the first page or mail to the signed-in application. */
import type { Page } from '@playwright/test'
import { PEOPLE } from '../support/people.ts'
import { startServer } from '../support/server-process.ts'
import {
  test as base,
  EXHAUSTIVE,
  expect,
  newEmail,
  type Portico,
  porticoAt,
  STRONG_PASSWORD,
  watch,
} from './support/portico.ts'
import {
  choosePassword,
  codeField,
  dialog,
  logIn,
  onDashboard,
  openPage,
  register,
  submitEmail,
  verifyEmail,
  visit,
} from './support/steps.ts'

const test = base.extend<{ fresh: Portico }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from this pattern
  fresh: async ({}, use) => {
    await using server = await startServer()
    await use(porticoAt(server.url))
  },
  baseURL: ({ fresh }, use) => use(fresh.url),
})

const panel = (page: Page) => page.frameLocator('#figure-wallet-hosted > iframe')

/** The navigation leads from Home to the passport, which can be started. */
async function startPassport(page: Page): Promise<void> {
  await openPage(page, 'Passport')
  await page.getByRole('main').getByRole('link', { name: 'Start', exact: true }).click()
  await expect(page).toHaveURL('/universal-passport/onboarding/type-of-investor')
}

test(
  '2.5 4.7 a partner’s customer, from the partner’s mail to the passport',
  EXHAUSTIVE,
  async ({ page, fresh }) => {
    const email = newEmail()
    await visit(page, `/auth/credit-karma/register?email=${encodeURIComponent(email)}`)
    await expect(page.getByRole('heading', { name: "You've got mail!" })).toBeVisible()
    const mailbox = await fetch(`${fresh.url}/dev/mailbox/messages?to=${encodeURIComponent(email)}`)
    const [newest] = (await mailbox.json()) as { text: string }[]
    await page.goto(/https?:\/\/\S+\/credit-karma\/\S+/.exec(newest?.text ?? '')?.[0] ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { name: 'Create Password' })).toBeVisible()
    await choosePassword(page, STRONG_PASSWORD)
    await onDashboard(page, email)
    await startPassport(page)
  },
)

test(
  '4.4 a new user with a one-time code, who then sets a password',
  EXHAUSTIVE,
  async ({ page, fresh }) => {
    const email = newEmail()
    await visit(page, '/auth/register')
    await submitEmail(page, email)
    await verifyEmail(page, fresh, email)
    // The application is continued on another day, from the lender's link.
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    const before = await fresh.passcode(email)
    const query = new URLSearchParams({ flow: 'new-user', otp: 'true', email })
    await visit(page, `/auth/login?${query}`)
    await codeField(page).fill(await fresh.passcode(email, before))
    const choosing = dialog(page, 'Set a password for your account')
    await choosePassword(choosing, STRONG_PASSWORD)
    await onDashboard(page, email)
    await startPassport(page)
  },
)

test('4.6 4.8 4.10 a new user with a hosted account, through the gatekeeper', async ({
  page,
  fresh,
}) => {
  const email = newEmail()
  await visit(page, '/auth/register?flow=wallet')
  await submitEmail(page, email)
  await verifyEmail(page, fresh, email)
  await choosePassword(page, STRONG_PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Account Name').fill('Everyday')
  await page.getByRole('button', { name: 'Submit' }).click()
  await panel(page).getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page).toHaveURL('/universal-passport/onboarding/type-of-investor')
  await page.getByRole('link', { name: 'Continue without a passport' }).click()
  await onDashboard(page, email)
  await expect(page.getByRole('region', { name: 'Wallet' })).toContainText('Everyday')
})

test('2.7 4.2 a converted wallet acts for the person', EXHAUSTIVE, async ({ page }) => {
  await visit(page, '/auth/wallet')
  await logIn(page, PEOPLE.provenance)
  const old = page.getByRole('button', { name: /Maple Estates/ }).first()
  await old.click()
  const notice = dialog(page, 'Convert your Provenance Wallet')
  await notice.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('checkbox', { name: /^I have moved my money/ }).check()
  await page.getByRole('button', { name: 'Convert wallet' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await old.click()
  await panel(page).getByRole('button', { name: 'Connect', exact: true }).click()
  await onDashboard(page, PEOPLE.provenance.email)
  await expect(page.getByRole('button', { name: 'Acting as Maple Estates' })).toBeVisible()
  await openPage(page, 'Passport')
})

test('4.4 logging out everywhere ends each session, and the next login starts as usual', async ({
  page,
  browser,
  fresh,
  complaints,
}) => {
  const email = await register(page, fresh)
  const phone = await browser.newContext({ baseURL: fresh.url })
  const other = await phone.newPage()
  watch(other, fresh.url, complaints)
  await visit(other, '/auth/login')
  await logIn(other, { email, password: STRONG_PASSWORD })
  await onDashboard(other, email)

  await openPage(page, 'Security')
  await page.getByRole('button', { name: 'Log out everywhere', exact: true }).click()
  const question = dialog(page, 'Log out everywhere')
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  await other.goto('/dashboard')
  await expect(other).toHaveURL(/\/auth\/login\?redirectUrl=%2Fdashboard$/)
  await phone.close()
  await visit(page, '/auth/login')
  await logIn(page, { email, password: STRONG_PASSWORD })
  await onDashboard(page, email)
})
