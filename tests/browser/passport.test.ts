/** The gatekeeper and the investor passport (4.9, 4.10). */
import type { Page } from '@playwright/test'
import { expectGood } from './support/accessible.ts'
import { DESKTOP_ONLY, expect, type Portico, STRONG_PASSWORD, test } from './support/portico.ts'
import { logIn, ready, register, visit } from './support/steps.ts'

const REQUEST = new URLSearchParams({
  intent: '506b',
  redirectUrl: '/account/loans?id=1',
  incompleteRedirectUrl: '/account',
})

/** The page without its frame. */
const CONTENT = { include: '#content' }

/** Registers a person with a hosted account, which is their default. */
async function anInvestor(page: Page, portico: Portico): Promise<string> {
  const email = await register(page, portico)
  await page.evaluate(async () => {
    await fetch('/service-wallet/secure/api/v1/account/hosted', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: localStorage.getItem('jwt') ?? '',
      },
      body: JSON.stringify({ name: 'Everyday', default: true }),
    })
  })
  return email
}

const next = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

async function fillIn(page: Page, answers: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, answer] of Object.entries(answers)) {
    await page.getByLabel(label, { exact: true }).fill(answer)
  }
}

test('4.10 a flow request leads through the passport, also on another device, and back', async ({
  page,
  browser,
  portico,
}) => {
  const email = await anInvestor(page, portico)
  await page.goto(`/auth/gatekeeper?${REQUEST}`)
  await expect(page).toHaveURL('/universal-passport/onboarding/type-of-investor')
  await ready(page)
  await expectGood(page, CONTENT)
  await page.getByText('For myself').click()
  await next(page)
  await expect(heading(page, 'About you')).toBeVisible()
  await next(page)
  await expect(page.getByText('4 answers need your attention')).toBeVisible()
  await expectGood(page, CONTENT)
  await fillIn(page, {
    'First name': 'Iris',
    'Last name': 'Individual',
    'Date of birth': '1984-02-29',
    'Phone number': '(201) 555-0123',
  })
  await next(page)
  await expect(heading(page, 'Address')).toBeVisible()
  await page.getByLabel('Country', { exact: true }).selectOption('US')
  await fillIn(page, { 'Street and number': '1 Harbor Street', City: 'Portland' })
  await page.getByLabel('City', { exact: true }).blur()
  await expect(page.getByText(/^Saved /)).toBeVisible()

  // Another device continues at the first gap.
  const context = await browser.newContext({ baseURL: portico.url, reducedMotion: 'reduce' })
  const other = await context.newPage()
  await visit(other, '/auth/login')
  await logIn(other, { email, password: STRONG_PASSWORD })
  await expect(other).toHaveURL('/dashboard')
  await other.goto(`/auth/gatekeeper?${REQUEST}`)
  await expect(heading(other, 'Address')).toBeVisible()
  await expect(other.getByLabel('City', { exact: true })).toHaveValue('Portland')
  await expectGood(other, CONTENT)
  await fillIn(other, { 'State or region': 'ME', 'Postal code': '04101' })
  await next(other)
  await other.getByLabel('Country of citizenship').selectOption('US')
  await fillIn(other, { 'Tax number': '123-45-6789' })
  await next(other)
  await expect(heading(other, 'Accreditation')).toBeVisible()
  await other.getByText('Income over $200,000').click()
  await other.getByLabel('I confirm that this is true.').check()
  await expectGood(other, CONTENT)
  await next(other)
  await expect(heading(other, 'Check and submit')).toBeVisible()
  await expect(other.getByText('•••••6789')).toBeVisible()
  await expectGood(other, CONTENT)
  await other.getByRole('button', { name: 'Submit' }).click()
  await expect(other).toHaveURL('/account/loans?id=1')

  // 4.10 the same request is complete now: it continues at once.
  await other.goto(`/auth/gatekeeper?${REQUEST}`)
  await expect(other).toHaveURL('/account/loans?id=1')
  await visit(other, '/universal-passport')
  await expect(other.getByText('In review')).toHaveCount(2)
  await expectGood(other, CONTENT)
  await context.close()
})

test(
  '5 a request that violates a rule is logged and leads nowhere, with a way on',
  DESKTOP_ONLY,
  async ({ page, portico }) => {
    await register(page, portico)
    const warnings: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text())
    })
    for (const [query, rule] of [
      [`${REQUEST}&admin=true`, 'an unknown parameter'],
      [`${REQUEST}&intent=506c`, 'intent: occurs more than once'],
      [encodeURIComponent(`${REQUEST}`), 'an unknown parameter'],
      [`${REQUEST}&offeringAddress=tp1x`, 'Offering Address requires an offering attribute'],
      [`${REQUEST}&description=${'a'.repeat(10_000)}`, 'The request is too long'],
    ] as const) {
      await page.goto(`/auth/gatekeeper?${query}`)
      await expect(heading(page, 'This link does not work')).toBeVisible()
      expect(warnings.at(-1)).toContain(rule)
    }
    await expectGood(page)
    await page.goto(`/auth/gatekeeper?${REQUEST}&description=${'a'.repeat(100_000)}`)
    await expect(heading(page, 'This link does not work')).toBeVisible()
    await page.getByRole('link', { name: 'Go to your dashboard' }).click()
    await expect(page).toHaveURL('/dashboard')
  },
)

test(
  '2.2 a flow request requires a signed-in identity, and is continued after the login',
  DESKTOP_ONLY,
  async ({ page, browser, portico }) => {
    const email = await register(page, portico)
    const context = await browser.newContext({ baseURL: portico.url })
    const other = await context.newPage()
    await other.goto(`/auth/gatekeeper?${REQUEST}`)
    await expect(other).toHaveURL(/\/auth\/login\?redirectUrl=%2Fauth%2Fgatekeeper/)
    await ready(other)
    await logIn(other, { email, password: STRONG_PASSWORD })
    await expect(other).toHaveURL('/universal-passport/onboarding/type-of-investor')
    await other.getByRole('link', { name: 'Continue without a passport' }).click()
    await expect(other).toHaveURL('/account')
    await context.close()
  },
)
