/** Layout of dialogs on a phone, beside the hosted wallet and right to left. Every screen: layout.exhaustive. */
import type { Page } from '@playwright/test'
import { openScreen } from './support/gallery-screen.ts'
import { expect, STRONG_PASSWORD, test } from './support/portico.ts'
import {
  choosePassword,
  codeField,
  openAccountMenu,
  ready,
  submitEmail,
  verifyEmail,
  visit,
} from './support/steps.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

test('2.8 on a phone a dialog is a sheet at the bottom of the whole screen', async ({ page }) => {
  await page.setViewportSize(PHONE)
  for (const screen of ['auth/two-factor-code', 'auth/wallet-connect', 'portal/security-email']) {
    await openScreen(page, screen)
    const box = await page.locator('[data-part="dialog"]').last().boundingBox()
    expect(box, screen).toMatchObject({ x: 0, width: PHONE.width })
    expect((box?.y ?? 0) + (box?.height ?? 0), screen).toBe(PHONE.height)
  }
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
  await openAccountMenu(page)
  await expectFolded()
})

test('2.8 right to left, chevrons and the panel’s picture are mirrored, and phone numbers are not', async ({
  page,
}) => {
  await page.setViewportSize(WIDE)
  await openScreen(page, 'auth/two-factor-methods')
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
