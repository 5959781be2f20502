/**
 * Every screen in one brand, including states that are hard to reach, and every brand on every main screen, in both
 * schemes. For the latter a screen is loaded once, and each brand is applied in place by its theme, style sheet and texts.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { GALLERY_BRAND_EVENT, GALLERY_PATH, GALLERY_SCREENS } from '@portico/contracts/gallery'
import { PREVIEW_PATH } from '@portico/contracts/preview'
import type { AxeResults } from 'axe-core'
import { expectGoodInBothSchemes } from './support/accessible.ts'
import { openScreen } from './support/gallery-screen.ts'
import { expect, test } from './support/portico.ts'

/** Screens that together contain every branded component, and the checked part of each. */
const MAIN_SCREENS = [
  { screen: 'auth/login-refused', within: 'body' },
  // The page behind a dialog is tested separately.
  { screen: 'auth/two-factor-code', within: '[data-part="dialog"]' },
  { screen: 'auth/wallet-accounts', within: '[data-part="dialog"]' },
  { screen: 'portal/dashboard', within: 'body' },
  { screen: 'portal/accounts', within: 'body' },
] as const

/** Screens that long names and logos could overflow: two logos, long words, several columns. */
const CROWDED_SCREENS = [
  'auth/register-password',
  'auth/partner-code',
  'portal/dashboard',
  'portal/account-menu',
  'portal/security',
]

const PHONE = { width: 390, height: 844 }

/** The brand with its own style sheet. */
const STYLED_BRAND = 'HARBORLINE'

const EVERY_SCREEN = Object.entries(GALLERY_SCREENS).flatMap(([app, screens]) =>
  Object.keys(screens).map((name) => `${app}/${name}`),
)

/** Screens per test, few enough for a busy machine. */
const AT_ONCE = 10

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    axe: { run: (context: string, options: object) => Promise<AxeResults> }
  }
}

/**
 * Applies every brand to the page; returns elements that overflow the screen and, within the given part, text that is
 * unreadable in a scheme.
 */
function errorsInEveryBrand(page: Page, within?: string): Promise<string[]> {
  return page.evaluate(
    async ({ path, event, within: part }) => {
      const response = await fetch(`${path}/brands`)
      const brands = (await response.json()) as { name: string }[]
      const { documentElement: root } = document
      const errors: string[] = []
      for (const brand of brands) {
        window.dispatchEvent(new CustomEvent(event, { detail: brand }))
        const wider = root.scrollWidth - root.clientWidth
        if (wider > 0) errors.push(`${brand.name}: ${wider} px wider than ${root.clientWidth}`)
        for (const scheme of part === undefined ? [] : ['light', 'dark']) {
          root.dataset['scheme'] = scheme
          const { violations } = await window.axe.run(part ?? '', { runOnly: ['color-contrast'] })
          for (const { html, failureSummary } of violations.flatMap(({ nodes }) => nodes)) {
            errors.push(`${brand.name}, ${scheme}: ${html} ${failureSummary}`)
          }
        }
      }
      return brands.length < 64 ? [`only ${brands.length} brands`] : errors
    },
    { path: GALLERY_PATH, event: GALLERY_BRAND_EVENT, within },
  )
}

for (let from = 0; from < EVERY_SCREEN.length; from += AT_ONCE) {
  const screens = EVERY_SCREEN.slice(from, from + AT_ONCE)
  test(`2 every screen from ${screens[0]} on in a brand with its own style sheet: axe finds nothing`, async ({
    page,
  }) => {
    // The gallery has no operator, so the frame of the console's live preview stays empty there.
    await page.route(`${PREVIEW_PATH}/{mail,auth,portal,wallet}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '' }),
    )
    for (const screen of screens) {
      await openScreen(page, screen, STYLED_BRAND)
      await expectGoodInBothSchemes(page)
    }
  })
}

for (const { screen, within } of MAIN_SCREENS) {
  test(`1, 9 ${screen} in sixty organizations and four labels: contrast in both schemes, nothing overflows`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await openScreen(page, screen)
    await page.evaluate(AXE)
    expect(await errorsInEveryBrand(page, within)).toEqual([])
    await page.setViewportSize(PHONE)
    expect(await errorsInEveryBrand(page)).toEqual([])
  })
}

test('1, 2.5 the longest names and two logos of every brand fit a phone', async ({ page }) => {
  await page.setViewportSize(PHONE)
  for (const screen of CROWDED_SCREENS) {
    await openScreen(page, screen)
    expect(await errorsInEveryBrand(page), screen).toEqual([])
  }
})
