import { PEOPLE } from '../support/people.ts'
import { EXHAUSTIVE, expect, newEmail, STRONG_PASSWORD, test } from './support/portico.ts'
import {
  choosePassword,
  codeField,
  dialog,
  logIn,
  newPerson,
  onDashboard,
  submitEmail,
  verifyEmail,
  visit,
} from './support/steps.ts'

test('2.1 the root and unknown paths lead to the login page', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/auth\/login$/)
  await page.goto('/auth/nowhere?label=apollo')
  await expect(page).toHaveURL(/\/auth\/login/)
})

test('2.2 /login/register leads to /register with its query', async ({ page }) => {
  await page.goto('/auth/login/register?email=ada%40people.example&label=apollo')
  await expect(page).toHaveURL('/auth/register?email=ada%40people.example&label=apollo')
})

test('2.4 an email parameter is prefilled and disabled on /register, with a note on wrong invites', async ({
  page,
}) => {
  await visit(page, '/auth/register?email=ada%40people.example')
  const email = page.getByLabel('Email', { exact: true })
  await expect(email).toHaveValue('ada@people.example')
  await expect(email).toBeDisabled()
  await expect(page.getByText(/new invite/)).toBeVisible()
})

test('3 otp=true sends a passcode automatically, once, even after a reload and Back', async ({
  page,
  portico,
}) => {
  const email = await newPerson(portico)
  const sent = (await portico.subjects(email)).length
  await visit(page, `/auth/login?otp=true&email=${encodeURIComponent(email)}`)
  await expect(codeField(page)).toBeVisible()
  await expect.poll(async () => (await portico.subjects(email)).length).toBe(sent + 1)
  await page.reload()
  await expect(codeField(page)).toBeVisible()
  await page.goto('/auth/register')
  await page.goBack()
  await expect(codeField(page)).toBeVisible()
  expect(await portico.subjects(email)).toHaveLength(sent + 1)
})

test("4.4 in a new-user flow a passcode leads to 'Set a password for your account'", async ({
  page,
  portico,
}) => {
  const email = await newPerson(portico)
  const before = await portico.passcode(email)
  await visit(page, `/auth/login?flow=new-user&email=${encodeURIComponent(email)}`)
  await expect(
    page.getByText('Continue your application by logging into your account.'),
  ).toBeVisible()
  await expect(page.getByText('Register here')).toBeHidden()
  await expect(page.getByText('Mortgage signer with access code')).toBeHidden()
  await page.getByLabel('Use one-time passcode for logging into my account').check()
  await page.getByRole('button', { name: 'Send email' }).click()
  const code = codeField(page)
  await expect(page.getByText(/10 minutes/).first()).toBeVisible()
  await code.fill(await portico.passcode(email, before))
  await expect(dialog(page, 'Set a password for your account')).toBeVisible()
})

test("4.4 with a session, another person's email parameter logs out first", async ({ page }) => {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)
  await visit(page, '/auth/login?email=somebody%40people.example')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('somebody@people.example')
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/auth\/login\?redirectUrl=%2Fdashboard/)
})

test('4.4 with a session the login page continues to the redirect target', async ({ page }) => {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)
  await page.goto('/auth/login?redirectUrl=%2Faccount%2Floans')
  await expect(page).toHaveURL('/account/loans')
  await page.goto('/auth/login?redirectUrl=https%3A%2F%2Fevil.example')
  await expect(page).toHaveURL('/dashboard')
})

test('4.4 a broker agent heading to /portfolio stays on the login page', async ({ page }) => {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.broker)
  await onDashboard(page, PEOPLE.broker.email)
  await visit(page, '/auth/login?redirectUrl=%2Fportfolio%2Floans')
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('4.6 flow=wallet leads from registering to creating a wallet', async ({ page, portico }) => {
  const email = newEmail()
  await visit(page, '/auth/register?flow=wallet')
  await submitEmail(page, email)
  await verifyEmail(page, portico, email)
  await choosePassword(page, STRONG_PASSWORD)
  await expect(page).toHaveURL(/\/auth\/wallet\/create-wallet/)
  await expect(dialog(page, 'Create Figure Wallet')).toBeVisible()
})

for (const [label, name, details] of [
  ['apollo', 'Apollo', {}],
  ['hamilton', 'Hamilton', EXHAUSTIVE],
  ['outpost', 'Outpost', EXHAUSTIVE],
  ['novawulf', 'NovaWulf', EXHAUSTIVE],
] as const) {
  test(
    `2.3 the label ${label} shows its logo, even from inside redirectUrl`,
    details,
    async ({ page }) => {
      for (const query of [
        `label=${label}`,
        `redirectUrl=${encodeURIComponent(`/account?label=${label}`)}`,
      ]) {
        await visit(page, `/auth/login?${query}`)
        await expect(page.getByRole('img', { name }).first()).toBeVisible()
        await expect(page.locator('html')).toHaveAttribute('data-label', label)
      }
    },
  )
}

test('5 an unknown label is ignored', async ({ page }) => {
  await visit(page, '/auth/login?label=acme')
  await expect(page.locator('html')).not.toHaveAttribute('data-label', /./)
})

for (const [orgCode, heading, registerHere, signer] of [
  ['FIGURE', 'Log in to Figure', true, true],
  ['FIGURE_WHOLESALE', 'Log in to Figure Wholesale', false, true],
  ['FIGURE_NEW_YORK', 'Log in to Figure New York', true, true],
  ['FIGURE_MARKETS_CREDIT', 'Log in to Figure Markets Credit', true, true],
  ['CEDAR_POINT', 'Log in to your HELOC account with Cedar Point Lending', true, true],
  ['HARBORLINE', 'Log in to your HELOC account with Harborline Mortgage', true, true],
  ['JUNIPER_CREDIT', 'Log in to Juniper Credit', true, false],
] as const) {
  test(`2.3 the login page of ${orgCode}`, async ({ page }) => {
    await visit(page, `/auth/login?orgCode=${orgCode}`)
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await expect(page.getByText('Register here')).toBeVisible({ visible: registerHere })
    await expect(page.getByText('Mortgage signer with access code')).toBeVisible({
      visible: signer,
    })
  })
}
