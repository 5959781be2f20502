import { expect, type FrameLocator, type Page } from '@playwright/test'

/** A right-to-left override, an isolate that is never closed, and markup, as in the name or memo of a hostile page. */
export const HOSTILE_TEXT = 'Pay \u202eecilA\u202c 5 \u2067<img src=x> <b>now</b>'

/** Without marks, because a message with marks is shown as unreadable data. */
export const MARKUP = '<img src=x> <b>I agree</b>'

const MARKS = /[\u202a-\u202e\u2066-\u2069]/g

/** The text is on the screen with visible marks, in character order, and its markup has no effect. */
export async function expectShownAsText(
  wallet: FrameLocator | Page,
  sent = HOSTILE_TEXT,
): Promise<void> {
  const shown = sent.replaceAll(MARKS, (mark) => `\\u{${mark.charCodeAt(0).toString(16)}}`)
  const text = wallet.getByText(shown, { exact: true })
  await expect(text).toBeVisible()
  expect(await text.evaluate(isInOrder)).toBe(true)
  await expect(wallet.locator('main').locator('img, b')).toHaveCount(0)
}

/** Whether each character is to the right of the one before it, or on a later line. */
function isInOrder(element: Element): boolean {
  const { firstChild: text } = element
  const length = text?.textContent?.length ?? 0
  const places = Array.from({ length }, (_, index) => {
    const range = document.createRange()
    range.setStart(text as Node, index) // It is not empty, so there is a text node.
    range.setEnd(text as Node, index + 1)
    return range.getBoundingClientRect()
  })
  return (
    length > 0 &&
    places.every(({ left, top }, index) => {
      const before = places[index - 1]
      return before === undefined || top > before.top || left >= before.left
    })
  )
}
