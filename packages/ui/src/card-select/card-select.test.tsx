import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CardOption, CardSelect } from './card-select.tsx'

const html = renderToStaticMarkup(
  <CardSelect label="Account" value="one" onChange={() => undefined}>
    <CardOption value="one" title="Savings" detail="tp1qx...8f2ka" badge="Verified" note="Owner" />
    <CardOption value="two" title="Trust" note="Signing as Ada" />
  </CardSelect>,
)

test('2.8 card select is a radio group with a name', () => {
  expect(html).toMatch(
    /role="radiogroup"[^>]*aria-label="Account"|aria-label="Account"[^>]*role="radiogroup"/,
  )
  expect(html.match(/type="radio"/g)).toHaveLength(2)
})

test('2.8 the whole card is clickable, and one card is selected', () => {
  const cards = html.split('<label').slice(1)
  expect(cards).toHaveLength(2)
  expect(cards[0]).toMatch(/type="radio"[^>]*checked=""/)
  expect(cards[1]).not.toMatch(/checked=""/)
})

test("2.7 an item shows name, short address, 'Verified' badge and who signs", () => {
  for (const words of ['Savings', 'tp1qx...8f2ka', 'Verified', 'Owner', 'Signing as Ada']) {
    expect(html).toContain(words)
  }
})
