/** Layout and visible focus on every screen of the gallery. */
import type { Page } from '@playwright/test'
import { GALLERY_SCREENS } from '@portico/contracts/gallery'
import { openScreen } from './support/gallery-screen.ts'
import { expect, test } from './support/portico.ts'

const WIDE = { width: 1440, height: 900 }
/** The edge of the wide login page's panel. */
const SEAM = Math.round(WIDE.width * 0.44)
const PHONE = { width: 390, height: 844 }

const screensOf = (app: keyof typeof GALLERY_SCREENS) =>
  Object.keys(GALLERY_SCREENS[app]).map((name) => `${app}/${name}`)

// Each test opens every screen.
test.describe.configure({ timeout: 600_000 })

const isDialog = (page: Page) => page.locator('[data-part="dialog"]').last().isVisible()

test('2.8 on the wide login page a dialog is in the form’s column and dims only that', async ({
  page,
}) => {
  await page.setViewportSize(WIDE)
  /** The visible page beside a dialog: the panel at its edge, and the form at its end. */
  const painted = async () => {
    const of = (x: number) => page.screenshot({ clip: { x, y: 440, width: 40, height: 40 } })
    return { panel: await of(SEAM - 44), form: await of(WIDE.width - 44) }
  }
  await openScreen(page, 'auth/login')
  const bare = await painted()
  let dialogs = 0
  for (const screen of screensOf('auth')) {
    await openScreen(page, screen)
    if (!(await isDialog(page))) continue
    dialogs += 1
    const { panel, form } = await painted()
    expect(panel.equals(bare.panel), `${screen}: the panel stays as it is`).toBe(true)
    expect(form.equals(bare.form), `${screen}: the column of the form is dimmed`).toBe(false)
    const place = await page.evaluate(() => {
      const box = (selector: string) => {
        const element = [...document.querySelectorAll(selector)].at(-1)
        return element?.getBoundingClientRect() ?? new DOMRect()
      }
      const [dialog, title] = [box('[data-part="dialog"]'), box('[data-part="dialog"] h2')]
      const [panel, form] = [box('[data-part="panel"]'), box('[data-part="form"]')]
      const room = getComputedStyle(document.querySelector('[data-part="form"]') ?? document.body)
      const formLeft = form.left + Number.parseFloat(room.paddingInlineStart)
      const formTop = form.top + Number.parseFloat(room.paddingBlockStart)
      return {
        beginsInColumn: dialog.left >= panel.right,
        endsInColumn: dialog.right <= innerWidth && dialog.bottom <= innerHeight,
        onEdgeOfForm: Math.abs(title.left - formLeft) <= 1,
        atHeading: Math.abs(title.top - formTop) <= 40,
      }
    })
    expect(place, screen).toEqual({
      beginsInColumn: true,
      endsInColumn: true,
      onEdgeOfForm: true,
      atHeading: true,
    })
  }
  expect(dialogs).toBeGreaterThan(15)
})

for (const [viewport, apps] of [
  [WIDE, ['auth', 'portal', 'wallet']],
  // On a phone the hosted wallet fills the screen, with its actions at the bottom.
  [PHONE, ['auth', 'portal']],
] as const) {
  test(`2.8 every action is close to its content, ${viewport.width} px wide`, async ({ page }) => {
    await page.setViewportSize(viewport)
    const far: string[] = []
    let actions = 0
    for (const screen of apps.flatMap(screensOf)) {
      await openScreen(page, screen)
      const distances = await page.evaluate(() => {
        const shown = [...document.querySelectorAll('body *')].filter(
          (element) =>
            element.checkVisibility({ visibilityProperty: true }) &&
            !element.closest('[data-part="footer"], [data-part="panel"]'),
        )
        const isContent = (element: Element) =>
          // Spans of a status are placeholders of what is loading.
          element.matches('input, select, img, svg, button, a, [role="status"] > span') ||
          [...element.childNodes].some(({ nodeType, data }: Node & { data?: string }) =>
            nodeType === Node.TEXT_NODE ? data?.trim() !== '' : false,
          )
        const boxes = shown.filter(isContent).map((element) => element.getBoundingClientRect())
        return shown
          .filter((element) => element.matches('button[data-kind], a[data-kind]'))
          .map((action) => {
            const { top } = action.getBoundingClientRect()
            const above = boxes.filter(({ bottom }) => bottom <= top).map(({ bottom }) => bottom)
            // The first element has nothing above it.
            const distance = above.length === 0 ? 0 : Math.round(top - Math.max(...above))
            return { name: action.textContent, distance }
          })
      })
      actions += distances.length
      for (const { name, distance } of distances) {
        if (distance > 100) far.push(`${screen}: '${name}' stands ${distance} px below`)
      }
    }
    expect(far).toEqual([])
    expect(actions).toBeGreaterThan(40)
  })
}

