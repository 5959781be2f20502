/** The second step with each factor, and without any. */
import type { Page } from '@playwright/test'
import { authenticatorCode } from '../support/authenticator.ts'
import { PEOPLE, RECOVERY_ANSWERS } from '../support/people.ts'
import { expectAccessible } from './support/accessible.ts'
import {
  DESKTOP_FIRST,
  DESKTOP_ONLY,
  EXHAUSTIVE,
  expect,
  type Portico,
  test,
} from './support/portico.ts'
import { dialog, logIn, onDashboard, visit } from './support/steps.ts'

type Person = { readonly email: string; readonly password: string }

const modal = (page: Page) => dialog(page, 'Two-step verification')

async function firstFactor(page: Page, person: Person): Promise<void> {
  await visit(page, '/auth/login')
  await logIn(page, person)
  await expect(modal(page)).toBeVisible()
}

const sentTo = async (portico: Portico, address: string) => (await portico.subjects(address)).length

test('4.5 an authenticator application signs in', DESKTOP_FIRST, async ({ page }) => {
  await firstFactor(page, PEOPLE.totp)
  await page.getByLabel('Verification code').fill(authenticatorCode(PEOPLE.totp.secret, Date.now()))
  await onDashboard(page, PEOPLE.totp.email)
})

test(
  '4.5 if exactly one method exists and it is not TOTP, a code is sent automatically',
  EXHAUSTIVE,
  async ({ page, portico }) => {
    const before = await sentTo(portico, PEOPLE.email.email)
    await firstFactor(page, PEOPLE.email)
    await expect(modal(page).getByText('Code Sent')).toBeVisible()
    await expect(modal(page).getByRole('button', { name: 'Back' })).toBeHidden()
    await expect.poll(() => sentTo(portico, PEOPLE.email.email)).toBe(before + 1)
    await page.getByLabel('Verification code').fill(await portico.passcode(PEOPLE.email.email))
    await onDashboard(page, PEOPLE.email.email)
  },
)

test(
  '4.5 going Back sends no new code, and a wrong code says so',
  EXHAUSTIVE,
  async ({ page, portico }) => {
    await firstFactor(page, PEOPLE.all)
    const before = await sentTo(portico, PEOPLE.all.email)
    const email = modal(page).getByRole('button', { name: /^Email a code to/ })
    await email.click()
    await expect(modal(page).getByText('Code Sent')).toBeVisible()
    await page.getByLabel('Verification code').fill('000000')
    await expect(modal(page).getByRole('alert')).toContainText('The passcode is incorrect.')
    await modal(page).getByRole('button', { name: 'Back' }).click()
    await email.click()
    await expect(modal(page).getByText('earlier is still valid')).toBeVisible()
    await expect.poll(() => sentTo(portico, PEOPLE.all.email)).toBe(before + 1)
  },
)

test('4.5 a code texted to the phone signs in', DESKTOP_ONLY, async ({ page, portico }) => {
  const { email, phone: number } = PEOPLE.phone
  const before = await sentTo(portico, number)
  await firstFactor(page, PEOPLE.phone)
  await expect(modal(page).getByText('Code Sent')).toBeVisible()
  await expect.poll(() => sentTo(portico, number)).toBe(before + 1)
  await page.getByLabel('Verification code').fill(await portico.passcode(number))
  await onDashboard(page, email)
})

test(
  '4.5 changing from email to phone sends one code of each, and the last one signs in',
  EXHAUSTIVE,
  async ({ page, portico }) => {
    const { email, phone: number } = PEOPLE.all
    const sent = async () => [await sentTo(portico, email), await sentTo(portico, number)] as const
    const [mails, texts] = await sent()
    await firstFactor(page, PEOPLE.all)
    await expect(page.getByText('Choose how to confirm')).toBeVisible()
    await expectAccessible(page)
    for (const name of [/^Email a code to/, /^Text a code to/, /^Email a code to/]) {
      await modal(page).getByRole('button', { name }).click()
      await expect(modal(page).getByText('Code Sent')).toBeVisible()
      await modal(page).getByRole('button', { name: 'Back' }).click()
    }
    await modal(page)
      .getByRole('button', { name: /^Text a code to/ })
      .click()
    await expect.poll(sent).toEqual([mails + 1, texts + 1])
    await page.getByLabel('Verification code').fill(await portico.passcode(number))
    await onDashboard(page, email)
  },
)

