/** The review of an investor passport (4.9): the person and the reviewer, in turns. */
import type { Browser, Page } from '@playwright/test'
import { PERSON } from '../support/passport-answers.ts'
import { PEOPLE } from '../support/people.ts'
import { expectGood } from './support/accessible.ts'
import { DESKTOP_FIRST, expect, type Portico, test } from './support/portico.ts'
import { dialog, logIn, newUser, visit } from './support/steps.ts'

/** The page without its frame. */
const CONTENT = { include: '#content' }

/** Registers a person who submits the answers about themselves. */
async function submitPassport(page: Page, portico: Portico): Promise<string> {
  const email = await newUser(page, portico)
  await page.evaluate(async (answers) => {
    const send = async (method: string, path: string, body: object) => {
      const response = await fetch(path, {
        method,
        headers: {
          'content-type': 'application/json',
          authorization: localStorage.getItem('jwt') ?? '',
        },
        body: JSON.stringify(body),
      })
      return (await response.json()) as { passportUuid: string }
    }
    const base = '/service-universal-passport/identity/secure/api/v1/passport'
    await send('POST', '/service-wallet/secure/api/v1/account/hosted', {
      name: 'Everyday',
      default: true,
    })
    const { passportUuid } = await send('POST', base, { passportStructureType: 'INDIVIDUAL' })
    const section = { passportUuid, section: 'kyc', version: 0, changes: answers }
    await send('PUT', `${base}/section`, section)
    const sections = [{ section: 'kyc', version: 1 }]
    await send('POST', `${base}/submit`, { passportUuid, sections })
  }, PERSON)
  return email
}

/** The reviewer of the demonstration, in another browser. */
async function aReviewer(browser: Browser, portico: Portico): Promise<Page> {
  const context = await browser.newContext({ baseURL: portico.url, reducedMotion: 'reduce' })
  const desk = await context.newPage()
  await visit(desk, '/auth/login?redirectUrl=%2Fdashboard%2Freviews')
  await logIn(desk, PEOPLE.reviewer)
  await expect(desk).toHaveURL('/dashboard/reviews')
  return desk
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test(
  '4.9 the person submits, the reviewer asks for more, the person answers, and the reviewer approves',
  DESKTOP_FIRST,
  async ({ page, browser, portico }) => {
    const email = await submitPassport(page, portico)
    const desk = await aReviewer(browser, portico)
    await expectGood(desk, CONTENT)
    await desk.getByRole('link', { name: 'Iris Individual' }).last().click()
    await expect(desk.getByRole('heading', { level: 1 })).toHaveText('Identity: Iris Individual')
    await expect(desk.getByText('123-45-6789')).toBeVisible()
    await expectGood(desk, CONTENT)
    const review = desk.url()
    await button(desk, 'Ask for more').click()
    await desk.getByLabel('What do you need?').fill('Please add your second first name.')
    await expectGood(desk, { include: '[role=dialog]' })
    await dialog(desk, 'Ask for more').getByRole('button', { name: 'Send' }).click()
    await expect(desk).not.toHaveURL(review)

    // The person reads the message on Home and in the forms, and answers.
    await expect.poll(() => portico.subjects(email)).toContain('Figure needs more from you')
    await visit(page, '/dashboard')
    await expect(page.getByText('Please add your second first name.')).toBeVisible()
    await page.getByRole('link', { name: 'See what is missing' }).click()
    await expect(page.getByText('Your details: more is needed')).toBeVisible()
    await expectGood(page, CONTENT)
    await page.goto('/auth/gatekeeper?intent=kyc&redirectUrl=/universal-passport')
    await expect(page.getByRole('heading', { name: 'Check and submit' })).toBeVisible()
    await button(page, 'Change About you').click()
    await page.getByLabel('First name').fill('Iris Ida')
    for (let step = 0; step < 3; step += 1) await button(page, 'Continue').click()
    await button(page, 'Submit').click()
    await expect(page).toHaveURL('/universal-passport')
    await expect(page.getByText('In review')).toBeVisible()

    await visit(desk, review)
    await expect(desk.getByText('Iris Ida', { exact: true })).toBeVisible()
    await button(desk, 'Approve').click()
    await dialog(desk, 'Approve these answers?').getByRole('button', { name: 'Approve' }).click()
    await expect(desk).not.toHaveURL(review)
    await expect.poll(() => portico.subjects(email)).toContain('Figure approved your answers')
    await visit(page, '/universal-passport')
    await expect(page.getByText('Complete', { exact: true })).toBeVisible()
    await expectGood(page, CONTENT)

    // Without the role there is no such page.
    expect((await page.goto('/dashboard/reviews'))?.status()).toBe(404)
    await expect(page.getByRole('link', { name: 'Reviews' })).toHaveCount(0)
    await desk.context().close()
  },
)
