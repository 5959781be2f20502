import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'

/** The checked part of a page, by selectors. */
interface Scope {
  readonly include?: string
  readonly exclude?: string
}

/** Axe finds nothing on the page. */
export async function expectAccessible(page: Page, scope: Scope = {}): Promise<void> {
  expect(await findings(page, scope)).toEqual([])
}

/** Accessible, and without horizontal overflow. */
export async function expectGood(page: Page, scope: Scope = {}): Promise<void> {
  await expectAccessible(page, scope)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}

/** Good, and without contrast errors in the dark scheme, which changes only colors. */
export async function expectGoodInBothSchemes(page: Page, scope: Scope = {}): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectGood(page, scope)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findings(page, scope, ['color-contrast'])).toEqual([])
  await page.emulateMedia({ colorScheme: null })
}

/** The toast is visible and does not cover a dialog. */
export async function expectToastClearOf(page: Page, dialog: Locator): Promise<void> {
  const toast = page.getByRole('region', { name: 'Notifications' }).getByRole('dialog')
  await expect(toast.filter({ visible: true })).toHaveCount(1)
  await settle(page)
  const [over, under] = [await toast.boundingBox(), await dialog.boundingBox()]
  if (over === null || under === null) throw new Error('The toast or the dialog is not there')
  const isBeside = over.x >= under.x + under.width || over.x + over.width <= under.x
  const isAboveOrBelow = over.y >= under.y + under.height || over.y + over.height <= under.y
  expect(isBeside || isAboveOrBelow).toBe(true)
}

async function findings(page: Page, { include, exclude }: Scope, rules: string[] = []) {
  await settle(page)
  // Without this, each analysis opens and closes another page. It matters only to frames of other origins.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  if (include !== undefined) axe.include(include)
  if (exclude !== undefined) axe.exclude(exclude)
  if (rules.length > 0) axe.withRules(rules)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Waits for transitions to end, because intermediate colors would be false contrast errors. */
async function settle(page: Page): Promise<void> {
  const shown = page.frames().map((frame) =>
    frame.evaluate(async () => {
      // A transition starts one frame after its cause.
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      const ending = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
      await Promise.allSettled(ending.map(({ finished }) => finished))
    }),
  )
  await Promise.all(shown)
}
