import { expect, type Page } from '@playwright/test'
import { GALLERY_PATH } from '@portico/contracts/gallery'

/** Opens a screen of the gallery, such as `auth/login`, in a brand, and waits until it is rendered. */
export async function openScreen(page: Page, screen: string, brand = 'FIGURE'): Promise<void> {
  await page.goto(`${GALLERY_PATH}/${screen}?brand=${brand}`)
  await expect(page.locator('html[data-ready]')).toBeAttached()
  await page.evaluate(() => document.fonts.ready)
}
