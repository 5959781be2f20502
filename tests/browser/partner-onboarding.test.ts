/** Partner onboarding from the partner's link, from the mail, and with errors (§2.5, §4.7). */
import type { Page } from '@playwright/test'
import { expectGood } from './support/accessible.ts'
import {
  DESKTOP_FIRST,
  DESKTOP_ONLY,
  EXHAUSTIVE,
  expect,
  newEmail,
  type Portico,
  STRONG_PASSWORD,
  test,
} from './support/portico.ts'
import { choosePassword, codeField, onDashboard, ready, visit } from './support/steps.ts'

const PATH = '/auth/credit-karma/register'
const gotMail = (page: Page) => page.getByRole('heading', { name: "You've got mail!" })
const createPassword = (page: Page) => page.getByRole('heading', { name: 'Create Password' })

/** The link of the newest mail. */
async function mailedLink({ url }: Portico, email: string): Promise<string> {
  const response = await fetch(`${url}/dev/mailbox/messages?to=${encodeURIComponent(email)}`)
  const [newest] = (await response.json()) as { text: string }[]
  return /https?:\/\/\S+\/credit-karma\/\S+/.exec(newest?.text ?? '')?.[0] ?? ''
}

test(
  "2.5, 4.7 from the partner's link to the dashboard, with a reload at both steps",
  DESKTOP_FIRST,
  async ({ page, portico }) => {
    const email = newEmail()
    await visit(
      page,
      `${PATH}?email=${encodeURIComponent(email)}&orgCode=HARBORLINE&utm_source=score`,
    )

    // Co-branded header and footer.
    await expect(page.getByRole('img', { name: 'Harborline' })).toBeVisible()
    await expect(page.getByRole('img', { name: 'Credit Almanac' })).toBeVisible()
    const footer = page.getByRole('contentinfo')
    for (const text of ['Terms', 'Privacy', /Questions\? \(/, '©', /NMLS #/, /^Equal Housing/]) {
      await expect(footer.getByText(text).first()).toBeVisible()
    }

    // Step 1: the login uuid is stored in the URL, and a reload sends no second mail.
    await expect(gotMail(page)).toBeVisible()
    await expect(page).toHaveURL(/[?&]loginUuid=[\da-f-]{36}/)
    await expect(page.getByLabel(`Enter the code sent to ${email}`)).toBeFocused()
    expect(await portico.subjects(email)).toEqual([
      'Continue your application with Harborline Mortgage',
    ])
    await page.reload()
    await ready(page)
    await expect(gotMail(page)).toBeVisible()
    expect(await portico.subjects(email)).toHaveLength(1)

    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('The code must be 6 digits.')).toBeVisible()
    await expectGood(page)

    // Step 2, to which a reload returns.
    await codeField(page).fill(await portico.passcode(email))
    await expect(createPassword(page)).toBeVisible()
    await expect(page).toHaveURL(/[?&]step=2/)
    await page.reload()
    await ready(page)
    await expect(createPassword(page)).toBeVisible()
    await expectGood(page)
    await choosePassword(page, STRONG_PASSWORD)
    await onDashboard(page, email)

    // A registered borrower is sent to the login.
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await visit(page, `${PATH}?email=${encodeURIComponent(email)}&orgCode=HARBORLINE`)
    await expect(page).toHaveURL(/\/auth\/login\?email=[^&]+&orgCode=HARBORLINE$/)
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email)
  },
)

