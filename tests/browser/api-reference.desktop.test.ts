import type { Page } from '@playwright/test'
import { PEOPLE } from '../support/people.ts'
import { expect, test } from './support/portico.ts'
import { logIn, onDashboard, visit } from './support/steps.ts'

/** Sends a call from its form, and returns the form. */
async function send(page: Page, method: 'get' | 'post', path: string) {
  await page.goto('about:blank') // Otherwise a change of the fragment does not open the call.
  await page.goto(`/docs#tag/identity/${method.toUpperCase()}${path}`)
  await page.getByRole('button', { name: `(${method} ${path})` }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: /^Send/ }).first().click()
  return form
}

/** The script tries once to evaluate text, and works without it. */
const PROBE = /^console: This document requires 'TrustedScript' assignment/

test('9 a signed-in user sends calls from the API reference, which loads nothing from elsewhere', async ({
  page,
  complaints,
}) => {
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)

  // A read needs the token and the cookie of the session; a change is accepted because of the page's origin.
  const read = await send(page, 'get', '/identity/secure/api/v1/identity')
  await expect(read.getByText('200 OK')).toBeVisible()
  await expect(read.getByText(PEOPLE.plain.email)).toBeVisible()
  const change = await send(page, 'post', '/identity/api/v1/logout')
  await expect(change.getByText('204 No Content')).toBeVisible()

  for (const complaint of complaints) expect(complaint).toMatch(PROBE)

  const ran = await page.evaluate(async () => {
    document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="pwned=1">')
    const script = document.createElement('script')
    script.setAttribute('nonce', 'x')
    script.append('pwned=1')
    document.body.append(script)
    await new Promise((resolve) => setTimeout(resolve, 100))
    return 'pwned' in globalThis
  })
  expect(ran).toBe(false)
  complaints.length = 0 // The browser reports what it blocked.
})