test('2.8 every tab stop in a dialog is visible', async ({ page }) => {
  await page.setViewportSize(WIDE)
  const unseen: string[] = []
  let stops = 0
  for (const screen of ['auth', 'portal'].flatMap((app) =>
    screensOf(app as keyof typeof GALLERY_SCREENS),
  )) {
    await openScreen(page, screen)
    if (!(await isDialog(page))) continue
    await expect(page.locator('[data-part="dialog"]:focus-within')).toBeVisible()
    const seen = new Set<string>()
    for (;;) {
      await page.keyboard.press('Tab')
      // After the last tab stop, an invisible guard returns to the first one.
      await page.waitForFunction(
        () => !document.activeElement?.matches('[data-base-ui-focus-guard]'),
      )
      const stop = await page.evaluate(() => {
        const element = document.activeElement
        // Without controls the focus stays on the title, which is not a tab stop.
        if (element === null || element.matches('body, [tabindex="-1"]')) return undefined
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
        const { width, height } = element.getBoundingClientRect()
        const isOutlined =
          outlineStyle !== 'none' &&
          Number.parseFloat(outlineWidth) >= 2 &&
          !/, 0\)$|transparent/.test(outlineColor)
        const name = element.getAttribute('aria-label') ?? element.textContent
        return {
          key: `${element.tagName} ${element.id} ${element.className} ${name}`,
          isSeen: isOutlined && width > 4 && height > 4,
        }
      })
      if (stop === undefined || seen.has(stop.key)) break
      seen.add(stop.key)
      if (!stop.isSeen) unseen.push(`${screen}: ${stop.key}`)
    }
    stops += seen.size
  }
  expect(unseen).toEqual([])
  expect(stops).toBeGreaterThan(80)
})

test('2.8 at twice the text size, or right to left, nothing leaves the screen of a phone', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  const outside: string[] = []
  for (const screen of [...screensOf('auth'), ...screensOf('portal'), ...screensOf('wallet')]) {
    await openScreen(page, screen)
    for (const change of ['enlarged', 'rightToLeft'] as const) {
      const found = await page.evaluate((kind) => {
        const { documentElement: root } = document
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(kind === 'enlarged' ? 'html { font-size: 200% }' : '')
        document.adoptedStyleSheets = [sheet]
        root.dir = kind === 'enlarged' ? 'ltr' : 'rtl'
        const isText = ({ nodeType, textContent }: Node) =>
          nodeType === Node.TEXT_NODE && textContent?.trim() !== ''
        /** An address that does not fit ends in an ellipsis, at the edge of what clips it. */
        const shownBy = (element: Element) => {
          const { parentElement } = element
          const clips = parentElement && getComputedStyle(parentElement).textOverflow === 'ellipsis'
          return clips ? parentElement : element
        }
        return [...document.querySelectorAll('body *')]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          .filter((element) => [...element.childNodes].some(isText))
          .filter((element) => {
            const { left, right, width } = shownBy(element).getBoundingClientRect()
            return width > 2 && (left < -1 || right > innerWidth + 1)
          })
          .map((element) => element.textContent)
          .concat(root.scrollWidth > root.clientWidth ? ['the page is wider than the screen'] : [])
      }, change)
      outside.push(...found.map((text) => `${screen}, ${change}: ${text}`))
    }
  }
  expect(outside).toEqual([])
})
