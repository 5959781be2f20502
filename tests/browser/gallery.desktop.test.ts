/** The gallery itself. Its screens in every brand: gallery.exhaustive. */
import { GALLERY_PATH } from '@portico/contracts/gallery'
import { expectGoodInBothSchemes } from './support/accessible.ts'
import { openScreen } from './support/gallery-screen.ts'
import { EXHAUSTIVE, expect, test } from './support/portico.ts'

/** The brand with its own style sheet. */
const STYLED_BRAND = 'HARBORLINE'

test('1 the gallery shows a screen in a brand, dark and on a phone, and opens it full size', async ({
  page,
}) => {
  await page.goto(`${GALLERY_PATH}?brand=${STYLED_BRAND}&screen=auth/login`)
  await expectGoodInBothSchemes(page, { exclude: 'iframe' })
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

/** One screen of each kind of the wallets on a device. */
const DEVICE_SCREENS = [
  'wallet/device-words-wrong',
  'wallet/device-accounts',
  'wallet/device-sites',
  'wallet/device-proposal-unreadable',
  'wallet/device-unreadable',
  'wallet/device-damaged',
  'wallet/mobile-keep',
  'wallet/mobile-scan-on',
  'wallet/mobile-camera-refused',
]

test(
  '2.6, 2.7 screens of the wallets on a device are accessible on the smallest phone',
  EXHAUSTIVE,
  async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 568 })
    for (const screen of DEVICE_SCREENS) {
      await openScreen(page, screen, STYLED_BRAND)
      await expectGoodInBothSchemes(page)
    }
  },
)

/** Screens with tables, editors and the bottom bar, which are the widest. */
const WIDE_SCREENS = ['console/organizations', 'console/organization', 'portal/dashboard']

test('2.8 nothing scrolls sideways on phones of 320 and 360 px, and the bottom bar keeps its labels on one line', async ({
  page,
  complaints,
}) => {
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 640 })
    for (const screen of WIDE_SCREENS) {
      await openScreen(page, screen, STYLED_BRAND)
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(scrollWidth, `${screen} at ${width} px`).toBeLessThanOrEqual(width)
    }
    const labels = page.getByRole('navigation').last().getByRole('link')
    const heights = await labels.evaluateAll((links) => links.map((link) => link.clientHeight))
    expect(heights.length).toBeGreaterThan(3)
    expect(new Set(heights).size, `${width} px`).toBe(1)
  }
  // The gallery may not frame the preview of the editor.
  expect(complaints.splice(0).filter((text) => !text.includes('frame-ancestors'))).toEqual([])
})
