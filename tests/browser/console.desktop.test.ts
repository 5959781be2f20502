/** The operator console: its access, and the main tasks of support, brand operators and auditors. */

import { readFileSync } from 'node:fs'
import { PEOPLE } from '../support/people.ts'
import { expectGood } from './support/accessible.ts'
import { expect, test } from './support/portico.ts'
import { dialog, logIn, logInOperator, visit } from './support/steps.ts'

test('support logs in with an authenticator and unlocks a person, who can log in, and views their pages until Stop', async ({
  page,
  browser,
  portico,
}) => {
  await logInOperator(page, PEOPLE.support, '/console/people')
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
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
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

  // An address that cannot be decoded shows a page of the console too.
  const address = page.url()
  await visit(page, '/console/people/%E0%A4%A')
  await expect(page.getByText(/^This person does not exist/)).toBeVisible()
  await page.goto(address)

  await page.getByRole('button', { name: 'View as this person' }).click()
  const start = dialog(page, `View as ${PEOPLE.locked.email}?`)
  await start.getByLabel('Reason').fill('Cannot find the statement')
  await start.getByRole('button', { name: 'View as this person' }).click()
  await expect(page).toHaveURL(/\/dashboard/)
  const strip = page.getByRole('region', { name: 'Viewing as an operator' })
  await expect(strip).toContainText(PEOPLE.locked.email)
  await expect(strip).toContainText(PEOPLE.support.email)
  await expectGood(page)

  await page.getByRole('link', { name: 'Security', exact: true }).first().click()
  await expect(page.getByRole('button', { name: /^Password/ })).toBeDisabled()
  await expect(page.getByText('Only its owner can change something here.')).toBeVisible()
  await expectGood(page)

  // The console in another tab is still the operator's.
  const tab = await page.context().newPage()
  await visit(tab, '/console/people')
  await expect(tab.getByRole('table', { name: 'People' })).toBeVisible()
  await expect(
    tab.getByRole('navigation', { name: 'Console' }).getByText(PEOPLE.support.email),
  ).toBeVisible()

  await strip.getByRole('button', { name: 'Stop' }).click()
  await expect(page).toHaveURL(address)
  await expect(page.getByText('Impersonation ended')).toBeVisible()
  await tab.goto('/dashboard')
  await expect(
    tab.getByRole('button', { name: `Your account, ${PEOPLE.support.email}` }),
  ).toBeVisible()
  await tab.close()

  // Locked again, because other tests expect that.
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  const lock = dialog(page, `Lock ${PEOPLE.locked.email}?`)
  await lock.getByLabel('Reason').fill('The end of the test')
  await lock.getByRole('button', { name: 'Lock' }).click()
  await expect(page.getByText(/^Locked since/)).toBeVisible()
  await person.reload()
  await expect(person).toHaveURL(/\/auth\/login/)
  await other.close()
})

test('a brand operator rebrands a lender and undoes it, publishes a banner, and runs an experiment', async ({
  page,
  browser,
  portico,
}) => {
  const reason = async (name: string, button: string) => {
    const act = dialog(page, name)
    await act.getByLabel('Reason').fill('The lender asked for it.')
    await act.getByRole('button', { name: button, exact: true }).click()
    await expect(act).toBeHidden()
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const visitor = await (
    await browser.newContext({ baseURL: portico.url, reducedMotion: 'reduce' })
  ).newPage()
  const shown = (text: string) => async () => {
    const announcements = visitor.waitForResponse(/\/banners\//)
    await visitor.goto('/auth/login?orgCode=HARBORLINE')
    await (await announcements).finished()
    await visitor.waitForTimeout(100) // Until they are drawn.
    return visitor.getByText(text).count()
  }
  await logInOperator(page, PEOPLE.brand, '/console/organizations/HARBORLINE')

  const sentence = page.getByLabel('Trust sentence')
  const before = await sentence.inputValue()
  const after = 'Lending on the coast since 1962.'
  await sentence.fill(after)
  await button('Save draft').click()
  await button('Publish…').click()
  await reason('Publish HARBORLINE?', 'Publish')
  await expect.poll(shown(after)).toBe(1)
  await page.getByRole('link', { name: 'History' }).click()
  await expectGood(page)
  await button('Revert to the file').click()
  await reason('Revert to the file?', 'Publish')
  await expect.poll(shown(after)).toBe(0)
  expect(before).not.toBe(after)

  await visit(page, '/console/banners/new')
  const message = 'Our phones are closed on Thanksgiving.'
  await page.getByLabel('Message', { exact: true }).fill(message)
  await page.getByLabel('Only visitors of some organizations').check()
  await page.getByLabel(/^Harborline/).check()
  await expectGood(page)
  await button('Save draft').click()
  await button('Publish…').click()
  await reason('Publish this banner?', 'Publish')
  await expect.poll(shown(message)).toBe(1)
  await visitor.goto('/auth/login?orgCode=FIGURE')
  await expect(visitor.getByText(message)).toHaveCount(0)
  await button('End now…').click()
  await reason('End this banner?', 'End')
  await expect.poll(shown(message)).toBe(0)
  await page.getByRole('link', { name: 'Banners' }).first().click()
  await expect(page.getByRole('row', { name: /Thanksgiving/ })).toContainText('Ended')
  await expectGood(page)

  await page.getByRole('link', { name: 'Experiments' }).click()
  await button('Start a run').last().click()
  const start = page.getByRole('dialog')
  await start.getByLabel(/^It succeeds/).selectOption('onboarding')
  await start.getByLabel('Organizations').fill('HARBORLINE')
  await start.getByLabel('Reason').fill('The partner asked for fewer steps.')
  await start.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.getByText('Running')).toBeVisible()
  await expectGood(page)
  await page
    .getByRole('row', { name: /Running/ })
    .getByRole('link')
    .click()
  await expect(page.getByText('Not enough data')).toBeVisible()
  await expectGood(page)
  await button('End the run').click()
  await page.getByRole('dialog').getByLabel('What visitors get from now on').selectOption('file')
  await reason('End the run: Shorter onboarding for partner customers', 'End the run')
  await expect(page.getByText('Ended', { exact: true })).toBeVisible()
  await visitor.context().close()
})

test('an auditor searches the log and exports the results', async ({ page }) => {
  await logInOperator(page, PEOPLE.auditor, '/console/audit')
  await expect(page.getByRole('table', { name: 'Audit log' })).toBeVisible()
  await expectGood(page)
  await page.getByRole('textbox', { name: 'Person' }).fill(PEOPLE.auditor.email)
  await page.getByRole('combobox', { name: 'Event' }).fill('Signed in')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Remove the filter Event: Signed in' })).toBeVisible()
  const first = page.getByRole('row').nth(1)
  await expect(first).toContainText('Signed in')
  await first.getByRole('link', { name: PEOPLE.auditor.email }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(PEOPLE.auditor.email)

  await visit(page, '/console/audit?kind=signed-in')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.slice(1).every((line) => line.includes(',signed-in,'))).toBe(true)

  await visit(page, '/console/insight')
  await expect(page.getByRole('table').first()).toBeVisible()
  await expectGood(page)
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
