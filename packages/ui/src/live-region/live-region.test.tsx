import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { announce, LIVE_REGION_CLEAR_MS } from './announce.ts'
import { LiveRegion } from './live-region.tsx'

afterEach(() => {
  vi.useRealTimers()
})

test('9 a live region clears after 300 ms', () => {
  expect(LIVE_REGION_CLEAR_MS).toBe(300)
  vi.useFakeTimers()
  const said: string[] = []
  announce('Code successfully resent.', (words) => said.push(words))
  vi.advanceTimersByTime(299)
  expect(said).toEqual(['Code successfully resent.'])
  vi.advanceTimersByTime(1)
  expect(said).toEqual(['Code successfully resent.', ''])
})

test('9 a newer message is not cleared by an older timer', () => {
  vi.useFakeTimers()
  const said: string[] = []
  const callOff = announce('One', (words) => said.push(words))
  vi.advanceTimersByTime(200)
  callOff()
  announce('Two', (words) => said.push(words))
  vi.advanceTimersByTime(299)
  expect(said).toEqual(['One', 'Two'])
})

test('2.8 a live region is polite and rendered empty from the start', () => {
  const html = renderToStaticMarkup(<LiveRegion message="Copied!" />)
  expect(html).toContain('aria-live="polite"')
  expect(html).not.toContain('Copied!')
})
