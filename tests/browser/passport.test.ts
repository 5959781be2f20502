/** The gatekeeper and the investor passport (4.9, 4.10). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { PASSPORT_FILE_PART_BYTES } from '@portico/contracts/limits'
import { sendPassportFilePart } from '@portico/contracts/passport-files'
import { aPdf } from '../../apps/server/src/passport/evidence/testing.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { expectGood } from './support/accessible.ts'
import {
  DESKTOP_FIRST,
  DESKTOP_ONLY,
  EXHAUSTIVE,
  expect,
  type Portico,
  STRONG_PASSWORD,
  test,
} from './support/portico.ts'
import { logIn, newUser, ready, visit } from './support/steps.ts'

const REQUEST = new URLSearchParams({
  intent: '506b',
  redirectUrl: '/account/loans?id=1',
  incompleteRedirectUrl: '/account',
})

/** The page without its frame. */
const CONTENT = { include: '#content' }

/** Registers a person with a hosted account, which is their default. */
async function anInvestor(page: Page, portico: Portico): Promise<string> {
  const email = await newUser(page, portico)
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

test(
  '4.10 a flow request leads through the passport and back, even on another device',
  DESKTOP_FIRST,
  async ({ page, browser, portico }) => {
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
    await fillIn(page, { 'Street address': '1 Harbor Street', City: 'Portland' })
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
  },
)

test(
  '5 a request that violates a rule is logged and leads nowhere, with a next step',
  EXHAUSTIVE,
  async ({ page, portico }) => {
    await newUser(page, portico)
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
    const email = await newUser(page, portico)
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

test(
  '7.6 evidence is uploaded with progress, resumes after a lost connection and a reload, and is removed',
  DESKTOP_ONLY,
  async ({ page, context, portico }) => {
    using folder = temporaryFolder()
    const [statement, script, pretended] = [
      [
        'Statement.pdf',
        aPdf([{ dictionary: '', content: Buffer.alloc(1_000_000, 'a statement ') }]),
      ],
      ['page.svg', '<svg onload="alert(1)"/>'],
      ['page.pdf', '<script>alert(1)</script>'],
    ].map(([name, content]) => {
      const path = join(folder.path, String(name))
      writeFileSync(path, content ?? '')
      return path
    })
    const files = page.getByLabel('Files', { exact: true })
    const list = page.getByRole('list', { name: 'Your files' })
    await anInvestor(page, portico)
    await page.goto(
      '/auth/gatekeeper?intent=506c&option=EDIT_ATTESTATION_VERIFICATION&redirectUrl=/account',
    )
    await page.getByText('For myself').click()
    await next(page)
    await expect(heading(page, 'Proof of your attestation')).toBeVisible()

    // A file that is not a document is refused: by its name before the upload, otherwise by its content.
    await files.setInputFiles([`${script}`, `${pretended}`])
    const refused = list.getByText('Please add a PDF, JPEG or PNG file', { exact: false })
    await expect(refused).toHaveCount(2)
    await page.getByRole('button', { name: 'Close page.svg' }).click()
    await page.getByRole('button', { name: 'Close page.pdf' }).click()
    await expect(list).toBeHidden()

    // The connection is cut at the second part, and comes back.
    const isPart = (url: URL) => url.pathname === sendPassportFilePart.path
    await page.route(isPart, async (route) => {
      if (!route.request().url().includes(`offset=${PASSPORT_FILE_PART_BYTES}`)) {
        await route.continue()
        return
      }
      await context.setOffline(true)
      await route.abort('connectionreset')
    })
    await files.setInputFiles(`${statement}`)
    await expect(list.getByText('Interrupted at 26%')).toBeVisible()
    await page.unroute(isPart)
    await expectGood(page, CONTENT)
    // The upload stops before the third part, so that the user can leave the page midway.
    await page.route(isPart, (route) =>
      route
        .request()
        .url()
        .includes(`offset=${2 * PASSPORT_FILE_PART_BYTES}`)
        ? undefined
        : route.continue(),
    )
    await context.setOffline(false)
    await expect(list.getByText('52% of 1.0 MB')).toBeVisible()
    await expect(page.getByLabel('Upload of Statement.pdf')).toHaveAttribute('value', '52')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.unroute(isPart)
    await expect(list.getByText('Interrupted at 52%. Choose this file again')).toBeVisible()
    await page.getByLabel('The file Statement.pdf').setInputFiles(`${statement}`)
    await expect(list.getByText(/^1\.0 MB, added /)).toBeVisible()

    await page.getByRole('button', { name: 'Remove Statement.pdf' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(list).toBeHidden()
    await page.reload()
    await expect(heading(page, 'Proof of your attestation')).toBeVisible()
    await expect(list).toBeHidden()
  },
)

test(
  '7.6 Back asks before an answer that could not be saved is lost',
  DESKTOP_ONLY,
  async ({ page, context, portico }) => {
    await anInvestor(page, portico)
    await visit(page, '/universal-passport')
    await page.getByRole('link', { name: 'Start' }).click()
    await page.getByText('For myself').click()
    await next(page)
    await expect(heading(page, 'About you')).toBeVisible()
    await context.setOffline(true)
    await fillIn(page, { 'First name': 'Iris' })
    await page.getByLabel('Last name').focus()
    await expect(page.getByText('Not saved')).toBeVisible()
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => window.history.back())
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await context.setOffline(false)
    await expect(page.getByText(/^Saved /)).toBeVisible()
    await expect(page.getByLabel('First name')).toHaveValue('Iris')
  },
)
