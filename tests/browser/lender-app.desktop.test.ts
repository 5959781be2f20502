/** The main job of the application in examples/lender-app, in a browser with two tabs. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { lenderAppClient, startLenderApp } from '../support/lender-app-process.ts'
import { PEOPLE } from '../support/people.ts'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { expectGood } from './support/accessible.ts'
import { porticoAt } from './support/portico.ts'
import { codeField, logIn, ready } from './support/steps.ts'

const SHIPPED = fileURLToPath(new URL('../../config/', import.meta.url))

test('a user logs in, confirms and pays once, and a logout in one tab reaches the other', async ({
  page,
  context,
}) => {
  using folder = temporaryFolder()
  cpSync(SHIPPED, folder.path, { recursive: true })
  const { port, ...client } = await lenderAppClient()
  writeFileSync(join(folder.path, 'clients/example-app.json'), JSON.stringify(client))
  await using server = await startServer({ environment: { CONFIG_DIR: folder.path } })
  const portico = porticoAt(server.url)
  await using app = await startLenderApp(server.url, { port, clientId: client.clientId })

  await page.goto(app.url)
  await expectGood(page)
  await page.getByRole('link', { name: 'Log in' }).click()
  await ready(page)
  await logIn(page, PEOPLE.plain)
  await expect(page.getByRole('heading', { name: 'Your loan' })).toBeVisible()
  await expectGood(page)

  await page.getByRole('link', { name: 'Pay $412.50' }).click()
  await ready(page)
  await page.getByRole('button', { name: 'Send email' }).click()
  await codeField(page).fill(await portico.passcode(PEOPLE.plain.email))
  await expect(page.getByRole('heading', { name: 'Pay installment 4' })).toBeVisible()
  await expectGood(page)
  await page.getByRole('button', { name: 'Pay $412.50' }).dblclick()
  await expect(page.getByRole('status')).toHaveText('Installment 4 is paid. Thank you.')
  await expect(page.getByText('Installment 5 of 24')).toBeVisible()

  const other = await context.newPage()
  await other.goto(`${app.url}/activity`)
  await expect(other.getByText('You confirmed it was you')).toBeVisible()
  await expectGood(other)
  await page.getByLabel('Account').click()
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible()
  await expect(other.getByRole('alert')).toHaveText('You logged out, or your session ended.')
})
