import { DEVIOUS_TARGETS } from '../attacks/support/devious-targets.ts'
import { PEOPLE } from '../support/people.ts'
import { expect, test } from './support/portico.ts'
import { logIn, onDashboard, visit } from './support/steps.ts'

test('redirects: with a session, no redirectUrl leads a browser to another origin', async ({
  page,
  portico,
  complaints,
}) => {
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await visit(page, '/auth/login')
  await logIn(page, PEOPLE.plain)
  await onDashboard(page, PEOPLE.plain.email)
  for (const target of DEVIOUS_TARGETS) {
    await page.goto(`/auth/login?redirectUrl=${encodeURIComponent(target)}`)
    // A redirect by script is complete when the login page is gone.
    await expect(page).not.toHaveURL(/\/auth\/login/)
    expect(new URL(page.url()).origin, target).toBe(portico.url)
    expect(complaints, target).toEqual([])
  }
})
