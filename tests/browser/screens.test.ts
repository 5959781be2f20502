/** Screens on a wide screen and a phone, light and dark: axe finds nothing and nothing overflows. */
import type { Page } from '@playwright/test'
import { PEOPLE } from '../support/people.ts'
import { expectGood, expectGoodInBothSchemes } from './support/accessible.ts'
import {
  DESKTOP_ONLY,
  EXHAUSTIVE,
  expect,
  newEmail,
  type Portico,
  test,
} from './support/portico.ts'
import {
  codeField,
  dialog,
  logIn,
  onDashboard,
  requestPasscode,
  submitEmail,
  visit,
} from './support/steps.ts'

interface Screen {
  readonly name: string
  readonly show: (page: Page, portico: Portico) => Promise<void>
  /** It consists of parts of another screen. */
  readonly isVariant?: true
}

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

async function expectGoodAtBothSizes(page: Page): Promise<void> {
  await expectGoodInBothSchemes(page)
  await page.setViewportSize(PHONE)
  await expectGood(page)
  await page.setViewportSize(WIDE)
}

const SCREENS: readonly Screen[] = [
  {
    name: 'login, also with errors and refused',
    async show(page) {
      await visit(page, '/auth/login')
      await expectGoodAtBothSizes(page)
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      await expect(page.getByText('Please enter your email')).toBeVisible()
      await expectGoodAtBothSizes(page)
      await logIn(page, { email: newEmail(), password: 'not-the-password-1' })
      await expect(page.getByRole('alert').first()).toBeVisible()
    },
  },
  {
    name: 'login in a new-user flow with a label',
    isVariant: true,
    show: (page) =>
      visit(page, '/auth/login?flow=new-user&label=apollo&email=ada%40people.example'),
  },
  {
    name: 'login of a HELOC partner',
    isVariant: true,
    show: (page) => visit(page, '/auth/login?orgCode=CEDAR_POINT'),
  },
  {
    name: 'passcode entry',
    isVariant: true,
    async show(page) {
      await visit(page, '/auth/login')
      await requestPasscode(page, newEmail())
      await expect(codeField(page)).toBeVisible()
    },
  },
  { name: 'register', isVariant: true, show: (page) => visit(page, '/auth/register') },
  {
    name: 'register by invitation',
    isVariant: true,
    show: (page) => visit(page, '/auth/register?email=ada%40people.example'),
  },
  {
    name: 'register: passcode, then password',
    async show(page, portico) {
      const email = newEmail()
      await visit(page, '/auth/register')
      await submitEmail(page, email)
      await expect(codeField(page)).toBeVisible()
      await expectGoodAtBothSizes(page)
      await codeField(page).fill(await portico.passcode(email))
      await page.locator('input[autocomplete="new-password"]').first().fill('abc')
      await page.keyboard.press('Tab')
    },
  },
  {
    name: 'reset password',
    isVariant: true,
    async show(page, portico) {
      await visit(page, '/auth/login?flow=new-user')
      const email = 'piet.passcode@portico.example'
      await requestPasscode(page, email)
      await expect(codeField(page)).toBeVisible()
      await codeField(page).fill(await portico.passcode(email))
      await expect(dialog(page, 'Set a password for your account')).toBeVisible()
    },
  },
  {
    name: 'dashboard',
    async show(page) {
      await visit(page, '/auth/login')
      await logIn(page, PEOPLE.plain)
      await onDashboard(page, PEOPLE.plain.email)
    },
  },
  { name: 'not found', isVariant: true, show: (page) => visit(page, '/nowhere') },
]

for (const { name, show, isVariant } of SCREENS) {
  test(
    `2.8 ${name}: axe finds nothing and nothing overflows`,
    isVariant ? EXHAUSTIVE : DESKTOP_ONLY,
    async ({ page, portico }) => {
      await show(page, portico)
      await expectGoodAtBothSizes(page)
    },
  )
}

test('/dev/mailbox and /docs/plain: axe finds nothing', EXHAUSTIVE, async ({ page }) => {
  for (const path of ['/dev/mailbox', '/docs/plain']) {
    await page.goto(path)
    // A mail's frame runs no scripts, so axe would time out in it.
    await page.evaluate(() => {
      for (const frame of document.querySelectorAll('iframe')) frame.remove()
    })
    await expectGoodInBothSchemes(page)
  }
})
