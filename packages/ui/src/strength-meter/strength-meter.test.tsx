import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StrengthMeter } from './strength-meter.tsx'

test('5 password strength: as many segments as the score, and a text', () => {
  for (const score of [0, 1, 2, 3, 4] as const) {
    const html = renderToStaticMarkup(<StrengthMeter score={score} advice="Add a word." />)
    expect(html.match(/data-filled/g) ?? []).toHaveLength(score)
    expect(html).toContain(`aria-valuenow="${score}"`)
    expect(html).toMatch(/aria-valuetext="[\w ]+"/)
    expect(html).toMatch(/aria-live="polite">Add a word\.</)
  }
})

test('9 strength 3 is shown as sufficient; nothing below is red', () => {
  const css = readFileSync(new URL('./strength-meter.module.css', import.meta.url), 'utf8')
  expect(css).not.toContain('--danger')
  expect(css).toMatch(/\[data-score="3"\], \[data-score="4"\]\) \{\s*--strength: var\(--ok\)/)
})
