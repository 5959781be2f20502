import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { EmailText } from './email-text.tsx'

/** The lines of a text, from the positions of its characters. */
function linesOf(element: Element): string[] {
  const lines = new Map<number, string>()
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const range = document.createRange()
    const text = node.textContent ?? ''
    for (let index = 0; index < text.length; index += 1) {
      range.setStart(node, index)
      range.setEnd(node, index + 1)
      const { top } = range.getBoundingClientRect()
      lines.set(top, (lines.get(top) ?? '') + text[index])
    }
  }
  return [...lines.values()]
}

test.each([
  ['ada@example.com', ['ada@', 'example', '.com']],
  ['ada.b@c.d.example', ['ada', '.b@', 'c', '.d', '.example']],
  ['m•••@example.com', ['m•••@', 'example', '.com']],
])('2.8 the address %j breaks at @ and dots', async (address, lines) => {
  const { container } = await render(<EmailText>{address}</EmailText>)
  Object.assign(container.style, { width: '0', overflowWrap: 'normal' })
  expect(linesOf(container)).toEqual(lines)
  expect(container.textContent).toBe(address)
})

test('2.8 an address is read from left to right on a right-to-left page', async () => {
  const { container } = await render(
    <p dir="rtl">
      <EmailText>ada@example.com</EmailText>
    </p>,
  )
  const [first, last] = ['bdi', 'p'].map((tag) => container.querySelector(tag))
  if (!first || !last) throw new Error('The address is not rendered')
  expect(getComputedStyle(first).direction).toBe('ltr')
  expect(first.getBoundingClientRect().right).toBeCloseTo(last.getBoundingClientRect().right, 0)
})