test(
  '7.3 from the mail: the link asks first, works once, and offers a next step after use',
  DESKTOP_ONLY,
  async ({ page, portico, browser }) => {
    const email = newEmail()
    await visit(page, `${PATH}?email=${encodeURIComponent(email)}`)
    await expect(gotMail(page)).toBeVisible()
    const link = await mailedLink(portico, email)

    // The mail is read in another browser.
    const elsewhere = await browser.newContext({ baseURL: portico.url })
    const phone = await elsewhere.newPage()
    await phone.goto(link)
    const onward = phone.getByRole('button', { name: 'Continue' })
    await expect(onward).toBeFocused()
    await expect(phone.getByText(email)).toBeVisible()
    expect(new URL(phone.url()).hash).toBe('')
    await expectGood(phone)

    // Followed again in the same tab it asks again.
    await phone.goto(link)
    await expect.poll(() => new URL(phone.url()).hash).toBe('')
    await expect(onward).toBeFocused()
    await onward.click()
    await expect(createPassword(phone)).toBeVisible()

    // The code was the link's: a pending code entry shows it as used, and a new one is one click away.
    await codeField(page).fill(await portico.passcode(email))
    await expect(page.getByRole('alert').getByText(/has already been used/)).toBeVisible()
    const used = await portico.passcode(email)
    await page.getByRole('button', { name: 'Resend code' }).click()
    await codeField(page).fill(await portico.passcode(email, used))
    await expect(createPassword(page)).toBeVisible()

    await choosePassword(phone, STRONG_PASSWORD)
    await onDashboard(phone, email)
    await elsewhere.close()

    // The new password in the other browser has ended this session, which the page reports with a next step.
    await choosePassword(page, STRONG_PASSWORD)
    await expect(page.getByRole('alert').getByText(/session has ended/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Send me a code' })).toBeVisible()

    // Following the link again reports that it was used.
    await page.goto('/auth/login')
    await page.goto(link)
    await ready(page)
    await page.getByRole('button', { name: 'Continue' }).click()
    const another = page.getByRole('button', { name: 'Get a new code' })
    await expect(another).toBeVisible()
    await expectGood(page)
    await another.click()
    await expect(page).toHaveURL(/\/auth\/login\?email=/)
  },
)

test(
  '4.7 unusual arrivals get a clear message and a next step',
  EXHAUSTIVE,
  async ({ page, portico, context }) => {
    // No borrower in the URL, or step=2 without a session: the ordinary registration, or the code.
    await visit(page, `${PATH}?step=2`)
    await expect(page.getByRole('heading', { name: 'Create your login' })).toBeVisible()
    await expect(page.getByLabel('Email', { exact: true })).toBeEditable()
    const email = newEmail()
    const address = `${PATH}?email=${encodeURIComponent(email)}`
    await visit(page, `${address}&step=2`)
    await expect(gotMail(page)).toBeVisible()
    await expect(page).not.toHaveURL(/step=2/)

    // Offline.
    await page.getByRole('button', { name: 'Resend code' }).click()
    await expect.poll(async () => (await portico.subjects(email)).length).toBe(2)
    await context.setOffline(true)
    await codeField(page).fill('000000')
    await expect(page.getByRole('alert').getByText(/Check your connection/)).toBeVisible()
    await context.setOffline(false)
    await codeField(page).fill('')
    await codeField(page).fill('000000')
    await expect(page.getByRole('alert').getByText(/passcode is incorrect/)).toBeVisible()

    // Two tabs: entering the code in one moves the other to the password too.
    const other = await context.newPage()
    await visit(other, page.url())
    await expect(gotMail(other)).toBeVisible()
    await codeField(page).fill(await portico.passcode(email))
    await expect(createPassword(page)).toBeVisible()
    await expect(createPassword(other)).toBeVisible()
    await other.close()

    // Another person's link neither ends this session nor sends a mail without asking.
    const stranger = newEmail()
    await visit(page, `${PATH}?email=${encodeURIComponent(stranger)}`)
    await expect(page.getByText(`You are logged in as ${email}.`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Stay logged in' })).toBeFocused()
    await expectGood(page)
    expect(await portico.subjects(stranger)).toEqual([])
    await page.getByRole('button', { name: 'Log out and continue' }).click()
    await expect(page.getByLabel(`Enter the code sent to ${stranger}`)).toBeVisible()

    // Too many codes.
    for (let each = 0; each < 5; each += 1) {
      await fetch(`${portico.url}/identity/api/v1/token/send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: stranger }),
      })
    }
    await visit(page, `${PATH}?email=${encodeURIComponent(stranger)}`)
    await expect(page.getByRole('alert').getByText(/submitting requests too quickly/)).toBeVisible()
    await expect(page.getByText(/You can try again in \d+ minutes/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeFocused()
  },
)
