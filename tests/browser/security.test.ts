/** The security page as its owner uses it: set up, confirm, recover, and end what should not be. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, newEmail, STRONG_PASSWORD, test, watch } from './support/portico.ts'
import { dialog, logIn, logOut, onDashboard, register, visit } from './support/steps.ts'
import { totp } from './support/totp.ts'

async function openSecurity(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Security/ }).click()
  await expect(page.getByRole('heading', { name: 'Recent activity' })).toBeVisible()
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function expectGood(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}

async function setUpTotp(page: Page): Promise<string> {
  await press(page, 'Set up an authenticator app')
  const modal = dialog(page, 'Set up an authenticator app')
  await expect(modal.getByRole('img')).toBeVisible()
  const key = (await modal.getByText(/^(?:[A-Z2-7]{4} )+[A-Z2-7]+$/).innerText()).replaceAll(
    ' ',
    '',
  )
  await modal.getByLabel('Code from the app').fill(totp(key))
  await expect(modal).toBeHidden()
  await expect(page.getByRole('button', { name: 'Remove authenticator app' })).toBeVisible()
  return key
}

test('an authenticator app is set up, and asked for at the next sign-in', async ({
  page,
  portico,
}) => {
  const email = newEmail()
  await register(page, portico, email)
  await openSecurity(page)
  await setUpTotp(page)
  await page.goto('/dashboard')
  await logOut(page)
  await logIn(page, { email, password: STRONG_PASSWORD })
  await expect(dialog(page, 'Two-step verification')).toBeVisible()
  await expect(
    page.getByText('Enter the code that your authenticator app shows now.'),
  ).toBeVisible()
})

test('recovery codes are shown once and open the second step', async ({ page, portico }) => {
  const email = newEmail()
  await register(page, portico, email)
  await openSecurity(page)
  await setUpTotp(page)
  await press(page, 'Make recovery codes')
  const modal = dialog(page, 'Recovery codes')
  await modal.getByRole('button', { name: 'Make recovery codes' }).click()
  await expect(modal.getByRole('listitem')).toHaveCount(10)
  const code = await modal.getByRole('listitem').first().innerText()
  const downloading = page.waitForEvent('download')
  await modal.getByRole('button', { name: 'Download as a text file' }).click()
  expect((await downloading).suggestedFilename()).toBe('recovery-codes.txt')
  await modal.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 of 10 left')).toBeVisible()
  await page.goto('/dashboard')
  await logOut(page)
  await logIn(page, { email, password: STRONG_PASSWORD })
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await onDashboard(page, email)
})

test('recovery questions are chosen, and answers are not shown', async ({ page, portico }) => {
  await register(page, portico, newEmail())
  await openSecurity(page)
  await press(page, 'Choose recovery questions')
  const modal = dialog(page, 'Recovery questions')
  for (const [index, name] of ['First', 'Second', 'Third'].entries()) {
    await modal.getByLabel(`${name} question`).selectOption({ index: index + 1 })
    await modal.getByLabel(`${name} answer`).fill(`Answer ${name}`)
  }
  await modal.getByRole('button', { name: 'Save questions' }).click()
  await expect(modal).toBeHidden()
  await expect(page.getByRole('button', { name: 'Change recovery questions' })).toBeVisible()
  await expect(page.getByText('Answer First')).toBeHidden()
})

test('a passkey is added, renamed, and signs in from the e-mail field', async ({
  page,
  context,
  portico,
}) => {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const email = newEmail()
  await register(page, portico, email)
  await openSecurity(page)
  await press(page, 'Add a passkey')
  const adding = dialog(page, 'Add a passkey')
  await adding.getByRole('textbox', { name: 'Name' }).fill('My laptop')
  await adding.getByRole('button', { name: 'Continue' }).click()
  await press(page, 'Rename My laptop')
  const renaming = dialog(page, 'Rename a passkey')
  await renaming.getByRole('textbox', { name: 'Name' }).fill('My desk')
  await renaming.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Remove My desk' })).toBeVisible()
  await page.goto('/dashboard')
  await logOut(page)
  await page.getByLabel('Email', { exact: true }).focus()
  await onDashboard(page, email)
  await expect(page.getByText('with a passkey')).toBeVisible()
})

test('a session in another browser is seen and ended', async ({
  page,
  browser,
  portico,
  complaints,
}) => {
  const email = newEmail()
  await register(page, portico, email)
  const elsewhere = await browser.newContext({ baseURL: portico.url })
  const other = await elsewhere.newPage()
  watch(other, portico.url, complaints)
  await visit(other, '/auth/login')
  await logIn(other, { email, password: STRONG_PASSWORD })
  await onDashboard(other, email)
  await openSecurity(page)
  await page.getByRole('button', { name: /^Sign out (?!everywhere)/ }).click()
  await dialog(page, 'Sign out a device').getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toBeHidden()
  await other.goto('/dashboard/security')
  await expect(other).toHaveURL(/\/auth\/login\?redirectUrl=%2Fdashboard%2Fsecurity/)
  await elsewhere.close()
})

test('signing out everywhere leads to the login page, and back here afterwards', async ({
  page,
  portico,
}) => {
  const email = newEmail()
  await register(page, portico, email)
  await openSecurity(page)
  await press(page, 'Sign out everywhere')
  await dialog(page, 'Sign out everywhere').getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/auth\/login\?redirectUrl=%2Fdashboard%2Fsecurity/)
})

test('without a connection the page says so, and goes on when it is back', async ({
  page,
  portico,
}) => {
  await register(page, portico, newEmail())
  await openSecurity(page)
  await press(page, 'Change password')
  const modal = dialog(page, 'Change password')
  await expect(modal).toBeVisible()
  await page.route('**/identity/secure/api/v1/security', (route) => route.abort())
  await modal.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('We could not reach the server')).toBeVisible()
  await page.unrouteAll()
  await press(page, 'Try again')
  await expect(page.getByText('We could not reach the server')).toBeHidden()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`2.8 the security page and its dialogs, ${colorScheme}: axe finds nothing and nothing overflows`, async ({
    page,
    portico,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await register(page, portico, newEmail())
    await openSecurity(page)
    await expectGood(page)
    for (const [button, title] of [
      ['Set up an authenticator app', 'Set up an authenticator app'],
      ['Add a phone', 'Add a phone'],
      ['Choose recovery questions', 'Recovery questions'],
      ['Change password', 'Change password'],
    ] as const) {
      await press(page, button)
      const modal = dialog(page, title)
      await expect(modal.getByRole('textbox').first()).toBeVisible()
      await expectGood(page)
      await modal.getByRole('button', { name: 'Close' }).click()
      await expect(modal).toBeHidden()
    }
  })
}
