/** What a user does in a page, in Chromium and Firefox alike: real clicks on what can be seen, and real typing. */
import { type BrowserPage, until } from './extension-browser.ts'

export interface User {
  /** Clicks the button or link with this name, as soon as nothing covers it. */
  readonly click: (name: string) => Promise<void>
  /** Reads a request to its end, and then clicks the button with this name. */
  readonly approve: (name: string) => Promise<void>
  /** Replaces the text of the field with this label. */
  readonly fill: (label: string, text: string) => Promise<void>
  /** Waits until the page shows this text; resolves to everything it shows. */
  readonly see: (text: string) => Promise<string>
}

const STILL_MS = 150

/** The user of the page that `find` returns at each attempt: a window may be replaced by another. */
export function userOf(find: () => Promise<BrowserPage | undefined>): User {
  const textNow = async () => (await find())?.evaluate(() => document.body.innerText, undefined)

  async function attempt(what: string, act: (page: BrowserPage) => Promise<true | undefined>) {
    await until(what, async () => {
      const page = await find()
      return page && act(page)
    }).catch(async (cause: unknown) => {
      throw new Error(`${what} failed in: ${await textNow()}`, { cause })
    })
  }

  /** Clicks where the element is seen; undefined if it is not there, disabled or covered. */
  async function clickWhere(page: BrowserPage, selector: string, name: string) {
    const before = await page.evaluate(placeOf, { selector, name })
    if (before === undefined) return undefined
    // What is still moving, because a list above it loads, would not be where the click goes.
    await new Promise((resolve) => setTimeout(resolve, STILL_MS))
    const point = await page.evaluate(placeOf, { selector, name })
    if (point === undefined || point.x !== before.x || point.y !== before.y) return undefined
    await page.mouse.click(point.x, point.y)
    return true
  }

  const clickNamed = (page: BrowserPage, name: string) =>
    clickWhere(page, 'button, a[href], summary', name)

  return {
    click: (name) => attempt(`Clicking '${name}'`, (page) => clickNamed(page, name)),
    approve: (name) =>
      attempt(`Approving with '${name}'`, async (page) => {
        await page.evaluate(() => {
          const main = document.querySelector('main')
          main?.scrollTo(0, main.scrollHeight)
        }, undefined)
        return clickNamed(page, name)
      }),
    fill: (label, text) =>
      attempt(`Filling '${label}'`, async (page) => {
        if (!(await clickWhere(page, 'input, textarea', label))) return undefined
        await page.evaluate(() => {
          const field = document.activeElement
          if (field instanceof HTMLInputElement) field.select()
        }, undefined)
        await page.keyboard.type(text)
        return true
      }),
    async see(text) {
      let seen: string | undefined
      await attempt(`Seeing '${text}'`, async () => {
        seen = await textNow()
        return seen?.includes(text) || undefined
      })
      return seen ?? ''
    },
  }
}

/** Runs in the page: the middle of the element with this name, if a click there reaches it. */
function placeOf({ selector, name }: { selector: string; name: string }) {
  // Until then, the lender's pages do not answer clicks.
  if (location.protocol === 'http:' && !document.documentElement.hasAttribute('data-ready')) {
    return undefined
  }
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ??
    (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      ? element.labels?.[0]?.innerText
      : (element as HTMLElement).innerText)
  for (const element of document.querySelectorAll(selector)) {
    if (nameOf(element)?.trim() !== name || element.matches(':disabled, [aria-disabled=true]')) {
      continue
    }
    // The navigation is in the page twice, of which one is hidden.
    if (!element.checkVisibility()) continue
    element.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = element.getBoundingClientRect()
    const point = { x: left + width / 2, y: top + height / 2 }
    const hit = document.elementFromPoint(point.x, point.y)
    if (hit !== null && (element.contains(hit) || hit.contains(element))) return point
  }
  return undefined
}
