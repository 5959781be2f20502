/** Layout and visible focus on every screen of the gallery and beside the hosted wallet. */
import type { Page } from '@playwright/test'
import { GALLERY_PATH, GALLERY_SCREENS } from '@portico/contracts/gallery'
import { expect, STRONG_PASSWORD, test } from './support/portico.ts'
import {
  choosePassword,
  codeField,
  ready,
  submitEmail,
  verifyEmail,
  visit,
} from './support/steps.ts'

const WIDE = { width: 1440, height: 900 }
/** The edge of the wide login page's panel. */
const SEAM = Math.round(WIDE.width * 0.44)
const PHONE = { width: 390, height: 844 }

const screensOf = (app: keyof typeof GALLERY_SCREENS) =>
  Object.keys(GALLERY_SCREENS[app]).map((name) => `${app}/${name}`)

async function open(page: Page, screen: string): Promise<void> {
  await page.goto(`${GALLERY_PATH}/${screen}`)
  await ready(page)
  await page.evaluate(() => document.fonts.ready)
}

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
  await open(page, 'auth/login')
  const bare = await painted()
  let dialogs = 0
  for (const screen of screensOf('auth')) {
    await open(page, screen)
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

test('2.8 on a phone a dialog is a sheet at the bottom of the whole screen', async ({ page }) => {
  await page.setViewportSize(PHONE)
  for (const screen of ['auth/two-factor-code', 'auth/wallet-connect', 'portal/security-email']) {
    await open(page, screen)
    const box = await page.locator('[data-part="dialog"]').last().boundingBox()
    expect(box, screen).toMatchObject({ x: 0, width: PHONE.width })
    expect((box?.y ?? 0) + (box?.height ?? 0), screen).toBe(PHONE.height)
  }
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
      await open(page, screen)
      const distances = await page.evaluate(() => {
        const shown = [...document.querySelectorAll('body *')].filter(
          (element) =>
            element.checkVisibility({ visibilityProperty: true }) &&
            !element.closest('[data-part="footer"], [data-part="panel"]'),
        )
        const isContent = (element: Element) =>
          element.matches('input, select, img, svg, button, a') ||
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
    await open(page, screen)
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

/** The line breaks of a text, with the adjacent characters. */
function breaksOf(page: Page, text: string): Promise<string[]> {
  return page.evaluate((wanted) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT)
    const found: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node as Element
      if (element.textContent !== wanted || !element.checkVisibility()) continue
      if (element.firstElementChild?.textContent === wanted) continue
      const letters: { letter: string; top: number }[] = []
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let part = texts.nextNode(); part; part = texts.nextNode()) {
        const letterCount = part.textContent?.length ?? 0
        for (let index = 0; index < letterCount; index += 1) {
          const range = document.createRange()
          range.setStart(part, index)
          range.setEnd(part, index + 1)
          letters.push({ letter: range.toString(), top: range.getBoundingClientRect().top })
        }
      }
      found.push('')
      for (const [index, { letter, top }] of letters.entries()) {
        const before = letters[index - 1]
        if (before && top > before.top + 4) found.push(`${before.letter}|${letter}`)
      }
    }
    return found
  }, text)
}

test('2.8 beside the open hosted wallet a page uses its narrow layout, and an address breaks at @ and dots', async ({
  page,
  portico,
}) => {
  const email = `maximilianehohensteinlangenberg.${Date.now()}@longestmaildomainofall.people.example`
  // Little space remains beside the panel.
  await page.setViewportSize({ width: 1040, height: 900 })
  const openWallet = () =>
    page.evaluate(() => {
      const panel = Object.assign(document.createElement('div'), { id: 'figure-wallet-hosted' })
      document.body.append(panel)
    })
  const expectFolded = async () => {
    const places = await page.evaluate(() => {
      const box = (part: string) =>
        document.querySelector(`[data-part="${part}"]`)?.getBoundingClientRect() ?? new DOMRect()
      const [panel, form] = [box('panel'), box('form')]
      const wider = document.documentElement.scrollWidth - innerWidth
      return { panelAbove: panel.bottom <= form.top, clear: form.right <= innerWidth - 600, wider }
    })
    expect(places).toEqual({ panelAbove: true, clear: true, wider: 0 })
    const [, ...breaks] = await breaksOf(page, email)
    expect(breaks.length).toBeGreaterThan(0)
    for (const each of breaks) expect(each).toMatch(/^@\||\|\.$/)
  }

  await visit(page, '/auth/register')
  await submitEmail(page, email)
  const code = codeField(page)
  await expect(code).toBeVisible()
  await openWallet()
  await expectFolded()

  await verifyEmail(page, portico, email)
  await choosePassword(page, STRONG_PASSWORD)
  await expect(page).toHaveURL(/\/dashboard$/)
  await ready(page)
  await openWallet()
  await expectFolded()
})

test('2.8 at twice the text size, or right to left, nothing leaves the screen of a phone', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  const outside: string[] = []
  for (const screen of [...screensOf('auth'), ...screensOf('portal')]) {
    await open(page, screen)
    for (const change of ['enlarged', 'rightToLeft'] as const) {
      const found = await page.evaluate((kind) => {
        const { documentElement: root } = document
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(kind === 'enlarged' ? 'html { font-size: 200% }' : '')
        document.adoptedStyleSheets = [sheet]
        root.dir = kind === 'enlarged' ? 'ltr' : 'rtl'
        const isText = ({ nodeType, textContent }: Node) =>
          nodeType === Node.TEXT_NODE && textContent?.trim() !== ''
        return [...document.querySelectorAll('[data-part] *')]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          .filter((element) => [...element.childNodes].some(isText))
          .filter((element) => {
            const { left, right, width } = element.getBoundingClientRect()
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

test('2.8 right to left, chevrons and the panel’s picture are mirrored, and phone numbers are not', async ({
  page,
}) => {
  await page.setViewportSize(WIDE)
  await open(page, 'auth/two-factor-methods')
  const looks = () =>
    page.evaluate(() => {
      const scaleOf = (selector: string) => {
        const element = document.querySelector(selector)
        return element && getComputedStyle(element).scale
      }
      const phone = document.querySelector('a[href^="tel:"]')
      return {
        chevron: scaleOf('[data-icon="chevron"]'),
        panel: scaleOf('[data-part="panel"] > svg'),
        phone: phone && getComputedStyle(phone).direction,
      }
    })
  expect(await looks()).toEqual({ chevron: 'none', panel: 'none', phone: 'ltr' })
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  expect(await looks()).toEqual({ chevron: '-1 1', panel: '-1 1', phone: 'ltr' })
})
