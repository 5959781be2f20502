import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { StrengthMeter } from './strength-meter.tsx'

const SCORES = [0, 1, 2, 3, 4] as const
const meter = page.getByRole('meter', { name: 'Password strength' })

const colorsOf = (element: Element) =>
  [...element.children].map((segment) => getComputedStyle(segment).backgroundColor)

function tokenColor(token: string): string {
  const probe = document.body.appendChild(document.createElement('span'))
  probe.style.backgroundColor = `var(${token})`
  const { backgroundColor } = getComputedStyle(probe)
  probe.remove()
  return backgroundColor
}

test('5 password strength: as many segments as the score, and a text', async () => {
  const { container, rerender } = await render(<StrengthMeter score={0} advice="" />)
  const texts = new Set<string | null>()
  const region = container.querySelector('[aria-live="polite"]')
  for (const score of SCORES) {
    await rerender(<StrengthMeter score={score} advice={`Advice ${score}.`} />)
    await expect.element(meter).toHaveAttribute('aria-valuenow', String(score))
    texts.add(meter.element().getAttribute('aria-valuetext'))
    const filled = colorsOf(meter.element()).filter((color) => color !== tokenColor('--line-soft'))
    expect(filled).toHaveLength(score)
    expect(region).toHaveTextContent(`Advice ${score}.`)
  }
  expect(texts.size).toBe(SCORES.length)
})

test('9 strength 3 is shown as sufficient; nothing below is red', async () => {
  const { rerender } = await render(null)
  const shades: (string | undefined)[] = []
  for (const score of SCORES) {
    await rerender(<StrengthMeter key={score} score={score} advice="Add a word." />)
    shades.push(colorsOf(meter.element())[0])
  }
  expect(shades.map((shade) => shade === tokenColor('--ok'))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
  expect(shades).not.toContain(tokenColor('--danger'))
})
