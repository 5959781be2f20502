/** The live preview of the console: an organization is edited, seen before it is published, published and restored. */
import { PEOPLE } from '../support/people.ts'
import { expect, test } from './support/portico.ts'
import { dialog, logInOperator, visit } from './support/steps.ts'

test('15 a lender is rebranded with a live preview, published and undone, and the preview has no access to anything', async ({
  browser,
  portico,
}) => {
  // A separate context, because the attacks below make the browser log refused requests.
  const context = await browser.newContext({ baseURL: portico.url, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await logInOperator(page, PEOPLE.admin, '/console/organizations/HARBORLINE')

  const preview = page.frameLocator('iframe[title^="Harborline"]')
  const submit = preview.getByRole('button', { name: 'Log in', exact: true })
  await expect(submit).toHaveCSS('background-color', 'rgb(154, 52, 18)')
  const logo = preview.getByRole('img', { name: /Harborline/ }).first()
  await expect
    .poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)

  const color = page.getByRole('textbox', { name: 'Brand color', exact: true })
  await color.fill('#0f766e')
  await expect(submit).toHaveCSS('background-color', 'rgb(15, 118, 110)')
  await page.getByRole('button', { name: 'dark', exact: true }).click()
  await expect(preview.locator('html')).toHaveAttribute('data-scheme', 'dark')
  await page.getByRole('button', { name: 'phone', exact: true }).click()
  await expect(submit).toBeVisible()

  const screen = page.getByLabel('Screen or mail')
  await screen.selectOption('portal/dashboard')
  await expect(preview.getByRole('heading', { level: 1 })).toBeVisible()
  await screen.selectOption('wallet/approval')
  await expect(preview.getByRole('heading', { level: 1 })).toBeVisible()
  await screen.selectOption('mail/passcodeMail')
  await expect(preview.locator('body')).toContainText('Harborline')

  await screen.selectOption('auth/login')
  await expect(submit).toBeVisible()
  const handle = await page.locator('iframe[title^="Harborline"]').elementHandle()
  const frame = await handle?.contentFrame()
  const reached = await frame?.evaluate(async () => {
    const attempts: Record<string, () => unknown> = {
      cookies: () => document.cookie,
      storage: () => window.localStorage,
      parent: () => window.parent.document,
      top: () => {
        if (window.top !== null) window.top.location.href = '/auth/login'
      },
      api: () => fetch('/admin/api/v1/operator'),
      picture: () =>
        new Promise((resolve, reject) => {
          const image = new Image()
          image.addEventListener('load', resolve)
          image.addEventListener('error', reject)
          image.src = 'https://foreign.example/x.png'
        }),
    }
    const succeeded: string[] = []
    for (const [name, attempt] of Object.entries(attempts)) {
      try {
        await attempt()
        succeeded.push(name)
      } catch {
        // Refused, as it should be.
      }
    }
    return { succeeded, origin: window.origin }
  })
  expect(reached).toEqual({ succeeded: [], origin: 'null' })
  await expect(page).toHaveURL('/console/organizations/HARBORLINE')

  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('button', { name: 'Publish…' }).click()
  const publish = dialog(page, 'Publish HARBORLINE?')
  await publish.getByLabel('Reason').fill('A new color')
  await publish.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Version 1 is published.')).toBeVisible()

  const visitor = await (await browser.newContext({ baseURL: portico.url })).newPage()
  const login = visitor.getByRole('button', { name: 'Log in', exact: true })
  await visit(visitor, '/auth/login?orgCode=HARBORLINE')
  await expect(login).toHaveCSS('background-color', 'rgb(15, 118, 110)')
  await visitor.context().close()

  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Revert to the file' }).click()
  const undo = dialog(page, 'Revert to the file?')
  await undo.getByLabel('Reason').fill('The lender keeps its color')
  await undo.getByRole('button', { name: 'Publish' }).click()
  await expect(undo).toBeHidden()
  await expect
    .poll(async () => await (await page.request.get('/auth/login?orgCode=HARBORLINE')).text())
    .toContain('--brand:#9a3412')

  await visit(page, '/console/organizations')
  await page.getByRole('button', { name: 'New organization…' }).click()
  const creation = dialog(page, 'New organization')
  await creation.getByLabel('Code', { exact: true }).fill('QUINCEFIELD')
  await creation.getByLabel('Name', { exact: true }).fill('Quincefield Lending')
  await creation.getByLabel('Brand color').fill('#8a1c5f')
  await creation.getByRole('button', { name: 'Create draft' }).click()
  await expect(page).toHaveURL('/console/organizations/QUINCEFIELD')
  await expect(
    page.frameLocator('iframe').getByRole('button', { name: 'Log in', exact: true }),
  ).toHaveCSS('background-color', 'rgb(138, 28, 95)')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  expect((await download).suggestedFilename()).toBe('quincefield.json')
  await context.close()
})

test('15 the frames of the preview are for operators only', async ({ request }) => {
  for (const path of ['auth/login', 'mail', 'console/start']) {
    expect((await request.get(`/console/preview/${path}`)).status()).toBe(404)
  }
})
