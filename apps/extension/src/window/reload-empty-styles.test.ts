import { expect, test, vi } from 'vitest'
import { reloadEmptyStyles } from './reload-empty-styles.ts'

/** A link whose style sheet arrives with these numbers of rules, one for each time that it is loaded. */
function aLink(...rules: number[]) {
  const loads: string[] = []
  let href = 'moz-extension://id/style.css'
  let onLoad = () => {}
  const link = {
    sheet: { cssRules: { length: rules.shift() } },
    addEventListener: (_: string, listener: () => void) => {
      onLoad = listener
    },
    get href() {
      return href
    },
    set href(next: string) {
      href = next
      loads.push(next)
      link.sheet.cssRules.length = rules.shift() ?? 0
      onLoad()
    },
  }
  // Only these parts of a link are used.
  return { link: link as unknown as HTMLLinkElement, loads }
}

test.each([
  ['is not loaded again if it has rules', [3], 0],
  ['is loaded again until it has rules', [0, 0, 3], 2],
  ['is loaded again only a few times', [], 5],
])('2.6 the style sheet of a window that opens during an update %s', async (_, rules, times) => {
  vi.useFakeTimers()
  const { link, loads } = aLink(...(rules.length === 0 ? [0] : rules))
  reloadEmptyStyles(link)
  await vi.advanceTimersByTimeAsync(5000)
  expect(new Set(loads).size).toBe(times)
  expect(loads).toHaveLength(times)
  vi.useRealTimers()
})
