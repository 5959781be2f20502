/**
 * Every brand on every main screen, in both schemes. A screen is loaded once and puts on one brand after the other in
 * place, which is all that a brand changes: theme, style sheet and words.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { GALLERY_BRAND_EVENT, GALLERY_PATH, GALLERY_SCREENS } from '@portico/contracts/gallery'
import type { AxeResults } from 'axe-core'
import { expectGood } from './support/accessible.ts'
import { expect, test } from './support/portico.ts'

/** Screens that between them have every part which a brand colours, and the part of each that is looked at. */
const MAIN_SCREENS = [
  { screen: 'auth/login-refused', within: 'body' },
  // What stands behind a dialog is the page before.
  { screen: 'auth/two-factor-code', within: '[data-part="dialog"]' },
  { screen: 'auth/wallet-accounts', within: '[data-part="dialog"]' },
  { screen: 'portal/dashboard', within: 'body' },
] as const

/** Screens that names and logos can burst: with two logos, the longest words, several columns. */
const CROWDED_SCREENS = ['auth/register-password', 'auth/partner-code', 'portal/security']

/** The brand that has a style sheet of its own. */
const STYLED_BRAND = 'HARBORLINE'

const PHONE = { width: 390, height: 844 }

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    axe: { run: (context: string, options: object) => Promise<AxeResults> }
  }
}

async function open(page: Page, screen: string, brand = 'FIGURE'): Promise<void> {
  await page.goto(`${GALLERY_PATH}/${screen}?brand=${brand}`)
  await expect(page.locator('html[data-ready]')).toBeAttached()
  await page.evaluate(() => document.fonts.ready)
}

/**
 * Puts every brand on the page; gives what is wider than the screen and, within a part of it where one is named, what
 * cannot be read in one of the schemes.
 */
function faultsInEveryBrand(page: Page, within?: string): Promise<string[]> {
  return page.evaluate(
    async ({ path, event, within: part }) => {
      const response = await fetch(`${path}/brands`)
      const brands = (await response.json()) as { name: string }[]
      const { documentElement: root } = document
      const faults: string[] = []
      for (const brand of brands) {
        window.dispatchEvent(new CustomEvent(event, { detail: brand }))
        const wider = root.scrollWidth - root.clientWidth
        if (wider > 0) faults.push(`${brand.name}: ${wider} px wider than ${root.clientWidth}`)
        for (const scheme of part === undefined ? [] : ['light', 'dark']) {
          root.dataset['scheme'] = scheme
          const { violations } = await window.axe.run(part ?? '', { runOnly: ['color-contrast'] })
          for (const { html, failureSummary } of violations.flatMap(({ nodes }) => nodes)) {
            faults.push(`${brand.name}, ${scheme}: ${html} ${failureSummary}`)
          }
        }
      }
      return brands.length < 64 ? [`only ${brands.length} brands`] : faults
    },
    { path: GALLERY_PATH, event: GALLERY_BRAND_EVENT, within },
  )
}

for (const { screen, within } of MAIN_SCREENS) {
  test(`1, 9 ${screen} in sixty organisations and four labels: contrast in both schemes, nothing overflows`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page, screen)
    await page.evaluate(AXE)
    expect(await faultsInEveryBrand(page, within)).toEqual([])
    await page.setViewportSize(PHONE)
    expect(await faultsInEveryBrand(page)).toEqual([])
  })
}

test('1, 2.5 the longest names and two logos of every brand fit a phone', async ({ page }) => {
  await page.setViewportSize(PHONE)
  for (const screen of CROWDED_SCREENS) {
    await open(page, screen)
    expect(await faultsInEveryBrand(page), screen).toEqual([])
  }
})

const EVERY_SCREEN = Object.entries(GALLERY_SCREENS).flatMap(([app, screens]) =>
  Object.keys(screens).map((name) => `${app}/${name}`),
)

/** As many as a busy machine looks at in one test's time. */
const AT_ONCE = 10

for (let from = 0; from < EVERY_SCREEN.length; from += AT_ONCE) {
  const screens = EVERY_SCREEN.slice(from, from + AT_ONCE)
  test(`2 every screen from ${screens[0]} on in a brand with its own style sheet: axe finds nothing`, async ({
    page,
  }) => {
    for (const screen of screens) {
      await open(page, screen, STYLED_BRAND)
      await expectGood(page)
    }
  })
}

test('1 the gallery shows a screen in a brand, dark and on a phone, and opens it in full', async ({
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
