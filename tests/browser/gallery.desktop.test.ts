/** Every screen of the gallery in one brand, including states that are hard to reach. Every brand: gallery.exhaustive. */
import { GALLERY_PATH, GALLERY_SCREENS } from '@portico/contracts/gallery'
import { expectGood } from './support/accessible.ts'
import { openScreen } from './support/gallery-screen.ts'
import { expect, test } from './support/portico.ts'

/** The brand with its own style sheet. */
const STYLED_BRAND = 'HARBORLINE'

const EVERY_SCREEN = Object.entries(GALLERY_SCREENS).flatMap(([app, screens]) =>
  Object.keys(screens).map((name) => `${app}/${name}`),
)

/** Screens per test, few enough for a busy machine. */
const AT_ONCE = 10

for (let from = 0; from < EVERY_SCREEN.length; from += AT_ONCE) {
  const screens = EVERY_SCREEN.slice(from, from + AT_ONCE)
  test(`2 every screen from ${screens[0]} on in a brand with its own style sheet: axe finds nothing`, async ({
    page,
  }) => {
    for (const screen of screens) {
      await openScreen(page, screen, STYLED_BRAND)
      await expectGood(page)
    }
  })
}

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
