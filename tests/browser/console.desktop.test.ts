/** The operator console: its access, and the main act of support. */

import { authenticatorCode } from '../support/authenticator.ts'
import { PEOPLE } from '../support/people.ts'
import { expectGood } from './support/accessible.ts'
import { expect, test } from './support/portico.ts'
import { dialog, logIn, visit } from './support/steps.ts'

test('an administrator signs in with an authenticator and unlocks a person, who can log in', async ({
  page,
  browser,
  portico,
}) => {
  await page.goto('/console/people')
  await expect(page).toHaveURL('/auth/login?redirectUrl=%2Fconsole%2Fpeople')
  await logIn(page, PEOPLE.admin)
  await page
    .getByLabel('Verification code')
    .fill(authenticatorCode(PEOPLE.admin.secret, Date.now()))
  await expect(page).toHaveURL('/console/people')
  await expect(page.getByRole('table', { name: 'People' })).toBeVisible()
  await expectGood(page)

  await page.keyboard.press('/')
  await page.keyboard.type(PEOPLE.locked.email)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: PEOPLE.locked.email, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(PEOPLE.locked.email)
  await expect(page.getByText(/^Locked since/)).toBeVisible()
  await expectGood(page)
  await page.getByRole('button', { name: 'Unlock', exact: true }).click()
  const unlock = dialog(page, `Unlock ${PEOPLE.locked.email}?`)
  await unlock.getByLabel('Reason').fill('Called from the known number')
  await expectGood(page, { include: '[role=dialog]' })
  await unlock.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByText('Open', { exact: true })).toBeVisible()
  await expect(page.getByText('Called from the known number')).toBeVisible()

  const other = await browser.newContext({ baseURL: portico.url, reducedMotion: 'reduce' })
  const person = await other.newPage()
  await visit(person, '/auth/login')
  await logIn(person, PEOPLE.locked)
  await expect(person).toHaveURL('/dashboard')

  // Without a role there is a page that says so, and no data.
  await visit(person, '/console/people')
  await expect(
    person.getByRole('heading', { name: 'You have no access to this console' }),
  ).toBeVisible()
  await expectGood(person)

  // Locked again, as other tests expect this person.
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  const lock = dialog(page, `Lock ${PEOPLE.locked.email}?`)
  await lock.getByLabel('Reason').fill('The end of the test')
  await lock.getByRole('button', { name: 'Lock' }).click()
  await expect(page.getByText(/^Locked since/)).toBeVisible()
  await person.reload()
  await expect(person).toHaveURL(/\/auth\/login/)
  await other.close()
})

test('the console is never framed, not indexed, and no other page loads its code', async ({
  page,
  request,
}) => {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await expect(page).toHaveURL('/dashboard')
  const scripts = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
  expect(scripts.filter((path) => path.startsWith('/console'))).toEqual([])
  const response = await page.goto('/console')
  const headers = response?.headers() ?? {}
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['content-security-policy']).not.toContain('unsafe-inline')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'none')
  expect((await request.get('/console', { maxRedirects: 0 })).status()).toBe(302)
})
