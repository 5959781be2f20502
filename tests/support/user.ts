/** A user's actions in a page, the same in every browser: real clicks on visible elements, and real typing. */
import { type BrowserPage, until } from './browser-page.ts'

export interface User {
  /** Clicks the button or link with this name, as soon as nothing covers it. */
  readonly click: (name: string) => Promise<void>
  /** Reads a request to its end, and then clicks the button with this name. */
  readonly approve: (name: string) => Promise<void>
  /** Checks the box with this label. */
  readonly check: (label: string) => Promise<void>
  /** Replaces the text of the field with this label. */
  readonly fill: (label: string, text: string) => Promise<void>
  /** Waits until the page shows this text; resolves to everything it shows. */
  readonly see: (text: string) => Promise<string>
}

const STILL_MS = 150

type Page = Pick<BrowserPage, 'evaluate' | 'mouse' | 'keyboard'>

/**
 * The user of the page that `find` returns at each attempt: a window may be replaced by another. With `frame`, a selector,
 * the user of the page in that frame, which must have the same origin.
 */
export function userOf(find: () => Promise<Page | undefined>, frame?: string): User {
  const textNow = async (place = frame) => (await find())?.evaluate(textOf, place)

  async function attempt(what: string, act: (page: Page) => Promise<true | undefined>) {
    await until(what, async () => {
      const page = await find()
      return page && act(page)
    }).catch(async (cause: unknown) => {
      const inFrame = frame === undefined ? '' : `${await textNow()}\nin a page with: `
      throw new Error(`${what} failed in: ${inFrame}${await textNow('')}`, { cause })
    })
  }

  /** Clicks where the element is seen; undefined if it is not there, disabled or covered. */
  async function clickWhere(page: Page, selector: string, name: string) {
    const before = await page.evaluate(placeOf, { selector, name, frame })
    if (before === undefined) return undefined
    // An element that is still moving, because a list above it loads, would not be where the click lands.
    await new Promise((resolve) => setTimeout(resolve, STILL_MS))
    const point = await page.evaluate(placeOf, { selector, name, frame })
    if (point === undefined || point.x !== before.x || point.y !== before.y) return undefined
    await page.mouse.click(point.x, point.y)
    return true
  }

  const clickNamed = (page: Page, name: string) =>
    clickWhere(page, 'button, a[href], summary', name)

  return {
    click: (name) => attempt(`Clicking '${name}'`, (page) => clickNamed(page, name)),
    approve: (name) =>
      attempt(`Approving with '${name}'`, async (page) => {
        await page.evaluate(scrollToEnd, frame)
        return clickNamed(page, name)
      }),
    check: (label) => attempt(`Checking '${label}'`, (page) => clickWhere(page, 'input', label)),
    fill: (label, text) =>
      attempt(`Filling '${label}'`, async (page) => {
        if (!(await clickWhere(page, 'input, textarea', label))) return undefined
        await page.evaluate(selectText, frame)
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

/** These functions run in the page. A field in a frame is not an instance of the page's own class. */

function textOf(frame: string | undefined) {
  const inner = frame && document.querySelector<HTMLIFrameElement>(frame)?.contentDocument
  return (inner || document).body.innerText
}

function scrollToEnd(frame: string | undefined) {
  const inner = frame && document.querySelector<HTMLIFrameElement>(frame)?.contentDocument
  const main = (inner || document).querySelector('main')
  main?.scrollTo(0, main.scrollHeight)
}

function selectText(frame: string | undefined) {
  const inner = frame && document.querySelector<HTMLIFrameElement>(frame)?.contentDocument
  const field = (inner || document).activeElement
  if (field !== null && 'select' in field) (field as HTMLInputElement).select()
}

/** The middle of the element with this name, if a click there reaches it. */
function placeOf({
  selector,
  name,
  frame,
}: {
  selector: string
  name: string
  frame: string | undefined
}) {
  const element = frame === undefined ? null : document.querySelector<HTMLIFrameElement>(frame)
  const page = frame === undefined ? document : element?.contentDocument
  if (!page) return undefined
  // Until then, the lender's pages do not answer clicks.
  if (location.protocol === 'http:' && !page.documentElement.hasAttribute('data-ready')) {
    return undefined
  }
  const nameOf = (named: Element) =>
    named.getAttribute('aria-label') ??
    (named as HTMLInputElement).labels?.[0]?.innerText ??
    (named as HTMLElement).innerText
  for (const named of page.querySelectorAll(selector)) {
    if (nameOf(named)?.trim() !== name || named.matches(':disabled, [aria-disabled=true]')) continue
    // The navigation is in the page twice, of which one is hidden.
    if (!named.checkVisibility()) continue
    named.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = named.getBoundingClientRect()
    const point = { x: left + width / 2, y: top + height / 2 }
    const hit = page.elementFromPoint(point.x, point.y)
    if (hit === null || !(named.contains(hit) || hit.contains(named))) continue
    const { left: x = 0, top: y = 0 } = element?.getBoundingClientRect() ?? {}
    return { x: x + point.x, y: y + point.y }
  }
  return undefined
}
