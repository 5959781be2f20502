import type { Page } from '@playwright/test'
import { expectGood } from './support/accessible.ts'
import { expect, test } from './support/portico.ts'

const ADMINISTRATOR = 'administrator@cedar-point.example'

/** A value with a copy button. */
const shown = (page: Page, label: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: `Copy ${label}` }) })
    .locator('[dir="ltr"]')
    .innerText()

test('an administrator sets up single sign-on with the mailed link, and people see the button', async ({
  page,
  context,
  baseURL,
}) => {
  await page.goto('/dev/mailbox')
  await page.getByRole('button', { name: 'Mail me the setup link' }).click()
  const mails = await page.request.get(`/dev/mailbox/messages?to=${ADMINISTRATOR}`)
  const [mail] = (await mails.json()) as { text: string }[]
  await page.goto(/https?:\S+#token=\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  await page.getByRole('button', { name: 'Start' }).click()

  const continues = (name: string) => page.getByRole('button', { name }).click()
  const heading = (name: string) => expect(page.getByRole('heading', { name })).toBeVisible()
  await heading('Choose your provider')
  await page.getByText('Another provider').click()
  await continues('Continue')

  await heading('Connect your provider')
  await expectGood(page)
  await page.getByLabel('Name for your people').fill('Cedar Point ID')
  await page.getByLabel('Issuer').fill(`${baseURL}/idp`)
  await page.getByLabel('Client ID').fill('cedar-point-customers')
  const secret = 'demonstration-secret-of-cedar-point-customers'
  await page.getByLabel('Client secret', { exact: true }).fill(secret)
  await continues('Save and continue')

  await heading('Verify your domains')
  await page.getByLabel('Domain').fill('cedar-point.example')
  await continues('Add')
  await continues('Check now')
  await expect(page.getByText('There is no record yet')).toBeVisible()
  const dns = await context.newPage()
  await dns.goto('/dev/mailbox#sso-setup')
  await dns.getByLabel('Name', { exact: true }).fill(await shown(page, 'Name'))
  await dns.getByRole('textbox', { name: 'Value' }).fill(await shown(page, 'Value'))
  await dns.getByRole('button', { name: 'Add the record' }).click()
  await expect(dns).toHaveURL('/dev/mailbox#sso-setup')
  await continues('Check now')
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await continues('Continue')

  await heading('Map attributes')
  await continues('Save and continue')
  await heading('Test a sign-in')
  await continues('Test a sign-in')
  await page.waitForURL('**/idp/**')
  // As if the provider showed an error: Back returns to the page.
  await page.goBack()
  await expect(page.getByText('No answer has arrived from the last test')).toBeVisible()
  await continues('Test again')
  await page.getByLabel('Email').fill('cora.cedar@cedar-point.example')
  await page.getByLabel('Password').fill('amber-lantern-36-orchid')
  await continues('Sign in')
  await expect(page.getByText('The test passed')).toBeVisible()
  await expect(page.getByText('cora.cedar@cedar-point.example').first()).toBeVisible()
  await page.reload()
  await continues('Continue')
  await continues('Turn on single sign-on')
  await expect(page.getByText('Single sign-on is on')).toBeVisible()

  await page.goto('/auth/login?orgCode=CEDAR_POINT')
  await expect(page.getByRole('button', { name: 'Log in with Cedar Point ID' })).toBeVisible()
})
