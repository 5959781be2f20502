import { expect, test } from './support/portico.ts'

test('what the user ticks and submits before the application is ready is not lost', async ({
  page,
}) => {
  const held = Promise.withResolvers<undefined>()
  await page.route('**/auth/static/*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/auth/login', { waitUntil: 'commit' })
  const passcode = page.getByLabel('Use one-time passcode for logging into my account')
  await passcode.check()
  await page.getByLabel('Email', { exact: true }).fill('early.bird@people.example')
  await page.getByLabel('Email', { exact: true }).press('Enter')
  held.resolve(undefined)
  await expect(page.getByRole('dialog', { name: 'Enter your passcode' })).toBeVisible()
})
