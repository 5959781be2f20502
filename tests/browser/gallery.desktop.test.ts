/** The gallery itself. Its screens in every brand: gallery.exhaustive. */
import { GALLERY_PATH } from '@portico/contracts/gallery'
import { expectGood } from './support/accessible.ts'
import { expect, test } from './support/portico.ts'

/** The brand with its own style sheet. */
const STYLED_BRAND = 'HARBORLINE'

test('1 the gallery shows a screen in a brand, dark and on a phone, and opens it full size', async ({
  page,
}) => {
  await page.goto(`${GALLERY_PATH}?brand=${STYLED_BRAND}&screen=auth/login`)
  await expectGood(page, { exclude: 'iframe' })
  await page.getByLabel('Scheme').selectOption('Dark')
  await page.getByLabel('Width').selectOption('Phone')
  await page.getByRole('button', { name: 'Show' }).click()
  const frame = page.frameLocator('iframe')
  await expect(frame.locator('html[data-scheme="dark"]')).toBeAttached()
  await expect(frame.getByRole('heading', { name: /with Harborline Mortgage$/ })).toBeVisible()
  await page.getByRole('link', { name: 'Log in', exact: true }).click()
  const heading = page.getByRole('heading', { name: /with Harborline Mortgage$/ })
  await expect(heading).toHaveCSS('font-family', /^Georgia/)
  await expect(page.getByLabel('Email')).toHaveCSS('border-radius', '2px')
})