test(
  '4.5 a reload returns to the same method and sends no new code',
  EXHAUSTIVE,
  async ({ page, portico }) => {
    const { email } = PEOPLE.email
    const before = await sentTo(portico, email)
    await firstFactor(page, PEOPLE.email)
    await expect(modal(page).getByText('Code Sent')).toBeVisible()
    await page.reload()
    await expect(modal(page).getByText('earlier is still valid')).toBeVisible()
    await expect.poll(() => sentTo(portico, email)).toBe(before + 1)
    await page.getByLabel('Verification code').fill(await portico.passcode(email))
    await onDashboard(page, email)
  },
)

test('4.5 a reload during a question asks the same one', EXHAUSTIVE, async ({ page }) => {
  await firstFactor(page, PEOPLE.questions)
  await modal(page).getByRole('button', { name: 'Forgot 2FA?' }).click()
  const question = await modal(page).locator('label').innerText()
  await page.reload()
  await expect(modal(page).getByLabel(question)).toBeVisible()
  await modal(page).getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeEnabled()
  await expect(modal(page)).toBeHidden()
})

test(
  '8 an expired first factor closes the modal, says so and starts again',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    const response = page.waitForResponse(/\/v2\/login$/)
    await firstFactor(page, PEOPLE.recovery)
    const { twoFactorOptions } = await (await response).json()
    // Completed in another tab, it is no longer pending here.
    await fetch(`${portico.url}/identity/api/v1/recovery-code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: portico.url },
      body: JSON.stringify({ loginUuid: twoFactorOptions.loginUuid, code: 'demo-0000-0000-0002' }),
    })
    await page.getByLabel('Verification code').fill('000000')
    await expect(modal(page)).toBeHidden()
    const alert = page.getByRole('alert').filter({ hasText: 'First factor is expired' })
    await expect(alert).toContainText('First factor is expired, please start a new login.')
    await page.getByLabel('Password', { exact: true }).fill(PEOPLE.recovery.password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(modal(page)).toBeVisible()
  },
)

test('4.5 a user who lost the phone answers a question', DESKTOP_ONLY, async ({ page }) => {
  await firstFactor(page, PEOPLE.questions)
  await modal(page).getByRole('button', { name: 'Forgot 2FA?' }).click()
  await modal(page).getByRole('button', { name: 'Continue' }).click()
  await expect(modal(page).getByText('Please enter your answer.')).toBeVisible()
  const question = await modal(page).locator('label').innerText()
  await expectAccessible(page)
  await modal(page)
    .getByLabel(question)
    .fill(RECOVERY_ANSWERS[question] ?? '')
  await modal(page).getByRole('button', { name: 'Continue' }).click()
  await onDashboard(page, PEOPLE.questions.email)
})

test('4.5 a recovery code signs in, once', DESKTOP_ONLY, async ({ page }) => {
  const redeem = async () => {
    await firstFactor(page, PEOPLE.recovery)
    await modal(page).getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill('demo-0000-0000-0001')
    await modal(page).getByRole('button', { name: 'Continue' }).click()
  }
  await redeem()
  await onDashboard(page, PEOPLE.recovery.email)
  await page.goto('/auth/logout')
  await expect(page).toHaveURL(/\/auth\/login/)
  await redeem()
  await expect(modal(page).getByRole('alert')).toBeVisible()
  await expectAccessible(page)
})

test(
  '8 without recovery questions the user is told to contact support',
  DESKTOP_ONLY,
  async ({ page }) => {
    await firstFactor(page, PEOPLE.phone)
    await modal(page).getByRole('button', { name: 'Forgot 2FA?' }).click()
    await expect(
      modal(page).getByText(
        'You do not have any two-factor recovery methods configured. Please contact customer support for assistance.',
      ),
    ).toBeVisible()
    await expect(modal(page).getByRole('link')).toHaveAttribute('href', /^tel:/)
  },
)

test('4.5 closing the modal leads back to the form', DESKTOP_FIRST, async ({ page }) => {
  await firstFactor(page, PEOPLE.totp)
  await modal(page).getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('The code is required.')).toBeVisible()
  await expectAccessible(page)
  await modal(page).getByRole('button', { name: 'Close' }).click()
  await expect(modal(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeEnabled()
})
