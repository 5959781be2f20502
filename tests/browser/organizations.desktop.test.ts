/** Adding a lender, seen in a browser. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { newEmail, porticoAt, watch } from './support/portico.ts'
import { dialog, requestPasscode, visit } from './support/steps.ts'

const CONFIG = fileURLToPath(new URL('../../config', import.meta.url))

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32" fill="#fff"><circle cx="16" cy="16" r="12"/></svg>'

test('1 a lender that was added has its own login, colors, logo, footer and mail at its own host', async ({
  page,
}) => {
  using config = temporaryFolder()
  cpSync(CONFIG, config.path, { recursive: true })
  writeFileSync(join(config.path, 'logos/quincefield.svg'), LOGO)
  writeFileSync(
    join(config.path, 'organizations/quincefield.json'),
    JSON.stringify({
      orgCode: 'QUINCEFIELD',
      orgBrand: 'quincefield',
      hosts: ['quincefield.localhost'],
      brandColor: '#8a1c5f',
      companyInfo: {
        name: 'Quincefield Lending',
        legalName: 'Quincefield Lending LLC',
        nmlsNumber: '2299001',
        logoPath: '/brand/quincefield.svg',
        supportPhone: '800-555-0198',
      },
    }),
  )
  await using server = await startServer({ environment: { CONFIG_DIR: config.path } })
  const url = server.url.replace('localhost', 'quincefield.localhost')
  const complaints: string[] = []
  watch(page, url, complaints)

  await visit(page, `${url}/auth/login`)
  await expect(page).toHaveTitle('Log in | Quincefield Lending')
  await expect(page.getByRole('heading', { name: 'Log in to Quincefield Lending' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toHaveCSS(
    'background-color',
    'rgb(138, 28, 95)',
  )
  const logo = page.getByRole('img', { name: 'Quincefield Lending' })
  expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(32)
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText('NMLS #2299001')
  await expect(footer.getByRole('link', { name: '(800) 555-0198' })).toHaveAttribute(
    'href',
    'tel:+18005550198',
  )

  const email = newEmail()
  await requestPasscode(page, email)
  await expect(dialog(page, 'Enter your passcode')).toBeVisible()
  const mailbox = porticoAt(server.url)
  await expect.poll(() => mailbox.subjects(email)).toEqual(['Your Quincefield Lending account'])
  expect(complaints).toEqual([])

  // Other organizations are unchanged.
  await visit(page, `${server.url}/auth/login`)
  await expect(page.getByRole('heading', { name: 'Log in to Figure' })).toBeVisible()
})
